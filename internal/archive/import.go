package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Target describes how to import a file.
type Target struct {
	GroupID  string // empty: the exported group
	Embedder string // vectors of this embedder are imported, others left out
	Force    string // the exported group, if it was erased since and is to be imported all the same

	// Knows reports whether the importer may know about the exported group. Only then does the
	// import look for what was erased or withdrawn there. Nil: any group.
	Knows func(groupID string) bool

	// Again makes it no conflict if the group has all of the file already. Then nothing is stored,
	// and [Summary].There is set.
	Again bool

	// Erase erases episodes in the transaction of the import.
	Erase func(ctx context.Context, tx pgx.Tx, groupID string, episodes []uuid.UUID) error
}

// Import stores what [Export] wrote: all of it, or nothing if the file is wrong. It fails with
// [graph.CodeConflict] if the group already has data. Its memory use does not depend on the size of
// the group.
func Import(ctx context.Context, pool db.Pool, r io.Reader, t Target) (Summary, error) {
	in := &importer{reader: newReader(r), summary: Summary{Rows: map[string]int64{}}}
	header, err := in.header()
	if err != nil {
		return Summary{}, err
	}
	if in.summary.GroupID = t.GroupID; t.GroupID == "" {
		in.summary.GroupID = header.Group
	}
	if err := graph.ValidateGroupID(in.summary.GroupID); err != nil {
		return Summary{}, err
	}
	in.vectors = header.Embedder == t.Embedder
	in.from, in.forced = header.Group, header.Group != "" && t.Force == header.Group
	in.target = t
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return in.group(ctx, tx) })
	if err != nil {
		return Summary{}, in.explain(ctx, err)
	}
	in.summary.SHA256 = in.sum
	return in.summary, nil
}

// importer stores the rows that it reads.
type importer struct {
	*reader
	batch   batch
	vectors bool   // whether vectors are imported
	from    string // the exported group
	forced  bool   // import it although it was erased
	target  Target
	refused error
	summary Summary
}

// group stores the group. What was erased since the export is erased before others can see it.
func (in *importer) group(ctx context.Context, tx pgx.Tx) error {
	q, group := db.New(tx), in.summary.GroupID
	if _, err := q.ExportStyle(ctx); err != nil {
		return fmt.Errorf("prepare the import: %w", err)
	}
	if err := db.PlanForAny(ctx, tx); err != nil {
		return fmt.Errorf("prepare the import: %w", err)
	}
	if err := q.GroupLock(ctx, group); err != nil {
		return fmt.Errorf("lock %s: %w", group, err)
	}
	if err := q.OriginSet(ctx, graph.OriginOf(ctx).Doing("import")); err != nil {
		return fmt.Errorf("prepare the import: %w", err)
	}
	if occupied, err := q.ImportOccupied(ctx, group); err != nil {
		return fmt.Errorf("look into %s: %w", group, err)
	} else if occupied && in.target.Again {
		return in.lookFor(ctx, q)
	} else if occupied {
		return &graph.Error{
			Code: graph.CodeConflict, Field: "group",
			Message: group + " is not empty; import into another one with --as, or erase it first",
		}
	}
	own, err := q.RejectionIDs(ctx, group)
	if err != nil {
		return fmt.Errorf("read what %s has rejected: %w", group, err)
	}
	// The rows are consistent with each other. Erasures and withdrawals are applied at the end.
	if err := errors.Join(q.Readmit(ctx, in.taking()), q.FactsJudged(ctx), in.rows(ctx, q), q.Readmit(ctx, "")); err != nil {
		return err
	}
	if err := q.ImportedFactsNote(ctx, group); err != nil {
		return fmt.Errorf("note who imports the facts: %w", err)
	}
	if err := in.follow(ctx, q, own); err != nil {
		return err
	}
	if err := q.ImportedUntil(ctx, group); err != nil {
		return err
	}
	if len(in.summary.Erased) > 0 {
		if err := in.target.Erase(ctx, tx, group, in.summary.Erased); err != nil {
			return fmt.Errorf("erase what was erased from %s: %w", in.from, err)
		}
		if err := in.recount(ctx, q); err != nil {
			return err
		}
	}
	if _, err := q.FactsWeigh(ctx, db.FactsWeighParams{GroupID: group}); err != nil { // episodes may have less authority here
		return fmt.Errorf("weigh the facts: %w", err)
	}
	return errors.Join(q.StatisticsRefresh(ctx, group), q.FrequentTermsRefresh(ctx, group),
		q.OriginSet(ctx, graph.OriginOf(ctx).Doing("import")), q.ImportNote(ctx, group)) // one entry of the audit stands for all rows
}

// recount counts the rows that are left after some were erased again.
func (in *importer) recount(ctx context.Context, q *db.Queries) error {
	tables := slices.Sorted(maps.Keys(in.summary.Rows))
	counts, err := q.RowsCount(ctx, db.RowsCountParams{GroupID: in.summary.GroupID, Tables: tables})
	if err != nil {
		return fmt.Errorf("count what is imported: %w", err)
	}
	for _, table := range counts {
		in.summary.Rows[table.Name] = table.Held
	}
	return nil
}

