package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
)

// claim is a new fact as the database is asked whether it was rejected; see
// annals.refusals.
type claim struct {
	Place      int             `json:"place"`
	SourceID   uuid.UUID       `json:"source_id"`
	TargetID   uuid.UUID       `json:"target_id"`
	Sources    []string        `json:"sources"`
	Targets    []string        `json:"targets"`
	Predicate  string          `json:"predicate"`
	Fact       string          `json:"fact"`
	Kind       graph.FactKind  `json:"kind"`
	ValidFrom  *time.Time      `json:"valid_from"`
	ValidUntil *time.Time      `json:"valid_until"`
	Stated     bool            `json:"stated"`
	SaidAt     time.Time       `json:"said_at"`
	Authority  graph.Authority `json:"authority"`
	Episode    int             `json:"episode"` // its place among the contents, from 1
}

// refuse drops what was withdrawn by hand, and what was taken back later than it
// was said. The episode that says it again stays as it is and tells of it in its
// trace. A triple is refused with an error.
func (w *walk) refuse(ctx context.Context, d *draft) error {
	rows, err := refusalsOf(ctx, db.New(w.store), d, d.facts)
	if err != nil {
		return fmt.Errorf("look for what was withdrawn: %w", err)
	}
	refused, judged := map[*newFact]bool{}, map[*newFact]bool{}
	for _, row := range rows {
		f := d.facts[row.Place]
		if !row.Same {
			d.near(f, row)
			continue
		}
		if judged[f] { // the first of them decides
			continue
		}
		if row.Refused && d.handed {
			return withdrawn(row)
		}
		judged[f], refused[f] = true, row.Refused
		decision, reason := decidedRefused, "it was "+change.RejectedBy(row.Authority, row.RejectedAt, row.WrittenBy, row.Door)
		if !row.Refused {
			decision, reason = decidedReadmitted, reason+", and is said of another time or later"
		}
		d.note(note{
			episodes: []int{f.episode}, step: stepResolveFacts, decision: decision, subject: f.fact, reason: reason, fact: row.FactID,
		})
	}
	d.facts = slices.DeleteFunc(d.facts, func(f *newFact) bool { return refused[f] })
	return nil
}

// refusalsOf asks which of some new facts run into a rejection.
func refusalsOf(ctx context.Context, q *db.Queries, d *draft, facts []*newFact) ([]db.RefusalsRow, error) {
	if len(facts) == 0 {
		return nil, nil
	}
	claims := make([]claim, len(facts))
	for i, f := range facts {
		claims[i] = claim{
			Place: i, SourceID: f.source.ID, TargetID: f.target.ID, Sources: append([]string{f.source.Name}, f.source.Aliases...),
			Targets: append([]string{f.target.Name}, f.target.Aliases...), Predicate: f.predicate, Fact: f.fact, Kind: f.kind,
			ValidFrom: db.Nullable(f.claimed.Start), ValidUntil: db.Nullable(f.claimed.End), Stated: f.claimed.From.Dated(),
			SaidAt: f.said, Authority: d.episodes[f.episode].Authority, Episode: f.episode + 1,
		}
	}
	text, err := json.Marshal(claims)
	if err != nil {
		return nil, err
	}
	said := make([]string, len(d.episodes))
	for i, episode := range d.episodes {
		said[i] = toldIn(episode)
	}
	return q.Refusals(ctx, db.RefusalsParams{GroupID: d.groupID, Claims: text, Told: said})
}

// checkNotWithdrawn makes sure that none of the new facts was withdrawn since
// that was asked, and none between their ends.
func checkNotWithdrawn(ctx context.Context, t *change.Tx, d *draft) error {
	added := d.news()
	rows, err := refusalsOf(ctx, t.Queries, d, added)
	if err != nil {
		return err
	}
	d.readmits = slices.ContainsFunc(rows, func(row db.RefusalsRow) bool { return row.Readmitted })
	for _, row := range rows {
		f := added[row.Place]
		asksAgain := !d.handed && !row.Same && row.Fact != "" && !f.nearTo(row)
		if row.Refused && (row.Same || asksAgain) {
			return errStale
		}
	}
	return nil
}

// liftRejections lifts, on record, what episodes had taken back and these say
// again later, with no less authority: it is believed again.
func liftRejections(ctx context.Context, t *change.Tx, d *draft) error {
	if !d.readmits && len(d.retracted) == 0 {
		return nil
	}
	added := d.news()
	rows, err := refusalsOf(ctx, t.Queries, d, added)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if f := added[row.Place]; row.Readmitted && !f.expired && !d.isHeld(f.episode) {
			err = errors.Join(err, t.RejectionsLift(ctx, db.RejectionsLiftParams{
				GroupID: d.groupID, Ids: []uuid.UUID{row.ID}, LiftedBy: "episode " + d.episodes[f.episode].ID.String(),
			}))
		}
	}
	return err
}

// withdrawn is the error for a fact that was rejected and is told again by hand.
func withdrawn(row db.RefusalsRow) error {
	return &graph.Error{
		Code: graph.CodeConflict, Field: "fact",
		Message: fmt.Sprintf("%q was %s; 'annals facts restore %s' readmits it", wording.Cut(row.Fact, 200),
			change.RejectedBy(row.Authority, row.RejectedAt, row.WrittenBy, row.Door), row.ID),
	}
}

// toldIn is who spoke in an episode, and what, as rejections keep its key.
func toldIn(e graph.Episode) string { return e.Actor + " " + e.Content }
