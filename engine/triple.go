package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// AddedTriple holds the ids under which a triple was stored.
type AddedTriple struct {
	EpisodeID uuid.UUID `json:"episode_id" format:"uuid"` // of the episode made of the triple, which the fact cites
	SourceID  uuid.UUID `json:"source_id" format:"uuid"`
	TargetID  uuid.UUID `json:"target_id" format:"uuid"`
	FactID    uuid.UUID `json:"fact_id" format:"uuid"` // of the known fact if Repeated
	Repeated  bool      `json:"repeated" doc:"The graph had the fact already"`

	FactIDs []uuid.UUID `json:"-"` // of the facts of all pairs, in their order
}

// AddTriple adds one fact to the graph. Its ends and the fact itself are resolved like those of an
// episode, and its sentence becomes an episode in the same transaction. It waits while another
// process works on the group. A known external id changes nothing.
func (e *Engine) AddTriple(ctx context.Context, t graph.Triple) (AddedTriple, error) {
	if err := t.Validate(); err != nil {
		return AddedTriple{}, err
	}
	if err := db.InTx(ctx, e.pool, func(q *db.Queries) error { return intake.EnsureGroup(ctx, q, t.GroupID) }); err != nil {
		return AddedTriple{}, err
	}
	for _, at := range []*time.Time{&t.OccurredAt, &t.ValidAt, &t.InvalidAt} {
		if day := at.Truncate(24 * time.Hour).Equal(*at); day && at != &t.OccurredAt {
			continue // a date is a day of the calendar in any zone
		}
		if err := intake.OnClocks(ctx, db.New(e.pool), t.GroupID, at); err != nil {
			return AddedTriple{}, err
		}
	}
	t.More = slices.Clone(t.More) // do not change the caller's slice
	if err := e.walk.nameEnds(ctx, &t); err != nil {
		return AddedTriple{}, err
	}
	d, err := draftOf(&t)
	if err != nil {
		return AddedTriple{}, err
	}
	d.episodes[0].Authority = graph.OriginOf(ctx).Cap
	ctx = model.WithSubject(ctx, model.Subject{GroupID: t.GroupID, EpisodeID: d.episodes[0].ID})
	var added AddedTriple
	err = e.locks.Hold(ctx, t.GroupID, func() error {
		var known bool
		if added, known, err = e.addedBefore(ctx, t); known || err != nil {
			return err
		}
		if err := e.walk.addDraft(ctx, d, t); err != nil {
			return err
		}
		added = d.added()
		return nil
	})
	if err != nil {
		return AddedTriple{}, err
	}
	return added, nil
}

// addedBefore finds a triple by its external id.
func (e *Engine) addedBefore(ctx context.Context, t graph.Triple) (AddedTriple, bool, error) {
	if t.ExternalID == "" {
		return AddedTriple{}, false, nil
	}
	row, err := db.New(e.pool).FactByExternalID(ctx, db.FactByExternalIDParams{GroupID: t.GroupID, ExternalID: t.ExternalID})
	if errors.Is(err, pgx.ErrNoRows) {
		return AddedTriple{}, false, nil
	}
	if err != nil {
		return AddedTriple{}, false, fmt.Errorf("look for the triple %q: %w", t.ExternalID, err)
	}
	return AddedTriple{
		EpisodeID: row.EpisodeID, SourceID: row.SourceID, TargetID: row.TargetID, FactID: row.FactID, Repeated: true,
		FactIDs: []uuid.UUID{row.FactID},
	}, true, nil
}

// nameEnds fills in the names of ends that are given by id.
func (w *walk) nameEnds(ctx context.Context, t *graph.Triple) error {
	ends := t.Ends()
	var ids []uuid.UUID
	for _, end := range ends {
		if end.ID != uuid.Nil {
			ids = append(ids, end.ID)
		}
	}
	known, err := w.loadNodes(ctx, t.GroupID, ids)
	if err != nil {
		return err
	}
	for _, end := range ends {
		if end.ID == uuid.Nil {
			continue
		}
		if known[end.ID] == nil {
			return change.NoEntity(t.GroupID, end.ID)
		}
		end.Name = known[end.ID].Name
	}
	return nil
}

func (w *walk) addDraft(ctx context.Context, d *draft, t graph.Triple) error {
	if err := w.settings(ctx, d); err != nil {
		return err
	}
	if err := d.typeEnds(); err != nil {
		return err
	}
	if err := w.dateTriple(ctx, d, t); err != nil {
		return err
	}
	err := w.take(ctx, d, step{stepEmbedNames, w.embedNames}, step{stepEmbedFacts, w.embedFacts}, step{"", w.settle})
	if err != nil {
		return err
	}
	return db.RefreshStatistics(ctx, w.Pool, d.groupID)
}

// typeEnds spells the types of the ends as the ontology does.
func (d *draft) typeEnds() error {
	for i := range d.names {
		n := &d.names[i]
		if d.ontology.Excludes(n.Label) {
			return graph.Invalid("label", "%q is a type that this group does not want", n.Label)
		}
		if n.Label != "" {
			n.Label = d.typeOf(n.Label)
			n.plain = n.Label == ""
		}
	}
	return nil
}

