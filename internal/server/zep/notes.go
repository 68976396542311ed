package zep

import (
	"reflect"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/fence"
	"github.com/annalsdb/annals/internal/service"
)

// What became of an episode, and that a fact is disputed, have no field in Zep's formats:
// a note in parentheses says so before the text, in which nothing is written like one.

// annotated makes rows hits, with what became of them.
func (c *call) annotated(p place, rows service.Rows) (annals.Result, error) {
	return p.Annotate(c.ctx(), annals.Query{GroupID: p.group}, rows)
}

// noted are episodes with the notes before their contents.
func (c *call) noted(p place, episodes []annals.Episode) ([]annals.Episode, error) {
	found, err := c.annotated(p, service.Rows{Episodes: episodes})
	return views(found.Episodes, notedEpisode), err
}

func notedEpisode(h annals.EpisodeHit) annals.Episode {
	e := h.Episode
	e.Content = fence.Noted(fence.Opening(fence.WithoutNotes(e.Content)), h.Note(time.Now()))
	return e
}

// notedFact is a fact's sentence with the note that it is disputed.
func notedFact(h annals.FactHit) string {
	return fence.Noted(fence.Opening(fence.WithoutNotes(h.Told())), h.Caveat(time.Now()))
}

// nodesOf turns entities into nodes.
func (c *call) nodesOf(p place, entities []annals.Entity) ([]nodeView, error) {
	found, err := c.annotated(p, service.Rows{Entities: entities})
	if err != nil {
		return nil, err
	}
	return c.nodes(p, found.Entities)
}

// edgesOf turns facts into edges.
func (c *call) edgesOf(p place, facts []annals.Fact) ([]edgeView, error) {
	found, err := c.annotated(p, service.Rows{Facts: facts})
	if err != nil {
		return nil, err
	}
	return c.edges(p, found.Facts)
}

// withAgainst puts what disputes a fact before it, unless a filter may keep that out.
func withAgainst(q annals.Query, found annals.Result) annals.Result {
	if !reflect.DeepEqual(q.Filter, annals.Filter{}) {
		return found
	}
	return found.WithAgainst()
}
