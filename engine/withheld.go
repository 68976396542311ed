package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// findWithheld finds which episodes and relations of the draft the group withholds. It makes no
// query if only users speak and the group withholds nothing.
func (w *walk) findWithheld(ctx context.Context, d *draft) error {
	d.withheld, d.relations, d.approved, d.cameAt = make([]bool, len(d.episodes)), nil, w.approved, w.cameAt
	if d.cameAt.IsZero() {
		d.cameAt = time.Now()
	}
	below := slices.ContainsFunc(d.episodes, func(e graph.Episode) bool { return e.Authority.Below(graph.AuthorityUser) })
	if readNow := d.zone != nil; readNow && !d.holds && !below {
		return nil
	}
	p := db.WithheldParams{GroupID: d.groupID, ByHand: d.handed, Door: graph.OriginOf(ctx).Door}
	for _, episode := range d.episodes {
		p.Ids, p.Authorities, p.Threads = append(p.Ids, episode.ID), append(p.Authorities, string(episode.Authority)), append(p.Threads, episode.ThreadID)
	}
	held, err := db.New(w.store).Withheld(ctx, p)
	if err != nil {
		return fmt.Errorf("find what is withheld: %w", err)
	}
	for _, place := range held.Places {
		d.withheld[place-1] = true
	}
	if !d.handed || below { // what a user or a person adds by hand is a decision
		d.relations = held.Relations
	}
	return nil
}

func (d *draft) isWithheld(episode int) bool { return episode < len(d.withheld) && d.withheld[episode] }

// withholds reports whether a new fact is withheld, because of its episode or its relation.
func (d *draft) withholds(f *newFact) bool {
	return (d.isWithheld(f.episode) || d.withholdsRelation(f.predicate)) && d.approval(f) == nil
}

// withholdsRelation reports whether the group withholds facts of a relation, and their retractions.
func (d *draft) withholdsRelation(predicate string) bool {
	return slices.Contains(d.relations, graph.Relation(predicate))
}

// onlyWithheld reports whether a name occurs in withheld episodes only. Such a name does not change
// a known entity.
func (d *draft) onlyWithheld(place int) bool {
	return !slices.ContainsFunc(d.names[place].episodes, func(episode int) bool { return !d.isWithheld(episode) })
}

// candidate reports whether a known fact is not yet believed.
func (d *draft) candidate(k *knownFact) bool {
	if k.sibling == nil {
		return k.Trust == graph.TrustCandidate
	}
	return d.withholds(k.sibling)
}