// draftOf makes the draft that reading the sentence would give.
func draftOf(t *graph.Triple) (*draft, error) {
	if t.OccurredAt.IsZero() {
		t.OccurredAt = time.Now().UTC()
	}
	for _, at := range []*time.Time{&t.OccurredAt, &t.ValidAt, &t.InvalidAt} {
		*at = at.UTC().Truncate(time.Microsecond) // the precision of the database
	}
	statementID := t.StatementID
	if statementID == uuid.Nil {
		statementID = change.NewID()
	}
	d := &draft{groupID: t.GroupID, handed: true}
	for _, p := range t.Pairs() {
		if err := d.addPair(p, statementID); err != nil {
			return nil, err
		}
	}
	sentence, ok := wording.Sentence(t.Fact, wording.MaxFact)
	if !ok {
		sentence = graph.SearchText(d.names[0].Name, d.statements[0].predicate) + " " + d.names[1].Name + "."
	}
	for i := range d.statements {
		d.statements[i].fact, d.statements[i].attributes = sentence, t.Attributes
	}
	episode := graph.Episode{
		GroupID: t.GroupID, ID: change.NewID(), Source: graph.SourceText, Content: sentence, Name: "triple", OccurredAt: t.OccurredAt,
		ExternalID: t.ExternalID, Force: t.Force,
	}
	d.episodes = []graph.Episode{episode}
	d.input = prompts.Episode{Source: string(episode.Source), Content: sentence, OccurredAt: t.OccurredAt}
	return d, nil
}

func (d *draft) addPair(p graph.TriplePair, statementID uuid.UUID) error {
	predicate := wording.Predicate(p.Predicate)
	source, sourceOK := d.addEnd(p.Source)
	target, targetOK := d.addEnd(p.Target)
	switch {
	case predicate == "":
		return graph.Invalid("predicate", "%q holds no letter and no digit", p.Predicate)
	case !sourceOK || !targetOK:
		return graph.Invalid("source and target", "must both be names")
	case source == target:
		return graph.Invalid("target", "is %q like the source: a fact holds between two different entities", d.names[target].Name)
	}
	d.statements = append(d.statements, statement{source: source, target: target, predicate: predicate, id: statementID})
	return nil
}

// addEnd adds the name of an end, unless it is there, and returns its place among the names.
func (d *draft) addEnd(end graph.TripleEnd) (place int, ok bool) {
	name, ok := wording.CleanText(end.Name, graph.MaxName)
	place = slices.IndexFunc(d.names, func(n extractedName) bool { return n.id == end.ID && strings.EqualFold(n.Name, name) })
	if place >= 0 {
		return place, ok
	}
	d.names = append(d.names, extractedName{id: end.ID, Name: name, Label: end.Label, Attributes: end.Attributes, episodes: []int{0}})
	return len(d.names) - 1, ok
}

// dateTriple gives all pairs of a triple the same times.
func (w *walk) dateTriple(ctx context.Context, d *draft, t graph.Triple) error {
	if err := w.dateStatement(ctx, d, t); err != nil {
		return err
	}
	first := d.statements[0]
	for i := range d.statements {
		s := &d.statements[i]
		s.claimed, s.said, s.kind, s.ends = first.claimed, first.said, first.kind, first.ends
	}
	return nil
}

// dateStatement uses the given times, or asks the analyst for those in the sentence.
func (w *walk) dateStatement(ctx context.Context, d *draft, t graph.Triple) error {
	s := &d.statements[0]
	ref := d.episodes[0].OccurredAt
	s.said, s.kind = ref, graph.FactState
	if !t.ValidAt.IsZero() || !t.InvalidAt.IsZero() {
		s.claimed = temporal.Validity{
			Interval: temporal.Interval{Start: t.ValidAt.UTC(), End: t.InvalidAt.UTC()},
			From:     temporal.StatedAt(t.ValidAt), Until: temporal.StatedAt(t.InvalidAt),
		}
		if t.ValidAt.IsZero() && ref.Before(t.InvalidAt) {
			since := temporal.SaidSince(ref)
			s.claimed.Start, s.claimed.From = since.Start, since.From
		}
		return nil
	}
	answer, err := w.analyst.ExtractDates(ctx, prompts.ExtractDates{Fact: s.fact, OccurredAt: ref})
	if err != nil {
		return analyst.Failed(ctx, stepExtractDates, err)
	}
	for _, problem := range s.date(prompts.ExtractedFact{ValidAt: answer.ValidAt, InvalidAt: answer.InvalidAt}) {
		d.mend(stepExtractDates, s.fact, problem, []int{0})
	}
	return nil
}

func (d *draft) added() AddedTriple {
	added := AddedTriple{EpisodeID: d.episodes[0].ID, SourceID: d.nodes[0].ID, TargetID: d.nodes[1].ID}
	for i, f := range d.facts {
		id := f.id
		if f.duplicateOf != nil {
			id = f.duplicateOf.ID
		}
		if i == 0 {
			added.FactID, added.Repeated = id, f.duplicateOf != nil
		}
		added.FactIDs = append(added.FactIDs, id)
	}
	return added
}
