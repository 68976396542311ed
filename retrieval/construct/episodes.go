package construct

import (
	"maps"
	"slices"

	"github.com/annalsdb/annals/retrieval/prose"
)

// takeEpisode takes an episode, with as many of its sentences as fit. If facts say all of it, it
// takes these instead, as they have its dates and their own ends.
func (b *choice) takeEpisode(i int) (bool, error) {
	if facts := b.tellers(i); len(facts) > 0 {
		if taken, err := b.takeInstead(facts); err != nil || taken {
			return taken, err
		}
	}
	e := b.data.Episodes[i]
	content, ok := b.sizes.share(e.Content)
	if content != e.Content {
		if telling := b.topic.telling(e.Content); b.topic.heldBy(telling) > b.topic.heldBy(content) {
			content, ok = b.sizes.share(telling)
		}
	}
	if !ok {
		return false, nil
	}
	if taken, err := b.put(i, e.cutTo(content)); err != nil || taken {
		return taken, err
	}
	parts := prose.Sentences(content)
	for n := len(parts) - 1; n > 0; n-- { // a share of the budget has few
		short := excerpt(parts[:n])
		if b.sizes.text(short) < minExcerpt {
			return false, nil
		}
		if taken, err := b.put(i, e.cutTo(short)); err != nil || taken {
			return taken, err
		}
	}
	return false, nil
}

// tellers returns the facts that an episode states, if they say all of it.
func (b *choice) tellers(i int) (facts []int) {
	e := b.found.Episodes[i]
	if e.Marks.Pinned {
		return nil
	}
	var said []string
	for n, f := range b.found.Facts {
		if slices.Contains(f.Episodes, e.ID) {
			facts = append(facts, n)
			said = append(said, prose.Words(f.Source+" "+f.Told()+" "+f.Fact.Fact+" "+f.Target+" "+b.dates[n])...)
		}
	}
	if !hasAll(said, prose.TellingWords(e.Content)) {
		return nil
	}
	return facts
}

// takeInstead takes facts in place of an episode, if all of them fit.
func (b *choice) takeInstead(facts []int) (bool, error) {
	var taken []int
	for _, i := range facts {
		if b.facts[i] {
			continue
		}
		ok, err := b.takeLine(b.facts, i, b.data.Facts[i].Line)
		if err != nil || !ok {
			for _, i := range taken {
				delete(b.facts, i)
				b.size -= b.sizes.line(b.data.Facts[i].Line)
			}
			return false, err
		}
		taken = append(taken, i)
	}
	return true, nil
}

// put shows an episode, if it fits.
func (b *choice) put(i int, e ContextEpisode) (bool, error) {
	days, more := b.sizes.added(b.days, e.said())
	b.episodes[i] = e
	if fits, err := b.fits(more); !fits {
		delete(b.episodes, i)
		return false, err
	}
	maps.Copy(b.days, days)
	b.size += more
	return true, nil
}
