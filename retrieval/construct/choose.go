package construct

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/prose"
)

// order is where the hits of a scope stand in the order in which they are taken: the place of the
// first, and the distance of each next one. The result is a fact, three episodes, a fact and so on.
// A fact is first, since an episode may tell what has changed since. The weights were chosen on the
// conversations of a public benchmark; two to six episodes for a fact show the same evidence within
// a hundredth.
var order = map[graph.Kind]struct{ first, step float64 }{
	graph.KindEpisode:   {0, 1},
	graph.KindFact:      {-0.5, 3},
	graph.KindEntity:    {7.7, 12},
	graph.KindCommunity: {9.7, 12},
}

const (
	leastLine = 12  // tokens of the shortest line, to guess how many hits a budget may show
	mostHits  = 100 // of a scope that are searched, for any budget

	// almostSame is the share of common words from which two texts say almost the same; compared is
	// how many better texts each is compared with.
	almostSame = 0.8
	compared   = 100

	// answersFirst moves facts that answer by their relation before all else.
	answersFirst = -1e6
)

// choice holds the hits of the default form: those that are shown, and those that may be added.
type choice struct {
	sizes sizes
	hits  int // most hits to show
	most  int // tokens: for pinned hits a part of the budget, then all of it

	topic topic
	found retrieval.Result // what may be shown
	data  ContextData      // the same, as the data of a template
	dates []string         // of the facts, by index

	facts, entities, communities map[int]bool
	episodes                     map[int]ContextEpisode // as they are shown
	days                         diary
	size                         int // of all lines
}

// choose fills the default form with the hits of most use for the question, and returns what it
// shows.
func (c Construction) choose(f *form, counted *counter, r retrieval.Result) (string, ContextData, error) {
	b := c.newChoice(f, counted, r)
	least, err := b.sizes.around(0, sections{})
	if err != nil {
		return "", ContextData{}, err
	}
	if least > b.sizes.limit {
		return "", ContextData{}, tooFew(c.Tokens, least)
	}
	if err := b.takeAll(); err != nil {
		return "", ContextData{}, err
	}
	taken := b.taken()
	text, err := f.render(taken)
	return text, taken, err
}

func (c Construction) newChoice(f *form, counted *counter, r retrieval.Result) *choice {
	w, about := c.wording(r, f.fence), topicOf(r)
	b := &choice{
		hits: cmp.Or(c.Hits, math.MaxInt), topic: about, found: about.relevant(r),
		facts: map[int]bool{}, entities: map[int]bool{}, communities: map[int]bool{},
		episodes: map[int]ContextEpisode{}, days: diary{},
	}
	b.data = w.data(b.found)
	b.data.Nothing = b.found.IsEmpty()
	b.dates = each.Of(b.found.Facts, func(h retrieval.FactHit) string { return h.When(w.Reading) })
	b.sizes = newSizes(f, counted, c.Tokens, b.data)
	b.most = b.sizes.limit
	return b
}

// taken is the data of the hits that are shown.
func (b *choice) taken() ContextData {
	d := b.data.frame()
	d.Days = b.days.lines()
	for _, i := range slices.Sorted(maps.Keys(b.facts)) {
		d.Facts = append(d.Facts, b.data.Facts[i])
	}
	for _, i := range slices.Sorted(maps.Keys(b.entities)) {
		d.Entities = append(d.Entities, b.data.Entities[i])
	}
	for _, i := range slices.Sorted(maps.Keys(b.communities)) {
		d.Communities = append(d.Communities, b.data.Communities[i])
	}
	for _, i := range slices.Sorted(maps.Keys(b.episodes)) {
		d.Episodes = append(d.Episodes, b.episodes[i])
	}
	return d
}

// queue is the order in which hits are taken: that of their scopes, with texts that say almost the
// same as a better one last.
func (b *choice) queue() []hit {
	type placed struct {
		hit
		place float64
	}
	var all []placed
	add := func(kind graph.Kind, hits int, moved func(i int, place float64) float64) {
		for i := range hits {
			all = append(all, placed{hit{kind, i}, moved(i, order[kind].first+order[kind].step*float64(i))})
		}
	}
	stays := func(_ int, place float64) float64 { return place }
	said := again(each.Of(b.found.Episodes, func(e retrieval.EpisodeHit) string { return e.Content }))
	add(graph.KindFact, len(b.found.Facts), func(i int, place float64) float64 {
		if b.found.Facts[i].Answers {
			return place + answersFirst
		}
		return place
	})
	add(graph.KindEpisode, len(said), func(i int, place float64) float64 {
		if said[i] {
			return place + 1e6
		}
		return place
	})
	add(graph.KindEntity, len(b.found.Entities), stays)
	add(graph.KindCommunity, len(b.found.Communities), stays)
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.place, b.place) })
	return each.Of(all, func(p placed) hit { return p.hit })
}

