package construct

import (
	"cmp"
	"slices"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/prose"
	"github.com/annalsdb/annals/retrieval/relation"
)

// topic is what a context is about.
type topic struct {
	words []string // that say what is asked for, in lower case, without names and times
	names []string // of the entities that the question names, in lower case
	open  []string // words, without those of a relation by which a fact answers

	answered bool // some fact answers by its relation
}

// topicOf reads a question with the names in its result: those of speakers, of persons and, if the
// question writes them with a capital, of the sources of facts.
func topicOf(r retrieval.Result) topic {
	known, capital := map[string]bool{}, map[string]bool{}
	add := func(to map[string]bool, names ...string) {
		for _, name := range names {
			for _, word := range prose.TellingWords(name) {
				to[word] = true
			}
		}
	}
	for _, e := range r.Episodes {
		add(known, e.Actor)
	}
	for _, e := range r.Entities {
		if slices.Contains(e.Labels, "Person") {
			add(known, append([]string{e.Name}, e.Aliases...)...)
		} else {
			add(capital, e.Name)
		}
	}
	for _, f := range r.Facts {
		add(capital, f.Source)
	}
	var t topic
	for _, word := range prose.TellingWords(prose.WithoutTimes(r.Asked, r.ReadAt())) {
		if known[word] || capital[word] && strings.Contains(r.Asked, titled(word)) {
			t.names = append(t.names, word)
		} else {
			t.words = append(t.words, word)
		}
	}
	t.open = t.words
	if t.answered = slices.ContainsFunc(r.Facts, func(h retrieval.FactHit) bool { return h.Answers }); t.answered {
		_, answered := relation.Asked(r.Asked)
		t.open = slices.DeleteFunc(slices.Clone(t.words), func(word string) bool { return prose.Holds(answered, word) })
	}
	return t
}

// titled is a word with a capital.
func titled(word string) string {
	letters := []rune(word)
	return strings.ToUpper(string(letters[:1])) + string(letters[1:])
}

// mentionedOnly is the factor on the place of a fact that only mentions an entity of the question.
const mentionedOnly = 1.3

// relevant is the part of a result that a context shows: facts about the entities of the question
// first, and of the summaries what fits.
func (t topic) relevant(r retrieval.Result) retrieval.Result {
	r.Facts = t.byPerson(withoutEndings(statements(r.Facts)))
	if r.Asked != "" && len(r.KnownOf) == 0 {
		r.Facts = slices.DeleteFunc(slices.Clone(r.Facts), func(h retrieval.FactHit) bool { return !t.bearsOn(h) })
	}
	r = r.WithAgainst()
	if r.Asked == "" {
		return r
	}
	said := map[string]bool{}
	for _, f := range r.Facts {
		said[prose.OneLine(f.Fact.Fact)], said[prose.OneLine(f.Told())], said[prose.OneLine(f.Dated(r.ReadAt()))] = true, true, true
	}
	var entities []retrieval.EntityHit
	for _, e := range r.Entities {
		if e.Summary = e.StillSo(); !e.Marks.Pinned {
			e.Summary = t.fitting(e.Name, e.Summary, said)
		}
		if e.Summary != "" || e.Marks.Pinned {
			entities = append(entities, e)
		}
	}
	var communities []retrieval.CommunityHit
	for _, c := range r.Communities {
		if c.Summary = t.fitting(c.Name, c.Summary, said); c.Summary != "" {
			communities = append(communities, c)
		}
	}
	r.Entities, r.Communities = entities, communities
	return r
}

// bearsOn reports whether a fact bears on the question: by its relation, its meaning, or a word. If
// the question has no words but names, every fact does, unless some answer by their relation.
func (t topic) bearsOn(h retrieval.FactHit) bool {
	return h.Answers || h.Near || h.Marks.Pinned || len(t.words) == 0 && !t.answered ||
		heldBy(t.open, strings.ReplaceAll(h.Predicate, "_", " ")+" "+h.Source+" "+h.Target+" "+h.Fact.Fact) > 0
}

// withoutEndings leaves out facts that only say that another one has ended, if that one is there
// with its end.
func withoutEndings(facts []retrieval.FactHit) []retrieval.FactHit {
	return slices.DeleteFunc(slices.Clone(facts), func(h retrieval.FactHit) bool {
		return graph.Relation(h.Predicate) != h.Predicate && !h.Marks.Pinned && relation.OnlyEnds(h.Fact.Fact) && slices.ContainsFunc(facts, func(o retrieval.FactHit) bool {
			return o.Predicate == graph.Relation(h.Predicate) && o.SourceID == h.SourceID && o.TargetID == h.TargetID && !o.Valid.End.IsZero()
		})
	})
}

// byPerson puts facts about other entities than the question's last.
func (t topic) byPerson(facts []retrieval.FactHit) []retrieval.FactHit {
	if len(t.names) == 0 {
		return facts
	}
	places := make([]float64, len(facts))
	order := make([]int, len(facts))
	for i, f := range facts {
		places[i], order[i] = float64(i+1), i
		switch {
		case f.Marks.Pinned, f.Answers: // as they come: before all others
		case t.isNamed(f.Source):
		case t.isNamed(f.Target + " " + f.Fact.Fact):
			places[i] *= mentionedOnly
		default:
			places[i] += mentionedOnly * float64(len(facts)) // after all others
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	return each.Of(order, func(i int) retrieval.FactHit { return facts[i] })
}

// isNamed reports whether a text has a name that the question has.
func (t topic) isNamed(text string) bool {
	words := prose.Words(text)
	return slices.ContainsFunc(t.names, func(name string) bool { return slices.Contains(words, name) })
}

// fitting cuts a summary to the sentences that have a word of the question or, if the question has
// only names, one of these. Sentences that facts or earlier summaries say are left out. A cut
// summary ends with " …".
func (t topic) fitting(name, summary string, said map[string]bool) string {
	var kept []string
	parts := prose.Sentences(summary)
	for _, sentence := range parts {
		sentence = strings.TrimSpace(sentence)
		if !said[sentence] && t.fits(name, sentence) {
			kept = append(kept, sentence)
			said[sentence] = true
		}
	}
	text := strings.Join(kept, " ")
	if len(kept) > 0 && len(kept) < len(parts) {
		text += " …"
	}
	return text
}

func (t topic) fits(name, sentence string) bool {
	if len(t.words) == 0 {
		return len(t.names) == 0 || t.isNamed(name+" "+sentence)
	}
	return heldBy(t.open, name+" "+sentence) > 0
}

// heldBy is how many words of the question a text has.
func (t topic) heldBy(text string) int { return heldBy(t.words, text) }

// heldBy is how many of some words a text has.
func heldBy(words []string, text string) int {
	said, n := prose.Words(text), 0
	for _, word := range words {
		if prose.Holds(said, word) {
			n++
		}
	}
	return n
}

// Facts say all of a message if they have all but a fifth of its words.
const newWords = 5

// hasAll reports whether a text has all but a fifth of some words.
func hasAll(text, words []string) bool {
	missing := 0
	for _, word := range words {
		if !prose.Holds(text, word) {
			missing++
		}
	}
	return missing*newWords <= len(words)
}
