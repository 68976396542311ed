package construct

import (
	"errors"
	"slices"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model/tokens"
	"github.com/annalsdb/annals/retrieval/prose"
)

const (
	maxMisses    = 16 // hits in a row that did not fit, after which no more are tried
	episodeShare = 4  // one episode's content takes at most a 4th of the budget
)

// budget fills a template with the hits that fit.
type budget struct {
	form   *form
	tokens *counter
	limit  int

	all      ContextData
	episodes []excerptState // of all, by index

	taken ContextData
	text  string // taken, rendered
}

// excerptState says whether an episode's content was looked at and, if so, whether it is within its
// share of the budget or cannot be cut to that.
type excerptState int

const (
	unseenExcerpt excerptState = iota
	goodExcerpt
	noExcerpt
)

// hit is a hit of a scope, by its index.
type hit struct {
	kind  graph.Kind
	index int
}

// fill renders as many of the hits as the limit allows, and returns the data that it rendered.
func fill(f *form, counted *counter, limit int, all ContextData) (string, ContextData, error) {
	b := &budget{form: f, tokens: counted, limit: limit, all: all, episodes: make([]excerptState, len(all.Episodes))}
	b.taken = all.frame()
	b.taken.Answers = all.Answers
	text, err := f.render(b.taken)
	if err != nil {
		return "", ContextData{}, err
	}
	if least := counted.count(text); least > limit {
		return "", ContextData{}, tooFew(limit, least)
	}
	b.text = text
	if err := b.takeAll(byRank(all)); err != nil {
		return "", ContextData{}, err
	}
	return b.text, b.taken, nil
}

// tooFew refuses a budget that is too small for the string without any hit.
func tooFew(limit, least int) error {
	return graph.Invalid("tokens", "is %d, but the context takes %d without any hit; give at least %d", limit, least, least)
}

// byRank is the order in which hits are taken: the first of each scope, the
// second of each, and so on.
func byRank(d ContextData) []hit {
	scopes := []struct {
		kind graph.Kind
		n    int
	}{
		{graph.KindFact, len(d.Facts)},
		{graph.KindEntity, len(d.Entities)},
		{graph.KindCommunity, len(d.Communities)},
		{graph.KindEpisode, len(d.Episodes)},
	}
	var queue []hit
	for i := range max(len(d.Facts), len(d.Entities), len(d.Communities), len(d.Episodes)) {
		for _, scope := range scopes {
			if i < scope.n {
				queue = append(queue, hit{scope.kind, i})
			}
		}
	}
	return queue
}

// takeAll takes the hits that fit, in their order.
func (b *budget) takeAll(queue []hit) error {
	for misses := 0; misses < maxMisses; misses++ {
		n, err := b.takeFirst(queue)
		if err != nil || n == len(queue) {
			return err
		}
		shortened, err := b.takeShortened(queue[n])
		if err != nil {
			return err
		}
		if shortened {
			misses = -1
		} else if n > 0 {
			misses = 0
		}
		queue = queue[n+1:]
	}
	return nil
}

// takeFirst takes as many hits from the start of the queue as fit together, and returns how many.
func (b *budget) takeFirst(queue []hit) (int, error) {
	base := b.taken
	return longest(len(queue), func(n int) (bool, error) {
		data, ok := b.with(base, queue[:n])
		if !ok {
			return false, nil
		}
		return b.take(data)
	})
}

// takeShortened takes an episode that does not fit as a whole, with as many of its first sentences
// as do.
func (b *budget) takeShortened(h hit) (bool, error) {
	if h.kind != graph.KindEpisode || b.episodes[h.index] != goodExcerpt {
		return false, nil
	}
	base, text, episode := b.taken, b.text, b.all.Episodes[h.index]
	content := prose.Sentences(episode.Content)
	n, err := longest(len(content)-1, func(n int) (bool, error) {
		return b.take(withEpisode(base, episode.cutTo(excerpt(content[:n]))))
	})
	if err != nil || n == 0 {
		return false, err
	}
	if b.tokens.count(excerpt(content[:n])) < minExcerpt {
		b.taken, b.text = base, text
		return false, nil
	}
	return true, nil
}

// with adds hits to the data. It reports false if one of them is an episode that cannot be cut to
// its share of the budget, or a fact that would stand without what disputes it.
func (b *budget) with(d ContextData, hits []hit) (ContextData, bool) {
	d.Facts, d.Entities = slices.Clip(d.Facts), slices.Clip(d.Entities)
	d.Communities, d.Episodes = slices.Clip(d.Communities), slices.Clip(d.Episodes)
	for _, h := range hits {
		switch h.kind {
		case graph.KindFact:
			if !b.all.Facts[h.index].opposed(d.Facts) {
				return d, false
			}
			d.Facts = append(d.Facts, b.all.Facts[h.index])
		case graph.KindEntity:
			d.Entities = append(d.Entities, b.all.Entities[h.index])
		case graph.KindCommunity:
			d.Communities = append(d.Communities, b.all.Communities[h.index])
		case graph.KindEpisode:
			if !b.share(h.index) {
				return d, false
			}
			d.Episodes = append(d.Episodes, b.all.Episodes[h.index])
		}
	}
	return d, true
}

// share cuts the content of an episode to its share of the budget. It reports false if that cannot
// be done.
func (b *budget) share(i int) bool {
	if b.episodes[i] == unseenExcerpt {
		content, ok := b.tokens.shorten(b.all.Episodes[i].Content, max(b.limit/episodeShare, minExcerpt))
		b.episodes[i] = noExcerpt
		if ok {
			b.all.Episodes[i], b.episodes[i] = b.all.Episodes[i].cutTo(content), goodExcerpt
		}
	}
	return b.episodes[i] == goodExcerpt
}

func withEpisode(d ContextData, e ContextEpisode) ContextData {
	d.Episodes = append(slices.Clip(d.Episodes), e)
	return d
}

// take renders data, and keeps it if it fits.
func (b *budget) take(data ContextData) (bool, error) {
	data = data.withDays()
	text, err := b.form.render(data)
	switch {
	case errors.Is(err, errTooLong), err == nil && len(text) > tokens.LongestToken*b.limit:
		return false, nil
	case err != nil:
		return false, err
	}
	if b.tokens.count(text) > b.limit {
		return false, nil
	}
	b.taken, b.text = data, text
	return true, nil
}

// longest returns the largest number up to most that fits, or 0 if not even 1 does. All numbers
// below it must fit, and none above. It doubles the number until that is too much, then bisects.
func longest(most int, fits func(n int) (bool, error)) (int, error) {
	low, high, n := 0, most+1, 1 // low fits, high does not
	for low+1 < high {
		ok, err := fits(n)
		if err != nil {
			return 0, err
		}
		if ok {
			low = n
		} else {
			high = n
		}
		if n = (low + high) / 2; high > most {
			n = min(2*low, most)
		}
	}
	return low, nil
}
