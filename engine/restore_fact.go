package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Rejection is a fact that was withdrawn by hand or taken back by an episode.
type Rejection struct {
	ID         uuid.UUID
	FactID     uuid.UUID
	Fact       string // as it was written
	Told       string // as a reader of a later day is told
	Predicate  string
	EpisodeID  uuid.UUID // that took it back; zero: it was withdrawn by hand
	RejectedAt time.Time
	Door       string // by which it was rejected
	WrittenBy  string
	Authority  graph.Authority
	LiftedAt   time.Time // when it was readmitted; zero: it stays rejected
	LiftedBy   string
}

// RejectionFilter chooses rejections.
type RejectionFilter struct {
	GroupID string
	ID      uuid.UUID  // only this one, or those of the fact with this id
	Lifted  bool       // also those that were readmitted
	After   *Rejection // what a page before ended with
	Limit   int
}

// Rejections lists what was rejected, the latest first.
func (e *Engine) Rejections(ctx context.Context, f RejectionFilter) ([]Rejection, error) {
	return rejections(ctx, db.New(e.pool), f)
}

func rejections(ctx context.Context, q *db.Queries, f RejectionFilter) ([]Rejection, error) {
	params := db.RejectionListParams{
		GroupID: f.GroupID, Lifted: f.Lifted, ID: db.Nullable(f.ID), MaxRows: int32(f.Limit),
	}
	if f.After != nil {
		params.BeforeAt, params.BeforeID = &f.After.RejectedAt, &f.After.ID
	}
	rows, err := q.RejectionList(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("list what was rejected in %s: %w", f.GroupID, err)
	}
	list := make([]Rejection, len(rows))
	for i, row := range rows {
		list[i] = Rejection{
			ID: row.ID, FactID: row.FactID, Fact: row.Fact, Told: row.Told, Predicate: row.Predicate, RejectedAt: row.RejectedAt.UTC(), Door: row.Door,
			WrittenBy: row.WrittenBy, Authority: row.Authority, LiftedBy: row.LiftedBy,
		}
		if row.EpisodeID != nil {
			list[i].EpisodeID = *row.EpisodeID
		}
		if row.LiftedAt != nil {
			list[i].LiftedAt = row.LiftedAt.UTC()
		}
	}
	return list, nil
}

// The most rejections of one fact that are lifted at once.
const maxLifted = 100

// RestoreFact readmits a fact that was rejected, on record, and brings it back as
// it was then. The id is that of the fact or of the rejection. It returns the
// fact, which is zero where nothing of it is left to bring back. A lower
// authority cannot readmit what a higher one rejected.
func (e *Engine) RestoreFact(ctx context.Context, groupID string, id uuid.UUID) (graph.Fact, error) {
	origin := graph.OriginOf(ctx)
	var back []db.FactBringBackRow
	err := e.edit(ctx, groupID, "restore", func(q *db.Queries) error {
		standing, err := rejections(ctx, q, RejectionFilter{GroupID: groupID, ID: id, Limit: maxLifted})
		if err != nil {
			return err
		}
		if len(standing) == 0 {
			return &graph.Error{
				Code: graph.CodeNotFound, Field: "fact",
				Message: fmt.Sprintf("group %s has no such fact that stands rejected; 'annals facts rejected' lists them", groupID),
			}
		}
		ids := make([]uuid.UUID, len(standing))
		for i, r := range standing {
			if origin.Cap.Below(r.Authority) {
				return &graph.Error{
					Code: graph.CodeForbidden, Field: "fact",
					Message: fmt.Sprintf("it was %s, and cannot be readmitted with the authority of %s",
						rejectedBy(r.Authority, r.RejectedAt, r.WrittenBy, r.Door), origin.Cap),
				}
			}
			ids[i] = r.ID
		}
		lift := db.RejectionsLiftParams{GroupID: groupID, Ids: ids, LiftedBy: strings.TrimSpace(origin.Door + " " + origin.Key)}
		if err := q.RejectionsLift(ctx, lift); err != nil {
			return err
		}
		back, err = e.bringBack(ctx, q, groupID, standing[0].FactID)
		return err
	})
	if err != nil {
		return graph.Fact{}, wrapEdit(err, "restore the fact")
	}
	if len(back) == 0 {
		return graph.Fact{}, nil
	}
	return currentFact(ctx, db.New(e.pool), groupID, back[0].ID)
}

// bringBack brings a fact back as it was, with the entities that went with it,
// what states it, vectors and the ends that it gave to others.
func (e *Engine) bringBack(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID) ([]db.FactBringBackRow, error) {
	gone, err := q.EntitiesBringBack(ctx, db.EntitiesBringBackParams{GroupID: groupID, ID: id})
	if err != nil {
		return nil, err
	}
	back, err := q.FactBringBack(ctx, db.FactBringBackParams{GroupID: groupID, ID: id})
	if err != nil || len(back) == 0 {
		return nil, err
	}
	var v vectors
	v.fact(id, back[0].Fact, back[0].Predicate)
	ends, err := lockNodes(ctx, q, groupID, back[0].SourceID, back[0].TargetID)
	if err != nil {
		return nil, err
	}
	for _, end := range ends {
		if slices.Contains(gone, end.ID) {
			v.entity(end.ID, end.Name)
		}
		end.Summary = latestWords(join(withoutSentence(end.Summary, back[0].Told), []string{back[0].Told}), overlongSummary)
		if err := e.writeNode(ctx, q, end); err != nil {
			return nil, err
		}
	}
	return back, errors.Join(
		q.FactsBoundAgain(ctx, db.FactsBoundAgainParams{GroupID: groupID, ID: id}),
		q.CitationsRestore(ctx, db.CitationsRestoreParams{GroupID: groupID, Ids: []uuid.UUID{id}, ExceptIds: []uuid.UUID{}}),
		v.write(ctx, e, q, groupID),
		outdateCommunities(ctx, q, groupID, back[0].SourceID, back[0].TargetID))
}
