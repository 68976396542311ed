package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// findHeld finds out which episodes of the draft are withheld. The word of a user or a
// person never is, so that nothing is asked about it.
func (w *walk) findHeld(ctx context.Context, d *draft) error {
	d.held = make([]bool, len(d.episodes))
	p := db.EpisodesWithheldParams{GroupID: d.groupID}
	var places []int
	for i, episode := range d.episodes {
		if episode.Authority.Below(graph.AuthorityUser) {
			places = append(places, i)
			p.Ids, p.Authorities, p.Threads = append(p.Ids, episode.ID), append(p.Authorities, string(episode.Authority)), append(p.Threads, episode.ThreadID)
		}
	}
	if len(places) == 0 {
		return nil
	}
	held, err := db.New(w.store).EpisodesWithheld(ctx, p)
	if err != nil {
		return fmt.Errorf("find what is withheld: %w", err)
	}
	for _, place := range held {
		d.held[places[place-1]] = true
	}
	return nil
}

// isHeld reports whether an episode of the draft is withheld.
func (d *draft) isHeld(episode int) bool { return episode < len(d.held) && d.held[episode] }

// heldName reports whether only withheld episodes speak of a name: what they say of an
// entity that is known does not change it.
func (d *draft) heldName(place int) bool {
	return !slices.ContainsFunc(d.names[place].episodes, func(episode int) bool { return !d.isHeld(episode) })
}

// candidate reports whether a known fact is not believed: it is stored as a candidate,
// or only withheld episodes of the draft state it.
func (d *draft) candidate(k *knownFact) bool {
	if k.sibling == nil {
		return k.Trust == graph.TrustCandidate
	}
	return d.isHeld(k.sibling.episode)
}