// taking returns how to treat erased texts while rows are stored.
func (in *importer) taking() string {
	if in.forced {
		return "on"
	}
	return "import"
}

// follow makes the group a copy of the exported one: what was erased there is refused here, and
// what was withdrawn there is withdrawn here. It finds the episodes of the file that were erased.
func (in *importer) follow(ctx context.Context, q *db.Queries, own []uuid.UUID) error {
	group := in.summary.GroupID
	if in.from == "" {
		in.from = group
	}
	known := in.from == group || in.target.Knows == nil || in.target.Knows(in.from)
	if known { // wait for a running erasure there; a later one finds this copy
		if err := q.GroupLock(ctx, in.from); err != nil {
			return fmt.Errorf("lock %s: %w", in.from, err)
		}
	}
	erased, err := q.TombstonesCopy(ctx, db.TombstonesCopyParams{FromGroup: in.from, GroupID: group, Known: known})
	if err != nil {
		return fmt.Errorf("look for what was erased from %s: %w", in.from, err)
	}
	if erased && !in.forced {
		return &graph.Error{
			Code: graph.CodeConflict, Field: "import",
			Message: fmt.Sprintf("%s was erased after it was exported; nothing was stored. If it is meant to come back, 'annals import --force %s' takes it in", in.from, in.from),
		}
	}
	if in.summary.Erased, err = q.ErasedEpisodes(ctx, db.ErasedEpisodesParams{GroupID: group, Digests: [][]byte{}}); err != nil {
		return fmt.Errorf("look for what was erased from %s: %w", in.from, err)
	}
	taken, err := q.RejectionsCopy(ctx, db.RejectionsCopyParams{FromGroup: in.from, GroupID: group, Known: known})
	if err != nil {
		return fmt.Errorf("look for what was withdrawn in %s: %w", in.from, err)
	}
	return in.withdraw(ctx, q, append(taken, own...))
}

// withdraw removes the facts that rejections refuse, and what was derived from them.
func (in *importer) withdraw(ctx context.Context, q *db.Queries, rejections []uuid.UUID) error {
	group := in.summary.GroupID
	facts, err := q.FactsRejected(ctx, db.FactsRejectedParams{GroupID: group, Rejections: rejections})
	if err != nil {
		return fmt.Errorf("find what was withdrawn: %w", err)
	}
	if in.summary.Withdrawn = facts; len(facts) == 0 {
		return nil
	}
	origin := graph.OriginOf(ctx)
	if err := errors.Join(q.OriginSet(ctx, origin.Doing("withdraw")),
		q.ThreadsOfFactsForget(ctx, db.ThreadsOfFactsForgetParams{GroupID: group, FactIds: facts})); err != nil {
		return err
	}
	if _, err := q.FactsLetGo(ctx, db.FactsLetGoParams{GroupID: group, Ids: facts}); err != nil {
		return fmt.Errorf("withdraw what was withdrawn: %w", err)
	}
	return errors.Join(q.WithdrawnUnsay(ctx, group), q.OriginSet(ctx, origin.Doing("import")))
}

// rows stores all rows.
func (in *importer) rows(ctx context.Context, q *db.Queries) error {
	err := in.each(func(r row) error {
		if in.batch.rows > 0 && (in.batch.full() || r.table.Name != in.batch.table.Name) {
			if err := in.store(ctx, q); err != nil {
				return err
			}
		}
		if !r.table.Vectors || in.vectors {
			in.batch.add(current(r))
			in.summary.Rows[r.table.Name]++
		}
		return nil
	})
	if err == nil && in.batch.rows > 0 {
		err = in.store(ctx, q)
	}
	in.summary.Lines = in.lines
	return err
}

func (in *importer) store(ctx context.Context, q *db.Queries) error {
	in.refused = q.ImportRows(ctx, in.batch.table, in.summary.GroupID, in.batch.take())
	return in.refused
}

// explain returns why the import failed. If the database refuses rows, the file is usually damaged,
// which its checksum shows.
func (in *importer) explain(ctx context.Context, err error) error {
	var pg *pgconn.PgError
	if in.refused == nil || ctx.Err() != nil || !errors.As(err, &pg) {
		return err
	}
	if wrong := in.verify(); wrong != nil {
		return wrong
	}
	if pg.Code == db.CodeErased {
		return &graph.Error{
			Code: graph.CodeConflict, Field: "import", Message: pg.Message + "; 'annals import --force GROUP' takes it in all the same",
		}
	}
	if strings.HasPrefix(pg.Code, "22") || strings.HasPrefix(pg.Code, "23") || pg.Code == "42704" {
		return &graph.Error{
			Code: graph.CodeConflict, Field: "import",
			Message: "this database does not take the rows of " + in.batch.table.Name + "; nothing was stored", Err: pg,
		}
	}
	return err
}
