package edit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// reviewKinds are the kinds of facts that wait for a decision, in the order of their listing.
var reviewKinds = []string{"candidate", "disputed", "low_trust", "second_hand"}

// ReviewFilter chooses facts that wait for a decision, or the changes of an origin.
type ReviewFilter struct {
	GroupID string
	Kind    string // of waiting facts: candidate, disputed, low_trust or second_hand; empty: all
	Brought
	Relation string    // only facts of this predicate
	After    *Reviewed // the last fact of the page before
	Limit    int
}

// Reviewed is a fact under review.
type Reviewed struct {
	Kind    string          // why it waits, or the change to it: added, ended, changed, withdrawn
	Before  *graph.Fact     // the fact before the change, or before it was withdrawn; nil: it waits, or did not exist
	Fact    *graph.Fact     // the fact as it is, or after the change; nil: withdrawn
	Against []graph.Fact    // facts that dispute it
	Ends    []Ending        // what the caller's approval would end
	Said    []graph.Episode // the episodes that state or ended it, at most 20
	Version string          // for [Decision].Versions; empty: withdrawn
}

// ID returns the id of the fact.
func (r Reviewed) ID() uuid.UUID {
	if r.Fact != nil {
		return r.Fact.ID
	}
	return r.Before.ID
}

// ReviewedJSON is a fact under review in JSON.
type ReviewedJSON struct {
	Kind    string              `json:"kind" enum:"candidate,disputed,low_trust,second_hand,added,ended,changed,withdrawn" doc:"Why it waits, or what was done to it"`
	Before  *graph.FactJSON     `json:"before,omitempty" doc:"As it was before what was done, or was said by the same before it was withdrawn; left out: it waits, or was not believed"`
	Fact    *graph.FactJSON     `json:"fact,omitempty" doc:"As it is, or was after that; left out: it was withdrawn"`
	Against []graph.FactJSON    `json:"against" doc:"What disputes it"`
	Ends    []EndingJSON        `json:"ends" doc:"What approving it would end, with the authority of who asks"`
	ETag    string              `json:"etag,omitempty" doc:"If-Match of a decision takes it, with those of the other facts: 412 where one of them was changed or decided in the meantime"`
	Said    []graph.EpisodeJSON `json:"said" doc:"The messages that state or ended it, at most 20: their words, who said them, and how they came in"`
}

// JSON returns the fact under review in JSON.
func (r Reviewed) JSON() ReviewedJSON {
	out := ReviewedJSON{Kind: r.Kind, ETag: r.Version, Against: each.Of(r.Against, graph.Fact.JSON), Ends: each.Of(r.Ends, Ending.JSON), Said: each.Of(r.Said, graph.Episode.JSON)}
	if r.Before != nil {
		out.Before = new(r.Before.JSON())
	}
	if r.Fact != nil {
		out.Fact = new(r.Fact.JSON())
	}
	return out
}

// maxSaid bounds the episodes shown with a fact under review.
const maxSaid = 20

// Review lists the facts that wait for a decision: candidates, disputed facts, facts that only
// assistants and documents state, and hearsay.
func (e *Editor) Review(ctx context.Context, f ReviewFilter) ([]Reviewed, error) {
	if f.Kind != "" && !slices.Contains(reviewKinds, f.Kind) {
		return nil, graph.Invalid("kind", "%q is not one of candidate, disputed, low_trust, second_hand", f.Kind)
	}
	p := db.ReviewListParams{
		GroupID: f.GroupID, Kind: f.Kind, Relation: db.Nullable(wording.Predicate(f.Relation)), Brought: !f.Brought.IsZero(), MaxRows: int32(f.Limit),
		EpisodeIds: []uuid.UUID{}, FactIds: []uuid.UUID{},
	}
	if f.After != nil {
		p.AfterPlace, p.After = int32(slices.Index(reviewKinds, f.After.Kind)+1), f.After.ID()
	}
	if p.Brought {
		var err error
		if p.EpisodeIds, err = e.EpisodesBrought(ctx, f.GroupID, f.Brought); err != nil {
			return nil, err
		}
		byHand, err := e.changedByHand(ctx, f.GroupID, f.Brought)
		if err != nil {
			return nil, err
		}
		p.FactIds = slices.AppendSeq(p.FactIds, maps.Keys(byHand))
	}
	q := db.New(e.Pool)
	rows, err := q.ReviewList(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("list what waits in %s: %w", f.GroupID, err)
	}
	facts, err := factsBy(ctx, q, f.GroupID, each.Of(rows, func(r db.ReviewListRow) uuid.UUID { return r.ID }))
	if err != nil {
		return nil, err
	}
	var waiting []Reviewed
	for _, row := range rows {
		if fact := facts[row.ID]; fact != nil { // it may have gone meanwhile
			waiting = append(waiting, Reviewed{Kind: row.Kind, Fact: fact})
		}
	}
	return waiting, e.tell(ctx, q, f.GroupID, waiting, func(r Reviewed) []uuid.UUID { return r.Fact.Episodes })
}

