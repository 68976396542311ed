package edit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// WithdrawFact ends the belief in a fact that never held, and rejects it until
// [Editor.RestoreFact]. It remakes the summaries of its entities. If versions are given, the fact
// must be in one of them.
func (e *Editor) WithdrawFact(ctx context.Context, groupID string, id uuid.UUID, versions ...time.Time) error {
	err := e.ByHand(ctx, groupID, "withdraw", func(t *change.Tx) error {
		if err := withdraw(ctx, t, id, versions); err != nil {
			return err
		}
		return Settle(ctx, t, []uuid.UUID{})
	})
	return change.Failed(err, "withdraw fact %s", id)
}

// WithdrawFacts is [Editor.WithdrawFact] for several facts: all of them, or none. Versions are those
// of [Decision].
func (e *Editor) WithdrawFacts(ctx context.Context, groupID string, ids []uuid.UUID, versions ...string) error {
	err := e.ByHand(ctx, groupID, "withdraw", func(t *change.Tx) error {
		if err := inVersions(ctx, t.Queries, groupID, ids, versions); err != nil {
			return err
		}
		for _, id := range ids {
			if err := withdraw(ctx, t, id, nil); err != nil {
				return err
			}
		}
		return Settle(ctx, t, []uuid.UUID{}) // once for all facts, as it examines the whole group
	})
	return change.Failed(err, "withdraw %s", each.Count(len(ids), "fact"))
}

// withdraw removes a fact. The caller settles what it disputed.
func withdraw(ctx context.Context, t *change.Tx, id uuid.UUID, versions []time.Time) error {
	fact, err := t.Fact(ctx, id)
	if err != nil {
		return err
	}
	if err := errors.Join(change.InVersion("the fact", fact.Recorded.Start, versions), t.MayChange(ctx, id)); err != nil {
		return err
	}
	if _, err := t.Lock(ctx, fact.SourceID, fact.TargetID); err != nil {
		return err
	}
	back, err := bringBackEnded(ctx, t, fact, nil)
	if err != nil {
		return err
	}
	bounded, err := t.Queries.FactsBoundedBy(ctx, db.FactsBoundedByParams{GroupID: t.GroupID, Ids: []uuid.UUID{id}})
	if err != nil {
		return err
	}
	free := each.Of(append(change.FactsIn(bounded), back...), factID)
	return errors.Join(
		t.Queries.DisputesInherit(ctx, db.DisputesInheritParams{GroupID: t.GroupID, ID: id, Ids: free}),
		t.HideCommunities(ctx, fact.SourceID, fact.TargetID),
		t.Queries.RejectionOfFact(ctx, db.RejectionOfFactParams{GroupID: t.GroupID, FactID: id}),
		t.Queries.RejectionsTold(ctx, db.RejectionsToldParams{GroupID: t.GroupID, FactIds: []uuid.UUID{id}}),
		t.Queries.ThreadsOfFactsForget(ctx, db.ThreadsOfFactsForgetParams{GroupID: t.GroupID, FactIds: []uuid.UUID{id}}),
		t.TakeOut(ctx, fact), divideBack(ctx, t, free), t.Queries.WithdrawnUnsay(ctx, t.GroupID))
}

// Rejection is a fact that was withdrawn by hand or retracted by an episode.
type Rejection struct {
	ID         uuid.UUID       `json:"id" format:"uuid"`
	FactID     uuid.UUID       `json:"fact_id" format:"uuid" doc:"The id that the fact had"`
	Fact       string          `json:"fact" doc:"The sentence, as it was written"`
	Told       string          `json:"told" doc:"The sentence for a reader of any later day, with dates in the place of words such as last week"`
	Predicate  string          `json:"predicate"`
	EpisodeID  uuid.UUID       `json:"episode_id,omitzero" format:"uuid" doc:"The episode that took it back; left out: it was withdrawn by hand"`
	RejectedAt time.Time       `json:"rejected_at"`
	Door       string          `json:"door" doc:"The way it was rejected: cli, rest, mcp, …"`
	WrittenBy  string          `json:"written_by,omitempty" doc:"The key or role that rejected it"`
	Authority  graph.Authority `json:"authority" enum:"assistant,document,user,person" doc:"With whose word"`
	LiftedAt   time.Time       `json:"lifted_at,omitzero" doc:"When it was readmitted; left out: it stays rejected"`
	LiftedBy   string          `json:"lifted_by,omitempty"`
}

