package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// Bounds on the known facts that are shown before a message is read.
const (
	maxKnown      = 12 // facts
	maxKnownOf    = 6  // of each speaker or named entity
	maxKnownNames = 40 // names looked up from the text
)

// longBefore is the age from which previous messages are replaced by known facts.
const longBefore = 7 * 24 * time.Hour

// inform shows the analyst known facts about the speakers and named entities, in place of messages
// said long before.
func (w *walk) inform(ctx context.Context, d *draft, input *prompts.Episode) error {
	if _, ok := w.analyst.(analyst.Informed); !ok || d.episodes[0].Source != graph.SourceMessage {
		return nil
	}
	facts, err := w.knownOf(ctx, d)
	if err != nil || len(facts) == 0 {
		return err
	}
	if d.episodes[0].Previous == nil {
		input.Previous = slices.DeleteFunc(input.Previous, func(m prompts.Message) bool { return input.OccurredAt.Sub(m.OccurredAt) > longBefore })
	}
	for _, f := range facts {
		near := len(input.Previous) > 0 && !f.SaidAt.Before(input.Previous[0].OccurredAt)
		if !near && len(input.Known) < maxKnown {
			input.Known = append(input.Known, prompts.TimedFact{Fact: f.Fact, When: f.When(input.OccurredAt)})
		}
	}
	return nil
}

// knownOf returns the states and plans known when the first episode was said: those of the
// speakers, then those of named entities, the latest first.
func (w *walk) knownOf(ctx context.Context, d *draft) ([]graph.Fact, error) {
	at := d.episodes[0].OccurredAt
	rows, err := db.New(w.store).EntitiesByNames(ctx, db.EntitiesByNamesParams{GroupID: d.groupID, Names: namesIn(d.episodes)})
	if err != nil {
		return nil, fmt.Errorf("look up who speaks and is named: %w", err)
	}
	var ids []uuid.UUID
	for _, row := range rows {
		if row.EntityID != uuid.Nil && !slices.Contains(ids, row.EntityID) {
			ids = append(ids, row.EntityID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	told, err := db.New(w.store).FactsToTell(ctx, db.FactsToTellParams{
		GroupID: d.groupID, EntityIds: ids, At: at, MaxRows: maxKnown, ChangedIds: []uuid.UUID{}, FirmIds: []uuid.UUID{},
	})
	if err != nil {
		return nil, fmt.Errorf("read what is known of who speaks and is named: %w", err)
	}
	var facts []graph.Fact
	for _, id := range ids {
		own := 0
		for _, row := range slices.Backward(told) {
			f := db.Fact(row)
			if f.SourceID != id || own == maxKnownOf || !isRelevant(f, at) || slices.ContainsFunc(facts, sameWords(f)) {
				continue
			}
			own++
			facts = append(facts, f)
		}
	}
	return facts, nil
}

// isRelevant reports whether a fact was said before a time, and goes on or lies ahead.
func isRelevant(f graph.Fact, at time.Time) bool {
	return f.SaidAt.Before(at) && !f.Ended(at) && (f.Kind == graph.FactState || f.Valid.Start.After(at))
}

func sameWords(f graph.Fact) func(graph.Fact) bool {
	return func(other graph.Fact) bool { return other.Fact == f.Fact }
}

// namesIn returns the speakers and possible names: up to three capitalised words in a row.
func namesIn(episodes []graph.Episode) []string {
	var names []string
	add := func(name string) {
		if len(names) < maxKnownNames && name != "" && !wording.ContainsFold(names, name) {
			names = append(names, name)
		}
	}
	for _, e := range episodes {
		add(e.Speaker())
	}
	for _, e := range episodes {
		var run []string
		for word := range strings.FieldsSeq(e.Content) {
			bare := strings.TrimSuffix(strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }), "'s")
			if first, _ := utf8.DecodeRuneInString(bare); !unicode.IsUpper(first) {
				run = nil
				continue
			}
			run = append(run[max(0, len(run)-2):], bare)
			for i := range run {
				add(strings.Join(run[i:], " "))
			}
		}
	}
	return names
}