// tell adds to facts under review their episodes, their versions, the facts that dispute them, and
// what an approval would end.
func (e *Editor) tell(ctx context.Context, q *db.Queries, groupID string, list []Reviewed, episodesOf func(Reviewed) []uuid.UUID) error {
	var said, against []uuid.UUID
	few := func(r Reviewed) []uuid.UUID {
		ids := episodesOf(r)
		return ids[:min(len(ids), maxSaid)]
	}
	for _, r := range list {
		said = append(said, few(r)...)
		if r.Fact != nil {
			against = append(against, r.Fact.DisputedBy...)
		}
	}
	slices.SortFunc(said, change.CompareIDs)
	rows, err := q.EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: groupID, Ids: slices.Compact(said)})
	if err != nil {
		return fmt.Errorf("read who said what is reviewed: %w", err)
	}
	episodes := each.Map(rows, func(row db.EpisodeRow) (uuid.UUID, graph.Episode) { return row.ID, db.Episode(row) })
	others, err := factsBy(ctx, q, groupID, against)
	if err != nil {
		return err
	}
	versions, err := versionsOf(ctx, q, groupID, each.Of(list, Reviewed.ID))
	if err != nil {
		return err
	}
	settled, err := settledBy(ctx, q, groupID, list)
	if err != nil {
		return err
	}
	for i, r := range list {
		list[i].Version = versions[r.ID()]
		for _, id := range few(r) {
			if episode, there := episodes[id]; there {
				list[i].Said = append(list[i].Said, episode)
			}
		}
		if r.Fact == nil {
			continue
		}
		for _, id := range r.Fact.DisputedBy {
			if other := others[id]; other != nil {
				list[i].Against = append(list[i].Against, *other)
			}
		}
		ends, _ := divideAll(*r.Fact, slices.DeleteFunc(slices.Clone(list[i].Against), func(k graph.Fact) bool {
			return k.Trust == graph.TrustCandidate || !slices.Contains(settled[r.Fact.ID], k.ID)
		}), map[uuid.UUID]time.Time{r.Fact.ID: time.Now()})
		list[i].Ends = slices.DeleteFunc(ends, func(e Ending) bool { return e.Before.ID == r.Fact.ID })
	}
	return nil
}

// settledBy returns, for waiting facts, the disputing facts that would give way if the caller
// approved them. It returns none if the caller may not decide about trust.
func settledBy(ctx context.Context, q *db.Queries, groupID string, list []Reviewed) (map[uuid.UUID][]uuid.UUID, error) {
	if mayTrust(ctx) != nil {
		return nil, nil
	}
	ids := each.Of(each.Where(list, func(r Reviewed) bool { return slices.Contains(reviewKinds, r.Kind) }), Reviewed.ID)
	rows, err := q.DisputesSettledBy(ctx, db.DisputesSettledByParams{GroupID: groupID, Ids: ids, Authority: graph.OriginOf(ctx).Cap})
	if err != nil {
		return nil, fmt.Errorf("find what approving would end: %w", err)
	}
	return each.Groups(rows, func(row db.DisputesSettledByRow) (uuid.UUID, uuid.UUID) { return row.FactID, row.DisputedBy }), nil
}

// versionsOf returns the versions of facts for a decision: a hash of each fact as it is written and
// disputed, and after the last decision. Versions differ between facts.
func versionsOf(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID) (map[uuid.UUID]string, error) {
	rows, err := q.ReviewStates(ctx, db.ReviewStatesParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return nil, fmt.Errorf("read in which version facts are: %w", err)
	}
	return each.Map(rows, func(row db.ReviewStatesRow) (uuid.UUID, string) {
		hash := sha256.Sum256([]byte(row.State))
		return row.ID, strconv.Quote(hex.EncodeToString(hash[:8]))
	}), nil
}

// inVersions returns a conflict unless each fact is in one of the versions. Without versions it
// checks nothing.
func inVersions(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID, versions []string) error {
	if len(versions) == 0 {
		return nil
	}
	now, err := versionsOf(ctx, q, groupID, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !slices.Contains(versions, now[id]) {
			return change.Meanwhile("fact " + id.String())
		}
	}
	return nil
}

func factsBy(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID) (map[uuid.UUID]*graph.Fact, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := q.FactsByIDs(ctx, db.FactsByIDsParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return nil, fmt.Errorf("read what is reviewed: %w", err)
	}
	return each.Map(rows, func(row db.FactRow) (uuid.UUID, *graph.Fact) { return row.ID, new(db.Fact(row)) }), nil
}
