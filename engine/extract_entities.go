package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/sync/errgroup"

	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/guard"
	"github.com/annalsdb/annals/prompts"
)

const (
	maxEntities = 100 // at most, from one part of an episode
	maxLabel    = 100 // bytes of an entity's type
	maxAtOnce   = 4   // parts of one document that are read in parallel
)

// extractEntities asks for the names in each part of the text. The speakers come first.
func (w *walk) extractEntities(ctx context.Context, d *draft) error {
	answers := make([][]prompts.ExtractedEntity, len(d.parts))
	reviews := make([]prompts.ReviewedEntities, len(d.parts))
	err := d.eachPart(ctx, stepExtractEntities, func(ctx context.Context, i int, p part) (err error) {
		answers[i], reviews[i], err = w.readEntities(ctx, d, p.input)
		return err
	})
	if err != nil {
		return err
	}
	for i := range d.parts {
		d.addSpeakers(&d.parts[i], answers[i])
		d.addNames(&d.parts[i], answers[i], reviews[i])
	}
	return nil
}

// eachPart asks about each part of the text, a few at a time.
func (d *draft) eachPart(ctx context.Context, step string, ask func(ctx context.Context, i int, p part) error) error {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(maxAtOnce)
	for i, p := range d.parts {
		work.Go(guard.Runs(func() error { return analyst.Failed(ctx, step, ask(ctx, i, p)) }))
	}
	return work.Wait()
}

// readEntities asks about one part, and asks again with Options.Reflexion.
func (w *walk) readEntities(ctx context.Context, d *draft, input prompts.Episode) ([]prompts.ExtractedEntity, prompts.ReviewedEntities, error) {
	ask := prompts.ExtractEntities{Episode: input, Types: entityTypes(d.ontology), Excluded: d.ontology.ExcludedTypes}
	answer, err := w.analyst.ExtractEntities(ctx, ask)
	if err != nil || !w.options.Reflexion {
		return answer.Entities, prompts.ReviewedEntities{}, err
	}
	again := prompts.ReviewEntities{ExtractEntities: ask}
	for i, found := range answer.Entities {
		again.Entities = append(again.Entities, prompts.NamedEntity{ID: i + 1, Name: found.Name, Label: found.Label})
	}
	review, err := w.analyst.ReviewEntities(ctx, again)
	return answer.Entities, review, err
}

func (d *draft) addSpeakers(p *part, found []prompts.ExtractedEntity) {
	for _, speaker := range d.speakers(*p) {
		if strings.TrimSpace(speaker.Name) == "" {
			continue
		}
		for _, f := range found {
			if strings.EqualFold(f.Name, speaker.Name) {
				speaker.Label, speaker.Attributes, speaker.Aliases = f.Label, f.Attributes, slices.Concat(speaker.Aliases, f.Aliases)
			}
		}
		d.addName(p, speaker, "the speaker")
	}
}

func (d *draft) addNames(p *part, found []prompts.ExtractedEntity, review prompts.ReviewedEntities) {
	for i, f := range found {
		if slices.Contains(review.Invented, i+1) && !spokenBy(p.input, f.Name) {
			d.drop(stepExtractEntities, f.Name, "a second look found that the episode does not speak of it: "+review.Reason, d.mentionedIn(f.Messages))
			continue
		}
		d.addName(p, f, "")
	}
	for _, f := range review.Missed {
		d.addName(p, f, "found at a second look: "+review.Reason)
	}
}

func spokenBy(input prompts.Episode, name string) bool {
	return strings.EqualFold(input.Speaker, name) ||
		slices.ContainsFunc(input.Window, func(m prompts.Message) bool { return strings.EqualFold(m.Speaker, name) })
}

// addName adds a name, or extends it if known, unless it cannot be stored or has an excluded type.
func (d *draft) addName(p *part, found prompts.ExtractedEntity, reason string) {
	episodes := d.mentionedIn(found.Messages)
	name, ok := wording.CleanText(found.Name, graph.MaxName)
	ok = ok && strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
	label, labelOK := wording.CleanText(found.Label, maxLabel)
	switch {
	case !ok:
		d.drop(stepExtractEntities, found.Name, fmt.Sprintf("the name has no letter, is longer than %d bytes or not text", graph.MaxName), episodes)
		return
	case len(p.names) >= maxEntities:
		d.drop(stepExtractEntities, name, fmt.Sprintf("%d entities are taken at the most", maxEntities), episodes)
		return
	case d.ontology.Excludes(label):
		d.drop(stepExtractEntities, name, "things of the type "+label+" are not wanted in this group", episodes)
		return
	case !labelOK:
		label = ""
	}
	place := d.placeOf(name, label)
	if place < 0 {
		place = len(d.names)
		d.names = append(d.names, extractedName{Name: name})
		d.read = append(d.read, note{episodes: episodes, step: stepExtractEntities, decision: decidedExtracted, subject: name, reason: reason})
	}
	if !slices.Contains(p.names, place) {
		p.names = append(p.names, place)
	}
	d.addAliases(&d.names[place], found.Aliases)
	d.describe(&d.names[place], label, found.Attributes, episodes)
}

const maxAliases = 5

func (d *draft) addAliases(n *extractedName, aliases []string) {
	for _, alias := range aliases {
		alias, ok := wording.CleanText(alias, graph.MaxName)
		if ok && strings.ContainsFunc(alias, unicode.IsLetter) && len(n.aliases) < maxAliases &&
			!strings.EqualFold(alias, n.Name) && !wording.ContainsFold(n.aliases, alias) {
			n.aliases = append(n.aliases, alias)
		}
	}
}

// placeOf returns the index of a known name that may be the same, or -1. A name of another kind is
// not: Apple, the friend, and Apple, the company, are two.
func (d *draft) placeOf(name, label string) int {
	return slices.IndexFunc(d.names, func(n extractedName) bool {
		return strings.EqualFold(n.Name, name) && !matching.OtherKinds([]string{label}, []string{n.Label})
	})
}

func (d *draft) describe(n *extractedName, label string, attributes []prompts.Attribute, episodes []int) {
	for _, episode := range episodes {
		if !slices.Contains(n.episodes, episode) {
			n.episodes = append(n.episodes, episode)
		}
	}
	if n.Label == "" && label != "" {
		n.Label = d.typeOf(label)
		if n.plain = n.Label == ""; n.plain {
			d.mend(stepExtractEntities, n.Name, "the group has no type "+label+": kept as a plain entity", episodes)
		}
	}
	known, problems := entityAttributes(d.ontology, n.Label, attributes)
	n.Attributes = graph.MergeAttributes(n.Attributes, known)
	for _, problem := range problems {
		d.mend(stepExtractEntities, n.Name, problem, episodes)
	}
}

// mentionedIn turns places in the window into indices of episodes. Without places it returns all
// episodes.
func (d *draft) mentionedIn(messages []int) []int {
	var episodes []int
	for _, m := range messages {
		if m >= 1 && m <= len(d.episodes) && !slices.Contains(episodes, m-1) {
			episodes = append(episodes, m-1)
		}
	}
	if len(episodes) == 0 {
		for i := range d.episodes {
			episodes = append(episodes, i)
		}
	}
	return episodes
}

func (d *draft) drop(step, subject, reason string, episodes []int) {
	d.read = append(d.read, note{episodes: episodes, step: step, decision: decidedDropped, subject: subject, reason: reason})
}

func (d *draft) mend(step, subject, reason string, episodes []int) {
	d.read = append(d.read, note{episodes: episodes, step: step, decision: decidedMended, subject: subject, reason: reason})
}
