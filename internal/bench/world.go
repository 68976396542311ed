package bench

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/each"
)

// The composition of a group.
const (
	factsPerEntity  = 5
	factsPerEpisode = 2
	minEntities     = 4
	endedShare      = 0.1 // of the facts
)

// world is the source of a group's facts.
type world struct {
	words    *vocabulary
	seed     uint64
	entities int
	popular  ranks
}

func newWorld(words *vocabulary, facts int, seed uint64) world {
	entities := max(facts/factsPerEntity, minEntities)
	return world{words: words, seed: seed, entities: entities, popular: newRanks(entities, 0.8, 2)}
}

// name returns the unique name of an entity.
func (w world) name(entity int) string {
	r := rand.New(rand.NewPCG(w.seed, uint64(entity)))
	given, family := invented(r, 2), invented(r, 3)
	return fmt.Sprintf("%s%s %s%s", strings.ToUpper(given[:1]), given[1:], strings.ToUpper(family[:1]), family[1:])
}

// madeFact is an invented fact between two entities, given by number.
type madeFact struct {
	source, target int
	predicate      string
	sentence       string
	begin, end     time.Time // zero end: it has not ended
}

var verbs = []string{
	"works with", "lives near", "met", "recommended", "bought from", "argued with", "travelled with", "wrote to", "hired", "studied with",
	"visited", "owes money to", "plays chess with", "cooked for", "thanked", "complained about", "shares an office with", "taught",
}

// epoch is the start of the invented conversations.
var epoch = time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC)

func (w world) fact(r *rand.Rand) madeFact {
	source, target := w.popular.draw(r), w.popular.draw(r)
	for target == source {
		target = r.IntN(w.entities)
	}
	verb := verbs[r.IntN(len(verbs))]
	phrase := w.words.phrase(r, w.words.anyTopic.draw(r), 4+r.IntN(5))
	f := madeFact{
		source: source, target: target,
		predicate: strings.ToUpper(strings.ReplaceAll(verb, " ", "_")),
		sentence:  fmt.Sprintf("%s %s %s about the %s.", w.name(source), verb, w.name(target), strings.Join(phrase, " ")),
		begin:     epoch.Add(time.Duration(r.IntN(3*365*24)) * time.Hour),
	}
	if r.Float64() < endedShare {
		f.end = f.begin.Add(time.Duration(1+r.IntN(1000)) * time.Hour)
	}
	return f
}

// embedded returns the text of a fact's vector, as the engine makes it.
func (f madeFact) embedded() string {
	return f.sentence + " " + strings.ToLower(strings.ReplaceAll(f.predicate, "_", " "))
}

// Class is a kind of query.
type Class string

// The classes.
const (
	ClassQuestion Class = "question" // words of any frequency, and a name
	ClassFrequent Class = "frequent" // only the most frequent words
	ClassRare     Class = "rare"     // rare words
	ClassName     Class = "name"     // an entity's name
)

var classes = []Class{ClassQuestion, ClassFrequent, ClassRare, ClassName}

const frequentWords = 12 // number of words from which ClassFrequent draws

func (w world) query(r *rand.Rand, class Class) string {
	switch class {
	case ClassFrequent:
		return strings.Join(each.Of(r.Perm(frequentWords)[:3], func(rank int) string { return w.words.words[rank] }), " ")
	case ClassRare:
		words := make([]string, 3)
		for i := range words {
			words[i] = w.words.words[vocabularySize/2+r.IntN(vocabularySize/2)]
		}
		return strings.Join(words, " ")
	case ClassName:
		return w.name(w.popular.draw(r))
	}
	phrase := w.words.phrase(r, w.words.anyTopic.draw(r), 5)
	return fmt.Sprintf("What did %s say about the %s?", w.name(w.popular.draw(r)), strings.Join(phrase, " "))
}
