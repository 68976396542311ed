// Package upkeep does the periodic work beside reading episodes. It makes vectors that are missing
// or of another embedder, applies the retention of groups, and checks and repairs the database.
package upkeep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
)

// Verification lists the invariants that a database was checked against, with the violations.
type Verification struct {
	GroupID string  `json:"group,omitempty"` // empty: all groups
	Checks  []Check `json:"checks"`          // one for each invariant, in order
}

// Broken returns the checks that found violations and did not mend them.
func (v Verification) Broken() []Check {
	return each.Where(v.Checks, func(c Check) bool { return c.Found > 0 && !c.Mended })
}

// Check is the result of checking one invariant.
type Check struct {
	Name     string   `json:"name"`
	Says     string   `json:"says"`               // the invariant in a sentence
	Found    int      `json:"found"`              // violations
	Examples []string `json:"examples,omitempty"` // at most five: group, kind if there are several, and id
	Mended   bool     `json:"mended,omitempty"`   // violations were found, and none is left
	Removed  int      `json:"removed,omitempty"`  // facts or entities removed by mending
	Gone     []string `json:"gone,omitempty"`     // at most twenty of these, by group and id
	Do       string   `json:"do,omitempty"`       // what to do about the remaining violations
}

// Bounds on the listed violations and removed rows.
const (
	maxExamples = 5
	maxGone     = 20
)

// communityGrace is how long a changed community may wait for a new description.
const communityGrace = time.Hour

// Verifier checks databases against their invariants.
type Verifier struct {
	pool     db.Pool
	engine   *engine.Engine
	embedder model.Embedder
}

// NewVerifier returns a verifier that mends with an engine and an embedder.
func NewVerifier(pool db.Pool, e *engine.Engine, embedder model.Embedder) *Verifier {
	return &Verifier{pool: pool, engine: e, embedder: embedder}
}

// Verify checks a group, or all groups, against every invariant. With fix it mends what it can and
// says what to do about the rest. Others may write meanwhile. Mending blocks them and checks again.
func (v *Verifier) Verify(ctx context.Context, groupID string, fix bool) (Verification, error) {
	done := Verification{GroupID: groupID}
	for _, i := range invariants() {
		check, err := v.check(ctx, i, groupID, fix)
		if err != nil {
			return done, fmt.Errorf("verify %s: %w", i.name, err)
		}
		done.Checks = append(done.Checks, check)
	}
	return done, nil
}

func (v *Verifier) check(ctx context.Context, i invariant, groupID string, fix bool) (Check, error) {
	found, err := i.ask(ctx, v, db.New(v.pool), db.Nullable(groupID))
	check := Check{Name: i.name, Says: i.says, Found: len(found), Examples: found[:min(len(found), maxExamples)]}
	if err != nil || len(found) == 0 {
		return check, err
	}
	check.Do = i.do
	if !fix || i.mend == nil {
		return check, nil
	}
	if err := i.mend(ctx, v, i, groupID); err != nil {
		return check, fmt.Errorf("mend: %w", err)
	}
	if err := v.noteMended(ctx, i, found); err != nil {
		return check, err
	}
	left, err := i.ask(ctx, v, db.New(v.pool), db.Nullable(groupID))
	if err != nil {
		return check, err
	}
	if i.removes {
		gone := slices.DeleteFunc(slices.Clone(found), func(one string) bool { return slices.Contains(left, one) })
		check.Removed, check.Gone = len(gone), gone[:min(len(gone), maxGone)]
	}
	if len(left) == 0 {
		check.Mended, check.Do = true, ""
		return check, nil
	}
	check.Found, check.Examples = len(left), left[:min(len(left), maxExamples)]
	return check, nil
}

