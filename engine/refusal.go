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
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/prompts"
)

// claim is a new fact to match with rejections; see annals_internal.matching_rejections.
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

// refuse drops facts that were withdrawn by hand, or retracted after they were said. For a triple it
// returns an error.
func (w *walk) refuse(ctx context.Context, d *draft) error {
	rows, err := refusalsOf(ctx, db.New(w.store), d, d.facts)
	if err != nil {
		return fmt.Errorf("look for what was withdrawn: %w", err)
	}
	refused, judged := map[*newFact]bool{}, map[*newFact]bool{}
	for _, row := range rows {
		f := d.facts[row.Place]
		if !row.Same {
			d.noteRejection(f, row)
			continue
		}
		if judged[f] { // the first row decides
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
		d.decide(f.episode, stepResolveFacts, decision, f.fact, row.FactID, reason)
	}
	d.facts = slices.DeleteFunc(d.facts, func(f *newFact) bool { return refused[f] })
	return nil
}

// refusalsOf finds which new facts match a rejection.
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
	return q.Refusals(ctx, db.RefusalsParams{GroupID: d.groupID, Claims: text, Told: each.Of(d.episodes, toldIn)})
}

// checkNotWithdrawn returns errStale if a new fact was rejected since refuse ran.
func checkNotWithdrawn(ctx context.Context, t *change.Tx, d *draft) error {
	added := d.newFacts()
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

// liftRejections lifts rejections that episodes made, if the draft states the fact again later with no
// less authority.
func liftRejections(ctx context.Context, t *change.Tx, d *draft) error {
	if !d.readmits && len(d.retracted) == 0 {
		return nil
	}
	added := d.newFacts()
	rows, err := refusalsOf(ctx, t.Queries, d, added)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if f := added[row.Place]; row.Readmitted && !f.expired && !d.withholds(f) {
			err = errors.Join(err, t.Queries.RejectionsLift(ctx, db.RejectionsLiftParams{
				GroupID: d.groupID, Ids: []uuid.UUID{row.ID}, LiftedBy: "episode " + d.episodes[f.episode].ID.String(),
			}))
		}
	}
	return err
}

// withdrawn is the error for a triple that was rejected.
func withdrawn(row db.RefusalsRow) error {
	return change.Conflict("fact", "%q was %s; 'annals facts restore %s' readmits it",
		wording.Cut(row.Fact, 200), change.RejectedBy(row.Authority, row.RejectedAt, row.WrittenBy, row.Door), row.ID)
}

// toldIn returns the text whose hash identifies an episode to rejections.
func toldIn(e graph.Episode) string { return e.Actor + " " + e.Content }

// noteRejection keeps a rejection between the ends of a new fact. The analyst is asked whether the fact
// says the same in other words, unless a person added it by hand.
func (d *draft) noteRejection(f *newFact, row db.RefusalsRow) {
	if d.handed && d.episodes[f.episode].Authority == graph.AuthorityPerson || row.Fact == "" {
		return
	}
	f.nearRejected = append(f.nearRejected, row)
}

// addRejected adds the rejections near new facts to the question. Their places come last.
func (c *comparison) addRejected() {
	for _, s := range c.fresh {
		for _, f := range s.facts {
			for _, row := range f.nearRejected {
				if !slices.ContainsFunc(c.rejected, func(o db.RefusalsRow) bool { return o.ID == row.ID }) {
					c.rejected = append(c.rejected, row)
				}
			}
		}
	}
}

func (c *comparison) rejectedPlace(i int) int { return len(c.known) + len(c.fresh) + i + 1 }

// rejectedNear lists the places of the rejections near a statement.
func (c *comparison) rejectedNear(s *newStatement) []int {
	var places []int
	for i, r := range c.rejected {
		if slices.ContainsFunc(s.facts, func(f *newFact) bool { return f.nearTo(r) }) {
			places = append(places, c.rejectedPlace(i))
		}
	}
	return places
}

func (f *newFact) nearTo(r db.RefusalsRow) bool {
	return slices.ContainsFunc(f.nearRejected, func(o db.RefusalsRow) bool { return o.ID == r.ID })
}

func (c *comparison) shownRejected() []prompts.RejectedFact {
	var shown []prompts.RejectedFact
	for i, r := range c.rejected {
		shown = append(shown, prompts.RejectedFact{ID: c.rejectedPlace(i), Fact: r.Fact})
	}
	return shown
}

// restates marks facts that say what was rejected in other words, and reports whether there are any.
func (c *comparison) restates(d *draft, s *newStatement, place int, reason string) bool {
	i := place - c.rejectedPlace(0)
	if i < 0 || i >= len(c.rejected) {
		return false
	}
	r, found := c.rejected[i], false
	for _, f := range s.facts {
		if f.duplicateOf != nil || f.restated != nil || !f.nearTo(r) {
			continue
		}
		f.restated, found = &r, true
		d.decide(f.episode, stepResolveFacts, decidedRefused, f.fact, r.FactID,
			fmt.Sprintf("it says in other words what was %s: %s (%s)", change.RejectedBy(r.Authority, r.RejectedAt, r.WrittenBy, r.Door), r.Fact, reason))
	}
	return found
}

// dropRestated drops marked facts, and what depends on them. For a triple it returns an error.
func (d *draft) dropRestated() error {
	gone := func(k *knownFact) bool { return k.sibling != nil && k.sibling.restated != nil }
	for _, f := range d.facts { // a repetition comes after its original
		if k := f.duplicateOf; k != nil && gone(k) {
			f.restated = k.sibling.restated
		}
		if f.restated != nil && d.handed {
			return withdrawn(*f.restated)
		}
		f.contradicts = slices.DeleteFunc(f.contradicts, gone)
	}
	d.facts = slices.DeleteFunc(d.facts, func(f *newFact) bool { return f.restated != nil })
	d.retracted = slices.DeleteFunc(d.retracted, func(r retraction) bool { return gone(r.fact) })
	return nil
}

func (s *newStatement) nearRejected() bool {
	return slices.ContainsFunc(s.facts, func(f *newFact) bool { return len(f.nearRejected) > 0 })
}
