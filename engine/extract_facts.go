package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// maxFacts bounds the facts that are taken from one part of an episode.
const maxFacts = 200

// takesBack matches the words of people who retract something. A text with fewer than two names can
// state no fact: the model is asked about it only if it has such words.
var takesBack = pattern.New(`(?i)\b(?:sorry|meant|misspoke|mistaken?|wrong|correction|scratch|never ?mind|forget|cancel+ed|called off|withdrew|withdrawn|rescinded|postponed|(?:is|are|['’]s) off|(?:won['’]t|will not|isn['’]t|is not) (?:be )?happen(?:ing)?|not true|after all)\b`)

// extractFacts asks for the facts that each part of the text states.
func (w *walk) extractFacts(ctx context.Context, d *draft) error {
	answers := make([]prompts.ExtractedFacts, len(d.parts))
	types := factTypes(d.ontology)
	err := d.eachPart(ctx, stepExtractFacts, func(ctx context.Context, i int, p part) (err error) {
		if len(p.names) < 2 && !mayTakeBack(p.input) {
			return nil
		}
		ask := prompts.ExtractFacts{Episode: p.input, Types: types}
		for id, name := range p.names {
			ask.Entities = append(ask.Entities, prompts.NamedEntity{ID: id + 1, Name: d.names[name].Name, Label: d.names[name].Label})
		}
		answers[i], err = w.analyst.ExtractFacts(ctx, ask)
		return err
	})
	if err != nil {
		return err
	}
	for i, answer := range answers {
		d.takesBack = d.takesBack || answer.TakesBack
		d.addStatements(d.parts[i], answer.Facts)
	}
	return nil
}

// addStatements adds each usable fact once. Facts of one sentence share a statement id.
func (d *draft) addStatements(p part, found []prompts.ExtractedFact) {
	type sentence struct {
		episode int
		fact    string
	}
	type triple struct {
		source, target, episode int
		fact                    string
	}
	seen := map[triple]bool{}
	ids := map[sentence]uuid.UUID{}
	for _, s := range d.statements { // of earlier parts
		seen[triple{s.source, s.target, s.episode, strings.ToLower(s.fact)}] = true
		ids[sentence{s.episode, s.fact}] = s.id
	}
	taken := 0
	for _, f := range found {
		s, fault := d.statementOf(p, f)
		key := triple{s.source, s.target, s.episode, strings.ToLower(s.fact)}
		switch {
		case fault == "" && seen[key]:
			fault = "it repeats one before"
		case fault == "" && taken == maxFacts:
			fault = fmt.Sprintf("%d facts are taken at the most", maxFacts)
		}
		if fault != "" {
			d.drop(stepExtractFacts, f.Fact, fault, d.mentionedIn([]int{f.Message}))
			continue
		}
		taken++
		seen[key] = true
		said := sentence{s.episode, s.fact}
		if _, ok := ids[said]; !ok {
			ids[said] = change.NewID()
		}
		s.id = ids[said]
		d.statements = append(d.statements, s)
		d.read = append(d.read, note{
			episodes: []int{s.episode}, step: stepExtractFacts, decision: decidedExtracted, subject: s.fact, reason: f.Reason,
		})
	}
}

// statementOf checks and mends a fact. It returns the fault that it cannot mend.
func (d *draft) statementOf(p part, f prompts.ExtractedFact) (statement, string) {
	s := statement{ends: f.Ends, predicate: wording.Predicate(f.Predicate)}
	if len(d.episodes) > 1 {
		if f.Message < 1 || f.Message > len(d.episodes) {
			return s, fmt.Sprintf("it does not say which of the %d messages states it", len(d.episodes))
		}
		s.episode = f.Message - 1
	}
	var ok bool
	s.fact, ok = wording.Sentence(f.Fact, wording.MaxFact)
	n := len(p.names)
	switch {
	case f.Source < 1 || f.Source > n || f.Target < 1 || f.Target > n:
		return s, fmt.Sprintf("its ends %d and %d are not both among the %s", f.Source, f.Target, each.Count(n, "entity"))
	case f.Source == f.Target:
		return s, "both its ends are the same entity"
	case s.predicate == "" || len(s.predicate) > graph.MaxName:
		return s, "its predicate is empty or too long"
	case !ok:
		return s, fmt.Sprintf("its sentence is empty, longer than %d bytes or not text", wording.MaxFact)
	}
	s.source, s.target = p.names[f.Source-1], p.names[f.Target-1]
	s.said, s.kind = d.episodes[s.episode].OccurredAt, graph.FactState
	if s.ends || strings.EqualFold(strings.TrimSpace(f.Kind), prompts.Event) {
		s.kind = graph.FactEvent
	}
	var problems []string
	s.attributes, problems = d.factAttributes(s, f.Attributes)
	problems = append(problems, s.date(f)...)
	if s.ends && s.kind != graph.FactEvent {
		return s, "it says that something will stop, but not when"
	}
	for _, problem := range problems {
		d.mend(stepExtractFacts, s.fact, problem, []int{s.episode})
	}
	return s, ""
}

// mayTakeBack reports whether a message of the input may take something back, without naming it.
func mayTakeBack(input prompts.Episode) bool {
	return takesBack().MatchString(input.Content) ||
		slices.ContainsFunc(input.Window, func(m prompts.Message) bool { return takesBack().MatchString(m.Content) })
}
