package truth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// Analyst answers the pipeline's questions from cases. It finds the case by the
// episode of the question's subject.
type Analyst struct {
	mu    sync.Mutex
	pages map[uuid.UUID]page
}

// page is the place of an episode in its case.
type page struct {
	*Case
	message int
	notes   *notes
}

// notes collects questions that a case could not answer: sentences that the
// pipeline did not show.
type notes struct {
	mu    sync.Mutex
	lines []string
}

func (n *notes) add(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if line := fmt.Sprintf(format, args...); !slices.Contains(n.lines, line) {
		n.lines = append(n.lines, line)
	}
}

// NewAnalyst returns an analyst without episodes; [Run] adds them.
func NewAnalyst() *Analyst { return &Analyst{pages: map[uuid.UUID]page{}} }

// Name returns the analyst's name.
func (a *Analyst) Name() string { return "the cases" }

func (a *Analyst) open(episode uuid.UUID, p page) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pages[episode] = p
}

// asked holds the messages that a question is about.
type asked struct {
	page
	messages []Message
	window   bool // they are read in one window
}

func (a *Analyst) about(ctx context.Context, e prompts.Episode) (asked, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	id := model.SubjectOf(ctx).EpisodeID
	p, ok := a.pages[id]
	n := max(1, len(e.Window))
	if !ok || p.message+n > len(p.Messages) {
		return asked{}, fmt.Errorf("no case has answers about episode %s", id)
	}
	return asked{page: p, messages: p.Messages[p.message : p.message+n], window: len(e.Window) > 0}, nil
}

// place returns the number of a message for an answer.
func (q asked) place(i int) int {
	if q.window {
		return i + 1
	}
	return 0
}

// ExtractEntities returns the entities of the messages.
func (a *Analyst) ExtractEntities(ctx context.Context, q prompts.ExtractEntities) (prompts.ExtractedEntities, error) {
	page, err := a.about(ctx, q.Episode)
	var found []prompts.ExtractedEntity
	for i, m := range page.messages {
		for _, e := range m.Entities {
			at := slices.IndexFunc(found, func(f prompts.ExtractedEntity) bool { return strings.EqualFold(f.Name, e.Name) })
			if at < 0 {
				at = len(found)
				found = append(found, prompts.ExtractedEntity{Name: e.Name, Label: e.Type})
			}
			found[at].Aliases = append(found[at].Aliases, e.Aliases...)
			if page.window {
				found[at].Messages = append(found[at].Messages, page.place(i))
			}
		}
	}
	return prompts.ExtractedEntities{Entities: found}, err
}

// ReviewEntities adds nothing.
func (a *Analyst) ReviewEntities(context.Context, prompts.ReviewEntities) (prompts.ReviewedEntities, error) {
	return prompts.ReviewedEntities{}, nil
}

// ResolveEntities matches an entity to the candidate with one of its names in
// the case.
func (a *Analyst) ResolveEntities(ctx context.Context, q prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
	page, err := a.about(ctx, q.Episode)
	if err != nil {
		return prompts.ResolvedEntities{}, err
	}
	var answer prompts.ResolvedEntities
	for _, u := range q.Entities {
		r := prompts.EntityResolution{ID: u.ID, Reason: "the case knows nobody else of this name"}
		names := page.namesOf(u.Name)
		for _, c := range u.Candidates {
			if slices.ContainsFunc(append([]string{c.Name}, c.Aliases...), func(name string) bool { return containsFold(names, name) }) {
				r.Candidate, r.Reason = c.ID, "the case calls them so"
				break
			}
		}
		answer.Resolutions = append(answer.Resolutions, r)
	}
	return answer, nil
}

// namesOf returns all names that the case gives to the bearer of a name.
func (c *Case) namesOf(name string) []string {
	names := []string{name}
	for _, m := range c.Messages {
		for _, e := range m.Entities {
			if all := append([]string{e.Name}, e.Aliases...); containsFold(all, name) {
				names = append(names, all...)
			}
		}
	}
	return names
}

// ExtractFacts returns the facts of the messages.
func (a *Analyst) ExtractFacts(ctx context.Context, q prompts.ExtractFacts) (prompts.ExtractedFacts, error) {
	page, err := a.about(ctx, q.Episode)
	if err != nil {
		return prompts.ExtractedFacts{}, err
	}
	var answer prompts.ExtractedFacts
	for i, m := range page.messages {
		for _, f := range m.Facts {
			source, target := idOf(q.Entities, f.Source), idOf(q.Entities, f.Target)
			if source == 0 || target == 0 {
				page.notes.add("%q: %s and %s were not both among the entities that the pipeline listed", f.Fact, f.Source, f.Target)
				continue
			}
			answer.Facts = append(answer.Facts, prompts.ExtractedFact{
				Reason: "the case says so", Source: source, Target: target, Predicate: f.Predicate, Fact: f.Fact, Kind: f.Kind,
				ValidAt: f.ValidAt, InvalidAt: f.InvalidAt, Ends: f.Ends, Message: page.place(i),
			})
		}
		answer.TakesBack = answer.TakesBack || m.takesBack
		for _, r := range m.Relations {
			answer.TakesBack = answer.TakesBack || len(r.Retracts) > 0
		}
	}
	return answer, nil
}

