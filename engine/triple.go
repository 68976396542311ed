package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// AddedTriple says where a triple went.
type AddedTriple struct {
	EpisodeID uuid.UUID // of the episode that was made of it, which the fact cites
	SourceID  uuid.UUID
	TargetID  uuid.UUID
	FactID    uuid.UUID // of the known fact where Repeated
	Repeated  bool      // the graph had the fact already
}

// AddTriple takes one fact into the graph: both its ends are resolved against
// the known entities and the fact against the known facts, as those of an
// episode are. Its sentence is kept as an episode, in the same transaction. It
// waits for a process that is working on the group. An external id that the
// group already has changes nothing.
func (e *Engine) AddTriple(ctx context.Context, t graph.Triple) (AddedTriple, error) {
	if err := t.Validate(); err != nil {
		return AddedTriple{}, err
	}
	if err := db.InTx(ctx, e.pool, func(q *db.Queries) error { return EnsureGroup(ctx, q, t.GroupID) }); err != nil {
		return AddedTriple{}, err
	}
	d, err := draftOf(&t)
	if err != nil {
		return AddedTriple{}, err
	}
	d.episodes[0].Authority = graph.OriginOf(ctx).Cap
	ctx = model.WithSubject(ctx, model.Subject{GroupID: t.GroupID, EpisodeID: d.episodes[0].ID})
	var added AddedTriple
	err = e.lockGroup(ctx, t.GroupID, Portion{}, func(func() error) error {
		var known bool
		if added, known, err = e.addedBefore(ctx, t); known || err != nil {
			return err
		}
		if err := e.addDraft(ctx, d, t); err != nil {
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
	}, true, nil
}

func (e *Engine) addDraft(ctx context.Context, d *draft, t graph.Triple) error {
	var err error
	if d.ontology, err = e.Ontology(ctx, d.groupID); err != nil {
		return err
	}
	if err := d.typeEnds(); err != nil {
		return err
	}
	if err := e.dateTriple(ctx, d, t); err != nil {
		return err
	}
	err = e.take(ctx, d, step{stepEmbedNames, e.embedNames}, step{stepEmbedFacts, e.embedFacts}, step{"", e.settle})
	if err != nil {
		return err
	}
	return db.RefreshStatistics(ctx, e.pool, d.groupID)
}

// typeEnds writes the types of both ends as the group's ontology does.
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

// draftOf makes the draft that reading the triple's sentence would have given.
func draftOf(t *graph.Triple) (*draft, error) {
	if t.OccurredAt.IsZero() {
		t.OccurredAt = time.Now().UTC()
	}
	for _, at := range []*time.Time{&t.OccurredAt, &t.ValidAt, &t.InvalidAt} {
		*at = at.UTC().Truncate(time.Microsecond) // as the database keeps it
	}
	predicate := strings.Trim(notPredicate().ReplaceAllString(strings.ToUpper(t.Predicate), "_"), "_")
	source, sourceOK := cleanText(t.Source.Name, graph.MaxName)
	target, targetOK := cleanText(t.Target.Name, graph.MaxName)
	switch {
	case predicate == "":
		return nil, graph.Invalid("predicate", "%q holds no letter", t.Predicate)
	case !sourceOK || !targetOK:
		return nil, graph.Invalid("source and target", "must both be names")
	case strings.EqualFold(source, target):
		return nil, graph.Invalid("target", "is %q like the source: a fact holds between two different entities", target)
	}
	sentence, ok := cleanText(t.Fact, maxFactBytes)
	if !ok {
		sentence = graph.SearchText(source, predicate) + " " + target + "."
	}
	episode := graph.Episode{
		GroupID: t.GroupID, ID: newID(), Source: graph.SourceText, Content: sentence, Name: "triple", OccurredAt: t.OccurredAt,
		ExternalID: t.ExternalID, Force: t.Force,
	}
	return &draft{
		groupID: t.GroupID, episodes: []graph.Episode{episode}, handed: true,
		input: prompts.Episode{Source: string(episode.Source), Content: sentence, OccurredAt: t.OccurredAt},
		names: []extractedName{
			{Name: source, Label: t.Source.Label, Attributes: t.Source.Attributes, episodes: []int{0}},
			{Name: target, Label: t.Target.Label, Attributes: t.Target.Attributes, episodes: []int{0}},
		},
		statements: []statement{{source: 0, target: 1, predicate: predicate, fact: sentence, attributes: t.Attributes, id: newID()}},
	}, nil
}

// dateTriple takes the times that were given, or asks for those the sentence names.
func (e *Engine) dateTriple(ctx context.Context, d *draft, t graph.Triple) error {
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
	answer, err := e.analyst.ExtractDates(ctx, prompts.ExtractDates{Fact: s.fact, OccurredAt: ref})
	if err != nil {
		return analysed(ctx, stepExtractDates, err)
	}
	for _, problem := range s.date(prompts.ExtractedFact{ValidAt: answer.ValidAt, InvalidAt: answer.InvalidAt}) {
		d.mend(stepExtractDates, s.fact, problem, []int{0})
	}
	return nil
}

// added says where the draft's only fact is.
func (d *draft) added() AddedTriple {
	added := AddedTriple{EpisodeID: d.episodes[0].ID, SourceID: d.nodes[0].ID, TargetID: d.nodes[1].ID}
	for _, f := range d.facts {
		added.FactID = f.id
		if f.duplicateOf != nil {
			added.FactID, added.Repeated = f.duplicateOf.ID, true
		}
	}
	return added
}