func rejectionOf(row db.RejectionListRow) Rejection {
	return Rejection{
		ID: row.ID, FactID: row.FactID, Fact: row.Fact, Told: row.Told, Predicate: row.Predicate, EpisodeID: change.Value(row.EpisodeID),
		RejectedAt: row.RejectedAt.UTC(), Door: row.Door, WrittenBy: row.WrittenBy, Authority: row.Authority,
		LiftedAt: change.Value(row.LiftedAt).UTC(), LiftedBy: row.LiftedBy,
	}
}

// RejectionFilter chooses rejections.
type RejectionFilter struct {
	GroupID string
	ID      uuid.UUID  // only this rejection, or those of the fact with this id
	Lifted  bool       // include readmitted ones
	After   *Rejection // the last rejection of the page before
	Limit   int
}

// Rejections lists rejected facts, the latest first.
func (e *Editor) Rejections(ctx context.Context, f RejectionFilter) ([]Rejection, error) {
	return rejections(ctx, db.New(e.Pool), f)
}

func rejections(ctx context.Context, q *db.Queries, f RejectionFilter) ([]Rejection, error) {
	params := db.RejectionListParams{GroupID: f.GroupID, Lifted: f.Lifted, ID: db.Nullable(f.ID), MaxRows: int32(f.Limit)}
	if f.After != nil {
		params.BeforeAt, params.BeforeID = &f.After.RejectedAt, &f.After.ID
	}
	rows, err := q.RejectionList(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("list what was rejected in %s: %w", f.GroupID, err)
	}
	return each.Of(rows, rejectionOf), nil
}

const maxLifted = 100

// RestoreFact lifts the rejection of a fact, on record, and restores the fact as it was. The id is
// that of the fact or of the rejection. It returns the fact, or the zero fact if nothing of it is
// left. A lower authority cannot lift a rejection by a higher one.
func (e *Editor) RestoreFact(ctx context.Context, groupID string, id uuid.UUID) (graph.Fact, error) {
	var back bool
	var factID uuid.UUID
	err := e.ByHand(ctx, groupID, "restore", func(t *change.Tx) error {
		standing, err := rejections(ctx, t.Queries, RejectionFilter{GroupID: groupID, ID: id, Limit: maxLifted})
		if err != nil {
			return err
		}
		if err := lift(ctx, t, standing); err != nil {
			return err
		}
		factID = standing[0].FactID
		if back, err = bringBack(ctx, t, factID); err != nil || !back {
			return err
		}
		if err := Settle(ctx, t, []uuid.UUID{factID}); err != nil { // a fact that disputed it may no longer do so
			return err
		}
		met, err := t.Queries.FactsMet(ctx, db.FactsMetParams{GroupID: groupID, ID: factID})
		if err != nil || len(met) == 0 {
			return err
		}
		return settleOne(ctx, t, factID, met)
	})
	if err != nil || !back {
		return graph.Fact{}, change.Failed(err, "restore the fact")
	}
	return e.In(db.New(e.Pool), groupID).Fact(ctx, factID)
}

func lift(ctx context.Context, t *change.Tx, standing []Rejection) error {
	if len(standing) == 0 {
		return change.NotFound("fact", "group %s has no such fact that stands rejected; 'annals facts rejected' lists them", t.GroupID)
	}
	origin := graph.OriginOf(ctx)
	for _, r := range standing {
		if origin.Cap.Below(r.Authority) {
			return change.Forbidden("fact", "it was %s, and cannot be readmitted with the authority of %s",
				change.RejectedBy(r.Authority, r.RejectedAt, r.WrittenBy, r.Door), origin.Cap)
		}
	}
	return t.Queries.RejectionsLift(ctx, db.RejectionsLiftParams{
		GroupID: t.GroupID, Ids: each.Of(standing, func(r Rejection) uuid.UUID { return r.ID }),
		LiftedBy: strings.TrimSpace(origin.Door + " " + origin.Key),
	})
}
