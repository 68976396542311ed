package db

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"github.com/annalsdb/annals/graph"
)

// SQL is built in this file and in vectors_index.go, and nowhere else. The
// planner takes a group's partial index only for a statement that names the
// group and the model as literals, which no parameter can be.

// statement is SQL with its arguments.
type statement struct {
	sql  string
	args []any
}

func (n Nearest) statement(look Look) statement {
	var s statement
	s.sql = n.ranked(&s, look)
	return s
}

// nearestOf is one statement for several kinds.
func nearestOf(asked []Nearest) statement {
	var s statement
	parts := make([]string, len(asked))
	for i, n := range asked {
		parts[i] = "SELECT " + strconv.Itoa(i) + " AS place, array_agg(r.id) AS ids, array_agg(r.score) AS scores FROM (" + n.ranked(&s, n.looks()[0]) + ") r"
	}
	s.sql = strings.Join(parts, "\nUNION ALL\n")
	return s
}

// ranked is a ranking: ids with their scores.
func (n Nearest) ranked(s *statement, look Look) string {
	if n.byIndex() && look != LookAll {
		return n.indexed(s, look)
	}
	return n.exact(s, look == LookAll)
}

// indexed walks the group's partial index, which is over vectors of one
// dimension. The condition is met on the way,
// row by row, so that the scan goes on until there are enough.
func (n Nearest) indexed(s *statement, look Look) string {
	limit := n.reach()
	if look == LookOn {
		limit = n.vectors(n.enough())
	}
	group := QuoteLiteral(n.GroupID)
	distance := "annals_internal.distance(annals_internal.cast_to_dimension(v.embedding, " + strconv.Itoa(len(n.Vector)) + "), " + n.vector(s) + ")"
	return `SELECT x.id, 1 - min(x.distance) AS score FROM (
	SELECT v.` + ownerColumn(n.Kind) + ` AS id, ` + distance + ` AS distance
	FROM ` + VectorTable(n.Kind) + ` v
	WHERE v.group_id = ` + group + ` AND v.model = ` + QuoteLiteral(n.Model) + ` AND ` + n.meets(s, group, "v."+ownerColumn(n.Kind)) + `
	ORDER BY ` + distance + `
	LIMIT ` + s.arg(limit) + `
) x GROUP BY x.id ORDER BY min(x.distance), x.id`
}

// exact compares the group's vectors, which the primary key finds in the table.
// The + 0 keeps any approximate index out. The condition is asked of the
// nearest first and no further than needed.
func (n Nearest) exact(s *statement, all bool) string {
	if all && n.Narrowed && n.conditional() && !n.Shape.HasFew(n.Kind) {
		return n.chosen(s)
	}
	return `SELECT n.id, 1 - n.distance AS score
FROM (
	` + n.compared(s, "") + `
	ORDER BY 2, 1
	LIMIT ` + s.arg(n.candidates(all)) + `
) n
WHERE ` + n.meets(s, n.group(s), "n.id") + `
ORDER BY n.distance, n.id
LIMIT ` + s.arg(n.limit())
}

// chosen compares only what a filter lets pass: to choose among all rows at once
// takes a tenth of asking each of them. What is few is looked up, not looked for.
func (n Nearest) chosen(s *statement) string {
	of := n.group(s) + ", " + s.arg(n.Filter) + "::jsonb"
	matching := "annals_internal.entities_matching(" + of + ")"
	switch n.Kind {
	case graph.KindFact:
		matching = "annals_internal.facts_matching(" + of + ", " + s.arg(n.ValidAt) + "::timestamptz, NULL, " + s.arg(n.IncludeEnded) + "::boolean)"
	case graph.KindEpisode:
		matching = "annals_internal.episodes_matching(" + of + ")"
	}
	return `WITH chosen AS MATERIALIZED (
	SELECT ` + matching + ` AS id
), few AS MATERIALIZED (
	SELECT count(*) <= ` + strconv.FormatInt(max(lookedUp, n.size()/lookedUpShare), 10) + ` AS are FROM chosen
)
SELECT n.id, 1 - n.distance AS score
FROM (
	` + n.compared(s, "NOT (SELECT are FROM few) AND (v."+ownerColumn(n.Kind)+" IN (SELECT id FROM chosen)) IS TRUE") + `
	UNION ALL
	SELECT c.id, v.distance
	FROM chosen c
	CROSS JOIN LATERAL (` + n.compared(s, "v."+ownerColumn(n.Kind)+" = c.id") + ` OFFSET 0) v
	WHERE (SELECT are FROM few)
	ORDER BY 2, 1
	LIMIT ` + s.arg(n.limit()) + `
) n
ORDER BY n.distance, n.id`
}