// noteMended records in the audit of each group what was mended.
func (v *Verifier) noteMended(ctx context.Context, i invariant, found []string) error {
	rows := map[string]int{}
	for _, text := range found {
		groupID, _, several := strings.Cut(text, " ")
		if several {
			rows[groupID]++
		}
	}
	return db.InTxBy(ctx, v.pool, func(q *db.Queries) error {
		for _, groupID := range slices.Sorted(maps.Keys(rows)) {
			detail, err := json.Marshal(map[string]any{"invariant": i.name, "rows": rows[groupID]})
			if err != nil {
				return fmt.Errorf("note what was mended: %w", err)
			}
			if err := q.ChangeNote(ctx, db.ChangeNoteParams{GroupID: groupID, Action: "mend", Detail: detail}); err != nil {
				return fmt.Errorf("note what was mended: %w", err)
			}
		}
		return nil
	})
}

// locked mends what a second check finds, and blocks writers meanwhile.
func locked(mend func(ctx context.Context, q *db.Queries, f finding) error) func(context.Context, *Verifier, invariant, string) error {
	return func(ctx context.Context, v *Verifier, i invariant, groupID string) error {
		return db.InTx(ctx, v.pool, func(q *db.Queries) error {
			if err := errors.Join(q.MendLockTimeout(ctx), q.VerifyLock(ctx)); err != nil {
				return err
			}
			found, err := i.ask(ctx, v, q, db.Nullable(groupID))
			if err != nil {
				return err
			}
			for _, f := range findings(found) {
				if _, err := q.EditBegin(ctx, db.EditBeginParams{GroupID: f.groupID, Origin: graph.OriginOf(ctx).Doing("undo")}); err != nil {
					return err
				}
				if err := mend(ctx, q, f); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

type finding struct {
	groupID string
	kind    string // empty: the invariant has one kind
	ids     []uuid.UUID
	names   []string // if they are no ids
}

// findings groups lines of "group kind id" or "group id".
func findings(found []string) []finding {
	var all []finding
	for _, text := range found {
		groupID, rest, _ := strings.Cut(text, " ")
		kind, name := "", rest
		if before, after, ok := strings.Cut(rest, " "); ok {
			kind, name = before, after
		}
		i := slices.IndexFunc(all, func(f finding) bool { return f.groupID == groupID && f.kind == kind })
		if i < 0 {
			i, all = len(all), append(all, finding{groupID: groupID, kind: kind})
		}
		if id, err := uuid.Parse(name); err == nil {
			all[i].ids = append(all[i].ids, id)
		}
		all[i].names = append(all[i].names, rest)
	}
	return all
}

// eachGroup mends one group after the other, while others write.
func eachGroup(mend func(ctx context.Context, v *Verifier, groupID string) error) func(context.Context, *Verifier, invariant, string) error {
	return func(ctx context.Context, v *Verifier, i invariant, groupID string) error {
		found, err := i.ask(ctx, v, db.New(v.pool), db.Nullable(groupID))
		if err != nil {
			return err
		}
		var groups []string
		for _, f := range findings(found) {
			if !slices.Contains(groups, f.groupID) {
				groups = append(groups, f.groupID)
			}
		}
		for _, group := range groups {
			if err := mend(ctx, v, group); err != nil {
				return err
			}
		}
		return nil
	}
}

func fillAll(ctx context.Context, v *Verifier, groupID string) error {
	_, err := FillVectors(ctx, v.pool, v.embedder, groupID, nil)
	return err
}

func describe(ctx context.Context, v *Verifier, groupID string) error {
	_, err := v.engine.BuildCommunities(ctx, groupID)
	return err
}

func recount(ctx context.Context, v *Verifier, _ invariant, _ string) error {
	_, err := db.MendCounts(ctx, v.pool)
	return err
}

func recountDocuments(ctx context.Context, v *Verifier, groupID string) error {
	if err := db.New(v.pool).MendStatisticsDrop(ctx, groupID); err != nil {
		return err
	}
	return db.RefreshStatistics(ctx, v.pool, groupID)
}

func switchOn(ctx context.Context, v *Verifier, i invariant, _ string) error {
	found, err := i.ask(ctx, v, db.New(v.pool), nil)
	if err != nil {
		return err
	}
	for _, text := range found {
		table, trigger, _ := strings.Cut(text, " ")
		if err := db.EnableTrigger(ctx, v.pool, table, trigger); err != nil {
			return err
		}
	}
	return nil
}