// again reports for each text whether one before it says almost the same.
func again(texts []string) []bool {
	out := make([]bool, len(texts))
	sets := make([]map[string]bool, len(texts))
	for i, text := range texts {
		sets[i] = map[string]bool{}
		for _, word := range prose.Words(text) {
			sets[i][word] = true
		}
		for _, before := range sets[:min(i, compared)] {
			if len(sets[i]) > 0 && likeness(sets[i], before) >= almostSame {
				out[i] = true
				break
			}
		}
	}
	return out
}

// likeness is the share of common words among all words of two texts.
func likeness(a, b map[string]bool) float64 {
	if float64(min(len(a), len(b))) < almostSame*float64(max(len(a), len(b))) {
		return 0 // it could not be enough
	}
	both := 0
	for word := range a {
		if b[word] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// takeAll takes the hits that fit, in their order, until maxMisses in a row did not. Pinned hits
// come first, up to their share; those that did not fit come last.
func (b *choice) takeAll() error {
	queue, err := b.takePinned(b.queue())
	if err != nil {
		return err
	}
	misses := 0
	for _, h := range queue {
		if misses == maxMisses || b.shown() == b.hits {
			break
		}
		taken, err := b.take(h)
		if err != nil {
			return err
		}
		if misses++; taken {
			misses = 0
		}
	}
	return nil
}

// shown is how many hits are shown.
func (b *choice) shown() int {
	return len(b.facts) + len(b.entities) + len(b.communities) + len(b.episodes)
}

// takePinned takes the pinned hits that fit into their share. It returns the other hits, followed
// by the pinned ones that did not fit.
func (b *choice) takePinned(queue []hit) (rest []hit, err error) {
	var late []hit
	whole, hits := b.most, max(b.hits/retrieval.PinnedShare, 1)
	if whole != math.MaxInt {
		b.most = whole / retrieval.PinnedShare
	}
	for _, h := range queue {
		if !b.pinned(h) {
			rest = append(rest, h)
			continue
		}
		taken := false
		if b.shown() < hits {
			if taken, err = b.take(h); err != nil {
				return nil, err
			}
		}
		if !taken {
			late = append(late, h)
		}
	}
	b.most = whole
	return append(rest, late...), nil
}

func (b *choice) pinned(h hit) bool {
	switch h.kind {
	case graph.KindEpisode:
		return b.found.Episodes[h.index].Marks.Pinned
	case graph.KindFact:
		return b.found.Facts[h.index].Marks.Pinned
	case graph.KindEntity:
		return b.found.Entities[h.index].Marks.Pinned
	}
	return false
}

func (b *choice) take(h hit) (bool, error) {
	switch h.kind {
	case graph.KindEpisode:
		return b.takeEpisode(h.index)
	case graph.KindFact:
		return b.takeFact(h.index)
	case graph.KindEntity:
		return b.takeLine(b.entities, h.index, b.data.Entities[h.index].Line)
	}
	return b.takeLine(b.communities, h.index, b.data.Communities[h.index].Line)
}

// takeFact takes a fact. If a contradicting fact must come before it, that must be shown already.
func (b *choice) takeFact(i int) (bool, error) {
	f := b.data.Facts[i]
	if len(f.against) > 0 && !f.opposed(b.taken().Facts) {
		return false, nil
	}
	return b.takeLine(b.facts, i, f.Line)
}

// takeLine takes a line of a section, if it fits.
func (b *choice) takeLine(into map[int]bool, i int, line string) (bool, error) {
	size := b.sizes.line(line)
	into[i] = true
	if fits, err := b.fits(size); !fits {
		delete(into, i)
		return false, err
	}
	b.size += size
	return true, nil
}

// fits reports whether lines of so many more tokens fit.
func (b *choice) fits(more int) (bool, error) {
	size, err := b.sizes.around(b.size+more, sections{len(b.facts) > 0, len(b.entities) > 0, len(b.communities) > 0, len(b.episodes) > 0})
	return size <= b.most, err
}