// compared are the rows of the group that meet a condition, where there is one, with
// their distances.
func (n Nearest) compared(s *statement, condition string) string {
	distance, grouped := "annals_internal.distance(v.embedding, "+n.vector(s)+")", ""
	if n.Passages {
		distance, grouped = "min("+distance+")", `
	GROUP BY 1`
	} else {
		distance += " + 0"
	}
	if condition != "" {
		condition = " AND " + condition
	}
	return `SELECT v.` + ownerColumn(n.Kind) + ` AS id, ` + distance + ` AS distance
	FROM ` + VectorTable(n.Kind) + ` v
	WHERE v.group_id = ` + n.group(s) + ` AND v.model = ` + s.same(n.Model) + condition + grouped
}

// vector is the placeholder of the vector that is looked for, which several kinds share.
func (n Nearest) vector(s *statement) string {
	for i, arg := range s.args {
		if v, is := arg.(pgvector.HalfVector); is && slices.Equal(v.Slice(), n.Vector) {
			return "$" + strconv.Itoa(i+1)
		}
	}
	return s.arg(pgvector.NewHalfVector(n.Vector))
}

func (n Nearest) group(s *statement) string { return s.same(n.GroupID) }

// reach is how many vectors an index is asked for: as many as are enough, or as rows
// are asked for, of which some have several among them.
func (n Nearest) reach() int { return max(n.Limit, n.vectors(n.enough())) }

// vectors is how many vectors so many rows have among the nearest.
func (n Nearest) vectors(rows int) int {
	if n.Passages {
		return VectorsPerRow * rows
	}
	return rows
}

// candidates is how many rows are put in order before the condition is asked;
// nil: all. A bounded number is kept in a heap, which costs a fraction of
// sorting all rows of a group.
func (n Nearest) candidates(all bool) *int {
	limit := n.limit()
	switch {
	case !n.conditional():
		return &limit
	case all:
		return nil
	}
	limit *= candidatesBefore
	return &limit
}

// meets is the condition on the row that id names. OFFSET 0 keeps the planner from a
// join of its own making, so that it is asked of what came so far, in its order.
func (n Nearest) meets(s *statement, group, id string) string {
	named := "annals.facts f WHERE f.group_id = " + group + " AND f.id = " + id
	passing := ""
	switch {
	case !n.conditional():
		return "true"
	case !n.Narrowed && n.ValidAt == nil:
		return "NOT EXISTS (SELECT FROM " + named + " AND " + hasEnded + " OFFSET 0)"
	case !n.Narrowed:
		passing = named + " AND annals_internal.shown_at(f.kind, f.valid, f.from_basis, f.said_at, " + s.arg(n.ValidAt) + "::timestamptz)"
	case n.Kind == graph.KindFact:
		passing = "annals_internal.facts_passing(" + group + ", " + s.arg(n.Filter) + "::jsonb, " + s.arg(n.ValidAt) + "::timestamptz, " +
			s.arg(n.IncludeEnded) + "::boolean, ARRAY[" + id + "])"
	case n.Kind == graph.KindEntity:
		passing = "annals_internal.entities_passing(" + group + ", " + s.arg(n.Filter) + "::jsonb, ARRAY[" + id + "])"
	default:
		passing = "annals_internal.episodes_passing(" + group + ", " + s.arg(n.Filter) + "::jsonb, ARRAY[" + id + "])"
	}
	return "EXISTS (SELECT FROM " + passing + " OFFSET 0)"
}

// hasEnded is true of the facts that hold no longer. They have an index of their own:
// to find that a fact is not in it takes a fraction of reading the row.
const hasEnded = "f.kind = 'state' AND NOT upper_inf(f.valid) AND upper(f.valid) <= now()"

// ranked reads a ranking, row by row into one list: there are many.
func ranked(rows pgx.Rows, most int) ([]RankedRow, error) {
	found := make([]RankedRow, 0, most)
	var row RankedRow
	_, err := pgx.ForEachRow(rows, []any{&row.ID, &row.Score}, func() error {
		found = append(found, row)
		return nil
	})
	return found, err
}

// same is the placeholder of a text, which is sent once.
func (s *statement) same(text string) string {
	if i := slices.Index(s.args, any(text)); i >= 0 {
		return "$" + strconv.Itoa(i+1)
	}
	return s.arg(text)
}

// arg adds an argument and returns its placeholder.
func (s *statement) arg(value any) string {
	s.args = append(s.args, value)
	return "$" + strconv.Itoa(len(s.args))
}
