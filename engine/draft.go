package engine

import (
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// draft is what one episode adds to the graph, as far as it is worked out.
// Everything above the line comes from the episode alone; what is below depends
// on the graph and is worked out again when the graph changed meanwhile.
type draft struct {
	episode       graph.Episode
	input         prompts.Episode
	names         []prompts.ExtractedEntity
	nameVectors   [][]float32 // of names
	episodeVector []float32
	statements    []statement

	// ---

	nodes []*node      // of names: several names may share a node
	extra []*node      // touched without being mentioned
	facts []*newFact   // of statements
	known []*knownFact // that the new facts were compared with
}

// statement is an extracted fact that passed the checks.
type statement struct {
	prompts.ExtractedFact
	id     uuid.UUID // shared by the facts of one sentence
	vector []float32
}

// node is an entity in hand.
type node struct {
	graph.Entity
	isNew   bool
	changed bool      // differs from the stored row
	vector  []float32 // of the name, when it is new
}

// newFact is a statement between nodes.
type newFact struct {
	statement
	id             uuid.UUID
	source, target *node
	valid          temporal.Interval
	duplicateOf    *knownFact
	contradicts    []*knownFact
	expired        bool // superseded before anybody could believe it
}

// knownFact is a stored fact that new ones were compared with.
type knownFact struct {
	graph.Fact
	ends    bool              // it says that something stopped holding
	valid   temporal.Interval // as the new facts leave it
	expired bool              // no longer believed
}

func (k *knownFact) closed() bool { return !k.expired && !k.valid.Equal(k.Valid) }

// mentioned returns the distinct nodes that the episode names.
func (d *draft) mentioned() []*node { return distinct(d.nodes) }

// touched returns all distinct nodes in hand.
func (d *draft) touched() []*node { return distinct(append(d.mentioned(), d.extra...)) }

func distinct(nodes []*node) []*node {
	seen := make(map[*node]bool, len(nodes))
	var out []*node
	for _, n := range nodes {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// closings returns the known facts that end, or stop being believed, by this episode.
func (d *draft) closings() []*knownFact {
	var out []*knownFact
	for _, k := range d.known {
		if k.closed() || k.expired {
			out = append(out, k)
		}
	}
	return out
}

// claimed is the fact's stretch of time as the episode states it. Without a
// start it begins at the reference time, unless it had ended by then.
func (s statement) claimed(ref time.Time) temporal.Interval {
	var i temporal.Interval
	if s.ValidAt != nil {
		i.Start = s.ValidAt.UTC()
	}
	if s.InvalidAt != nil {
		i.End = s.InvalidAt.UTC()
	}
	if i.Start.IsZero() && (i.End.IsZero() || ref.Before(i.End)) {
		i.Start = ref
	}
	if i.Empty() {
		i.End = time.Time{}
	}
	return i
}
