package engine

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

const (
	maxFacts     = 200  // taken from one episode
	maxFactBytes = 2000 // of one fact's sentence
)

var notPredicate = regexp.MustCompile(`[^\p{L}\p{N}]+`)

// extractFacts asks what the episode says holds between its entities.
func (e *Engine) extractFacts(ctx context.Context, d *draft) error {
	if len(d.names) < 2 {
		return nil
	}
	ask := prompts.ExtractFacts{Episode: d.input}
	for i, name := range d.names {
		ask.Entities = append(ask.Entities, prompts.NamedEntity{ID: i + 1, Name: name.Name, Label: name.Label})
	}
	answer, err := e.analyst.ExtractFacts(ctx, ask)
	if err != nil {
		return analysed(ctx, "extract facts", err)
	}
	d.statements = e.cleanFacts(ctx, d, answer.Facts)
	return nil
}

// cleanFacts drops what points nowhere, repeats or cannot be stored, and gives
// the facts of one sentence one statement id.
func (e *Engine) cleanFacts(ctx context.Context, d *draft, facts []prompts.ExtractedFact) []statement {
	type triple struct {
		source, target int
		fact           string
	}
	seen := map[triple]bool{}
	ids := map[string]uuid.UUID{}
	var clean []statement
	for _, f := range facts {
		reason := faultOf(&f, len(d.names))
		key := triple{f.Source, f.Target, strings.ToLower(f.Fact)}
		if reason == "" && (seen[key] || len(clean) == maxFacts) {
			reason = "repeated or one too many"
		}
		if reason != "" {
			e.log.DebugContext(ctx, "fact dropped", "episode", d.episode.ID, "fact", f.Fact, "reason", reason)
			continue
		}
		seen[key] = true
		if _, ok := ids[f.Fact]; !ok {
			ids[f.Fact] = newID()
		}
		clean = append(clean, statement{ExtractedFact: f, id: ids[f.Fact]})
	}
	return clean
}

// faultOf puts a fact in order and says what cannot be mended about it.
func faultOf(f *prompts.ExtractedFact, entities int) string {
	f.Predicate = strings.Trim(notPredicate.ReplaceAllString(strings.ToUpper(f.Predicate), "_"), "_")
	fact, ok := cleanText(f.Fact, maxFactBytes)
	f.Fact = fact
	f.ValidAt, f.InvalidAt = storable(f.ValidAt), storable(f.InvalidAt)
	switch {
	case f.Source < 1 || f.Source > entities || f.Target < 1 || f.Target > entities:
		return "an endpoint is not among the entities"
	case f.Source == f.Target:
		return "both endpoints are the same entity"
	case f.Predicate == "" || len(f.Predicate) > graph.MaxName:
		return "the predicate is empty or too long"
	case !ok:
		return "the sentence is empty or too long"
	}
	return ""
}

// storable leaves out a date that cannot be stored.
func storable(t *time.Time) *time.Time {
	if t == nil || t.IsZero() || graph.ValidateTime("", *t) != nil {
		return nil
	}
	return t
}
