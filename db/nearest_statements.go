package db

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"github.com/annalsdb/annals/graph"
)

// The statements of this file and of embeddings/index.go are built in Go, not compiled by sqlc. The
// planner uses a group's partial index only for a statement that has the group and the model as
// literals, not as parameters.

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

// nearestOf is one statement for several searches.
func nearestOf(asked []Nearest) statement {
	var s statement
	parts := make([]string, len(asked))
	for i, n := range asked {
		parts[i] = "SELECT " + strconv.Itoa(i) + " AS place, array_agg(r.id) AS ids, array_agg(r.score) AS scores FROM (" + n.ranked(&s, n.looks()[0]) + ") r"
	}
	s.sql = strings.Join(parts, "\nUNION ALL\n")
	return s
}

// ranked is the query of a look: ids with their scores.
func (n Nearest) ranked(s *statement, look Look) string {
	if n.byIndex() && look != LookAll {
		return n.indexed(s, look)
	}
	return n.exact(s, look == LookAll)
}

// indexed walks the group's partial index, which covers vectors of one dimension. It checks the
// condition row by row during the walk, so that the scan continues until there are enough rows.
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

// exact compares the group's vectors, found by the primary key. The + 0 keeps the planner from an
// approximate index. It checks the condition on the nearest rows first, and on no more than needed.
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

// chosen compares only what a filter lets pass: choosing among all rows at once takes a tenth of
// the time of asking for each. If few rows pass, it looks up their vectors instead of scanning all.
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

// compared selects the rows of the group that meet a condition, if there is one, with their
// distances.
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

// vector is the placeholder of the query vector, which several searches share.
func (n Nearest) vector(s *statement) string {
	for i, arg := range s.args {
		if v, is := arg.(pgvector.HalfVector); is && slices.Equal(v.Slice(), n.Vector) {
			return "$" + strconv.Itoa(i+1)
		}
	}
	return s.arg(pgvector.NewHalfVector(n.Vector))
}

func (n Nearest) group(s *statement) string { return s.same(n.GroupID) }

// reach is how many vectors to ask an index for: as many as are enough, or the limit of rows if
// that is more. A row may have several vectors among them.
func (n Nearest) reach() int { return max(n.Limit, n.vectors(n.enough())) }

// vectors is the number of vectors that rows are assumed to have among the nearest.
func (n Nearest) vectors(rows int) int {
	if n.Passages {
		return VectorsPerRow * rows
	}
	return rows
}

// candidates is how many rows are sorted before the condition is checked; nil: all. A bounded
// number is kept in a heap, which costs a fraction of sorting all rows of a group.
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

// meets is the condition on the row with the given id. OFFSET 0 keeps the planner from turning it
// into a join, so that it is checked row by row, in order.
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

// hasEnded is the condition that a fact holds no longer. An index of its own covers these facts:
// finding that a fact is not in it takes a fraction of the time of reading the row.
const hasEnded = "f.kind = 'state' AND NOT upper_inf(f.valid) AND upper(f.valid) <= now()"

// ranked reads a ranking, scanning every row into one variable: there are many.
func ranked(rows pgx.Rows, most int) ([]RankedRow, error) {
	found := make([]RankedRow, 0, most)
	var row RankedRow
	_, err := pgx.ForEachRow(rows, []any{&row.ID, &row.Score}, func() error {
		found = append(found, row)
		return nil
	})
	return found, err
}

// same is the placeholder of a text, which is sent only once.
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
