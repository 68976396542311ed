package upkeep

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// Bounds of filling in vectors.
const (
	fillPage   = 200 // rows per read, embedding and write
	fillGroups = 4   // groups at a time
	groupsPage = 1000
)

// FillVectors makes the missing vectors of a group, such as those of imported rows, and returns how
// many. It calls report, if not nil, with the number of each step.
func FillVectors(ctx context.Context, pool db.Pool, embedder model.Embedder, groupID string, report func(made int)) (int, error) {
	f := newFilling(pool, embedder, report)
	if err := f.group(ctx, groupID); err != nil {
		return int(f.made.Load()), fmt.Errorf("embed what lacks a vector in %s: %w", groupID, err)
	}
	return int(f.made.Load()), nil
}

type filling struct {
	pool     db.Pool
	embedder model.Embedder
	report   func(int)

	found, made, dropped atomic.Int64 // rows without a vector, those that got one, and those that lost others
}

func newFilling(pool db.Pool, embedder model.Embedder, report func(int)) *filling {
	if report == nil {
		report = func(int) {}
	}
	return &filling{pool: pool, embedder: embedder, report: report}
}

// pass fills in the vectors of every group, and returns how many rows had none and how many got one.
func (f *filling) pass(ctx context.Context) (found, made int64, err error) {
	foundBefore, madeBefore := f.found.Load(), f.made.Load()
	err = f.eachGroup(ctx, f.group)
	return f.found.Load() - foundBefore, f.made.Load() - madeBefore, err
}

// eachGroup calls do for every group, a few at a time.
func (f *filling) eachGroup(ctx context.Context, do func(context.Context, string) error) error {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(fillGroups)
	after := ""
	for {
		groups, err := db.New(f.pool).GroupsAfter(ctx, db.GroupsAfterParams{After: after, MaxRows: groupsPage})
		if err != nil {
			if failed := work.Wait(); failed != nil {
				return failed
			}
			return fmt.Errorf("list the groups: %w", err)
		}
		for _, groupID := range groups {
			work.Go(func() error { return do(ctx, groupID) })
			after = groupID
		}
		if len(groups) < groupsPage {
			return work.Wait()
		}
	}
}

func (f *filling) group(ctx context.Context, groupID string) error {
	ctx = model.WithSubject(ctx, model.Subject{GroupID: groupID})
	for _, kind := range db.VectorKinds {
		after := uuid.Nil
		for {
			rows, err := db.New(f.pool).VectorsPage(ctx, db.VectorsPageParams{
				GroupID: groupID, Kind: kind, Model: f.embedder.Name(), After: after, MaxRows: fillPage,
			})
			if err != nil {
				return fmt.Errorf("read which vectors are missing: %w", err)
			}
			if err := f.fill(ctx, kind, groupID, rows); err != nil {
				return err
			}
			if len(rows) < fillPage {
				break
			}
			after = rows[len(rows)-1].ID
		}
	}
	return nil
}

func (f *filling) fill(ctx context.Context, kind graph.Kind, groupID string, page []db.VectorsPageRow) error {
	var rows []db.VectorsPageRow
	var texts [][]string
	for _, row := range page {
		if row.Missing {
			rows = append(rows, row)
			texts = append(texts, f.textsOf(kind, row))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	vectors, err := model.VectorLists(ctx, f.embedder, texts)
	if err != nil {
		return err
	}
	made, err := db.New(f.pool).FillVectors(ctx, kind, groupID, f.embedder.Name(), rows, vectors)
	if err != nil {
		return fmt.Errorf("store vectors of %s: %w", groupID, err)
	}
	f.found.Add(int64(len(rows)))
	f.made.Add(made)
	f.report(int(made))
	return nil
}

func (f *filling) textsOf(kind graph.Kind, row db.VectorsPageRow) []string {
	switch kind {
	case graph.KindEpisode:
		return engine.EpisodeTexts(f.embedder, graph.Episode{Content: row.Text, Source: graph.Source(row.Source), Role: row.Role})
	case graph.KindFact:
		return []string{graph.SearchText(row.Text, row.Predicate)}
	}
	return []string{row.Text}
}