func idOf(entities []prompts.NamedEntity, name string) int {
	for _, e := range entities {
		if strings.EqualFold(e.Name, name) {
			return e.ID
		}
	}
	return 0
}

// ResolveFacts returns the relations of the new facts to those shown.
func (a *Analyst) ResolveFacts(ctx context.Context, q prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	page, err := a.about(ctx, q.Episode)
	if err != nil {
		return prompts.ResolvedFacts{}, err
	}
	var answer prompts.ResolvedFacts
	for i, m := range page.messages {
		for _, r := range m.Relations {
			ids := newIDs(q, r.Fact, []time.Time{m.At})
			if r.Fact == "" {
				ids = []int{0}
			}
			for _, id := range ids {
				answer.Resolutions = append(answer.Resolutions, page.resolution(q, page.message+i, id, r))
			}
		}
	}
	return answer, nil
}

// resolution expresses a relation of a message by the ids of the question.
func (p page) resolution(q prompts.ResolveFacts, message, id int, r Relation) prompts.FactResolution {
	known := func(relation string, sentences ...string) (ids []int) {
		for _, s := range sentences {
			shown := append(knownIDs(q, s), newIDs(q, s, p.said(s, message))...)
			shown = slices.DeleteFunc(shown, func(other int) bool { return other == id })
			if len(shown) == 0 && s != "" {
				p.notes.add("%q %s %q, which the pipeline did not show to compare with", cmp.Or(r.Fact, "the message"), relation, s)
			}
			ids = append(ids, shown...)
		}
		return ids
	}
	resolution := prompts.FactResolution{
		Reason: "the case says so", ID: id,
		Contradicts: known("contradicts", r.Contradicts...), Retracts: known("takes back", r.Retracts...),
	}
	if ids := known("repeats", r.Repeats); len(ids) > 0 {
		resolution.DuplicateOf = ids[len(ids)-1] // the latest with this sentence
	}
	return resolution
}

// said returns when a sentence was stated up to a message. Later messages of
// the same window may state it again.
func (c *Case) said(sentence string, message int) (at []time.Time) {
	for _, m := range c.Messages[:message+1] {
		if slices.ContainsFunc(m.Facts, func(f Fact) bool { return sameSentence(f.Fact, sentence) }) {
			at = append(at, m.At)
		}
	}
	return at
}

func knownIDs(q prompts.ResolveFacts, sentence string) (ids []int) {
	for _, k := range q.Existing {
		if sameSentence(k.Fact, sentence) {
			ids = append(ids, k.ID)
		}
	}
	return ids
}

// newIDs returns the ids of new facts that state a sentence at one of the
// times.
func newIDs(q prompts.ResolveFacts, sentence string, said []time.Time) (ids []int) {
	for _, f := range q.Facts {
		if sameSentence(f.Fact, sentence) && slices.ContainsFunc(said, f.Said.Equal) {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

func sameSentence(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

func containsFold(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// SummariseEntities leaves summaries to the rules.
func (a *Analyst) SummariseEntities(context.Context, prompts.SummariseEntities) (prompts.EntitySummaries, error) {
	return prompts.EntitySummaries{}, nil
}

// ExtractDates returns none: the facts of a case include their dates.
func (a *Analyst) ExtractDates(context.Context, prompts.ExtractDates) (prompts.ExtractedDates, error) {
	return prompts.ExtractedDates{}, nil
}

// SummariseThread returns a constant summary.
func (a *Analyst) SummariseThread(context.Context, prompts.SummariseThread) (prompts.ThreadSummary, error) {
	return prompts.ThreadSummary{Summary: "They talked."}, nil
}

// SummariseMembers returns a constant summary.
func (a *Analyst) SummariseMembers(context.Context, prompts.SummariseMembers) (prompts.Summary, error) {
	return prompts.Summary{Summary: "They belong together."}, nil
}

// CombineSummaries returns a constant summary.
func (a *Analyst) CombineSummaries(context.Context, prompts.CombineSummaries) (prompts.Summary, error) {
	return prompts.Summary{Summary: "They belong together."}, nil
}

// NameCommunity returns a constant name.
func (a *Analyst) NameCommunity(context.Context, prompts.NameCommunity) (prompts.CommunityName, error) {
	return prompts.CommunityName{Name: "Community"}, nil
}
