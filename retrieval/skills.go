package retrieval

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/pgvector/pgvector-go"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
)

// leastAlike is the least similarity, by words or vectors, between a task and the tasks of a skill
// that is found for it. A higher one loses, by vectors, tasks in other words: see
// internal/eval/skills.
const leastAlike = 0.35

// maxTask is the most bytes of a task.
const maxTask = 8 << 10

// SkillFilter chooses skills. Zero fields do not narrow the choice.
type SkillFilter struct {
	GroupID string
	Task    string    // finds the skills of similar tasks, the most similar first, each by its best procedure
	SkillID uuid.UUID // the procedures of this one
	State   string    // candidate, confirmed, rejected or all; empty: all but rejected
	ValidAt time.Time // that worked then; zero: as of KnownAt
	KnownAt time.Time // as was known then; zero: now
	Ended   bool      // also those that do not work then
	Limit   int       // 1 to graph.MaxRows; zero: graph.DefaultRows

	// ID selects one row, a procedure for as long as it worked; zero: all.
	ID uuid.UUID
	// EveryVersion lists every version ever known, oldest first, and not those at KnownAt.
	EveryVersion bool
}

// Skills lists skills: how tasks are done. If the embedder does not answer, a task is compared by
// its words alone.
func (s *Searcher) Skills(ctx context.Context, f SkillFilter) ([]graph.Skill, error) {
	limit, err := f.validate()
	if err != nil {
		return nil, err
	}
	asked := db.SkillListParams{
		GroupID: f.GroupID, Task: f.Task, SkillID: db.Nullable(f.SkillID), State: f.State, ValidAt: db.Nullable(f.ValidAt), KnownAt: db.Nullable(f.KnownAt),
		ID: db.Nullable(f.ID), EveryVersion: f.EveryVersion, Ended: f.Ended, Least: leastAlike, Model: s.embedder.Name(), MaxRows: limit,
	}
	if f.Task != "" && !model.Lexical(s.embedder) {
		vectors, err := model.Vectors(ctx, s.embedder, []string{f.Task})
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			new(lacking).note(ctx, s, withoutVectors, err)
		default:
			vector := pgvector.NewVector(vectors[0])
			asked.Vector = &vector
		}
	}
	return s.listSkills(ctx, asked)
}

func (s *Searcher) listSkills(ctx context.Context, asked db.SkillListParams) ([]graph.Skill, error) {
	q := db.New(s.pool)
	rows, err := q.SkillList(ctx, asked)
	if err != nil {
		return nil, fmt.Errorf("list skills of %s: %w", asked.GroupID, err)
	}
	marks, err := q.Marks(ctx, asked.GroupID, asked.KnownAt, each.Of(rows, func(row db.SkillListRow) uuid.UUID { return row.ID }))
	if err != nil {
		return nil, fmt.Errorf("read what was found of skills of %s: %w", asked.GroupID, err)
	}
	return each.Of(rows, func(row db.SkillListRow) graph.Skill {
		skill := db.Skill(asked.GroupID, row)
		skill.Marks = marks[row.ID].JSON()
		return skill
	}), nil
}

func (f *SkillFilter) validate() (int32, error) {
	switch f.State {
	case "", "candidate", "confirmed", "rejected", "all":
	default:
		return 0, graph.Invalid("state", "%q is not one of candidate, confirmed, rejected, all", f.State)
	}
	f.Task = strings.TrimSpace(f.Task)
	if err := graph.ValidateText("task", f.Task, maxTask); err != nil {
		return 0, err
	}
	if err := graph.ValidateTime("as_of", f.ValidAt); err != nil {
		return 0, err
	}
	if err := graph.ValidateTime("known_at", f.KnownAt); err != nil {
		return 0, err
	}
	return graph.RowLimit(f.Limit)
}
