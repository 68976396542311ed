package engine

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// draft is what an episode, or a window of messages, adds to the graph. The fields above the line
// depend on the episodes alone. Those below depend on the graph too, and are computed again if the
// graph changes meanwhile.
type draft struct {
	groupID        string
	episodes       []graph.Episode
	handed         bool   // made of facts that the caller handed in; the episode is stored with its graph
	reader         string // who read the episodes, if they were read earlier; else empty
	ontology       graph.Ontology
	zone           *time.Location // of the group; nil: the draft was read before
	holds          bool           // whether the group withheld anything when the draft was read
	user           string         // the name of the user whose memory this is; empty: none
	called         []string       // other names under which the user spoke
	input          prompts.Episode
	parts          []part
	names          []extractedName
	nameVectors    [][]float32   // of names
	episodeVectors [][][]float32 // of episodes, by their texts
	statements     []statement
	takesBack      bool   // the episodes retract something said before
	read           []note // decisions so far

	// ---

	withheld  []bool             // by episode: the group withholds what it says
	approved  []db.ApprovedOfRow // approvals of facts that are placed again
	cameAt    time.Time          // when the episodes first came into the graph
	relations []string           // the predicates that the group withholds
	nodes     []*change.Entity   // of names: several names may share a node
	extra     []*change.Entity   // changed without being mentioned
	shown     map[uuid.UUID]bool // entities that names were compared with
	facts     []*newFact         // of statements
	known     []*knownFact       // compared with the new facts, or changed along with those
	retracted []retraction
	readmits  bool                            // an episode says again what an episode had retracted
	rests     map[uuid.UUID]temporal.Interval // versions of the stored facts that the new summaries use
	speaking  map[int]uuid.UUID               // of names that are only roles: the entity that speaks in that role; zero: nobody
	renamed   []renaming                      // entities whose names an episode corrects
	parted    []parting                       // speakers who are different people
	questions int                             // how many were put to the analyst while placing the draft
	placed    []note                          // decisions since then
}

// excerpt is the beginning of the text, as background for questions.
func (d *draft) excerpt() prompts.Episode {
	if len(d.parts) > 0 {
		return d.parts[0].input
	}
	return d.input
}

// part is a stretch of the text that is read in one call, with the names in it. Only long documents
// have several.
type part struct {
	input prompts.Episode
	names []int // indices into the draft's names
}

type extractedName struct {
	id         uuid.UUID // of the entity, where the caller gave it; zero: to be resolved
	Name       string
	read       string // the name as read, if it is the role of a speaker; empty: it is Name
	Label      string
	aliases    []string
	plain      bool // its type is none of those that the group looks for
	Attributes json.RawMessage
	episodes   []int // indices of the episodes that mention it

	bonds []matching.Bond // relations by which this entity is told apart from others of the same name
}

type statement struct {
	source, target int // indices into the draft's names
	predicate      string
	fact           string
	attributes     json.RawMessage
	ends           bool
	kind           graph.FactKind
	claimed        temporal.Validity // when it holds or happened, by its own words
	said           time.Time
	episode        int       // index of the episode that states it
	id             uuid.UUID // shared by the facts of one sentence
	vector         []float32
}

// dated reports whether the words of the statement say when it holds.
func (s statement) dated() bool {
	return s.claimed.From.Dated() || s.claimed.Until.Basis == temporal.Stated
}

// over reports whether the statement says only that a state had ended when it was said.
func (s statement) over() bool {
	return s.kind == graph.FactState && s.claimed.Until.Basis == temporal.Said
}

// span is the time of a fact while the draft is made.
type span struct {
	cameAt    time.Time // into the graph, if it is new
	approved  time.Time // by hand; zero: not approved
	valid     temporal.Validity
	boundedBy uuid.UUID // the fact that an inferred end comes from
	expired   bool      // left without any time, or retracted: not believed
	endedBy   int       // index of the episode that changed it

	unbound *change.Span // its time before boundedBy ended it; nil: not known here
}

// newFact is a statement between nodes.
type newFact struct {
	statement
	*span
	id             uuid.UUID
	source, target *change.Entity
	duplicateOf    *knownFact
	contradicts    []*knownFact
	disputedBy     []*knownFact // contradicted facts of a higher authority, which it does not end
	outranks       []*knownFact // contradicted facts of a lower authority
	disputes       []*knownFact // contradicted facts that it disputes: candidates, and those of outranks that would have ended it
	lostTo         *knownFact   // the fact that left it no time
	datesNothing   bool         // it repeats a fact of a higher authority, and does not date it
	reworded       bool         // its sentence is a part of the statement, or names the speaker

	nearRejected []db.RefusalsRow // what was rejected between the same two entities
	restated     *db.RefusalsRow  // the entry of nearRejected that it repeats in other words
}

// storedID returns the id of the stored fact that a new fact becomes or repeats.
func (f *newFact) storedID() uuid.UUID {
	if f.duplicateOf != nil {
		return f.duplicateOf.ID
	}
	return f.id
}

// knownFact is a fact to compare new ones with: a stored one, or one of an earlier message of the
// window.
type knownFact struct {
	graph.Fact
	*span
	ends      bool     // it says that something stopped holding
	sibling   *newFact // nil: it is stored
	learned   bool     // attributes were added
	announced bool     // an episode says that it was planned before it came

	reworded string    // the rest of its sentence, if a part was retracted; empty: unchanged
	vector   []float32 // of reworded
}

// saidIn reports whether an episode of the window states it.
func (k *knownFact) saidIn(episode int) bool { return k.sibling != nil && k.sibling.episode == episode }

// original returns the fact that this one repeats, or itself.
func (k *knownFact) original() *knownFact {
	if k.sibling != nil && k.sibling.duplicateOf != nil {
		return k.sibling.duplicateOf
	}
	return k
}

// moved reports whether a believed fact got another time, another reason for its end, or
// an earlier announcement.
func (k *knownFact) moved() bool {
	return !k.expired && (!k.valid.Equal(k.Valid) || k.boundedBy != k.BoundedBy || k.announced)
}

// ended reports whether a believed fact ends earlier than before.
func (k *knownFact) ended() bool {
	return k.moved() && !k.valid.End.IsZero() && (k.Valid.End.IsZero() || k.valid.End.Before(k.Valid.End))
}

// mentioned lists the distinct entities that the episodes name.
func (d *draft) mentioned() []*change.Entity { return distinct(d.nodes) }

func (d *draft) mentionedBy(episode int) []*change.Entity {
	var nodes []*change.Entity
	for i, name := range d.names {
		if slices.Contains(name.episodes, episode) {
			nodes = append(nodes, d.nodes[i])
		}
	}
	return distinct(nodes)
}

// touched lists all distinct entities of the draft.
func (d *draft) touched() []*change.Entity { return distinct(append(d.mentioned(), d.extra...)) }

func distinct(nodes []*change.Entity) []*change.Entity {
	seen := make(map[*change.Entity]bool, len(nodes))
	var out []*change.Entity
	for _, n := range nodes {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// changes lists the stored facts that get another time or other words, or are no longer believed.
func (d *draft) changes() []*knownFact {
	return each.Where(d.known, func(k *knownFact) bool { return k.moved() || k.expired || k.reworded != "" })
}

// newFacts lists the facts that the graph does not have.
func (d *draft) newFacts() []*newFact {
	return each.Where(d.facts, func(f *newFact) bool { return f.duplicateOf == nil })
}

func (d *draft) processed(episode int) Processed {
	p := Processed{Episode: d.episodes[episode], Entities: len(d.mentionedBy(episode))}
	for _, f := range d.facts {
		if f.episode == episode {
			p.Facts++
		}
	}
	for _, k := range d.changes() {
		if k.endedBy == episode && (k.expired || k.ended()) {
			p.Closed++
		}
	}
	for _, n := range d.placed {
		if n.decision == decidedRefused && slices.Contains(n.episodes, episode) {
			p.Refused++
		}
	}
	return p
}

func (d *draft) episodeIDs() []uuid.UUID {
	return each.Of(d.episodes, func(e graph.Episode) uuid.UUID { return e.ID })
}

// learnName adds an extracted name, its type and its attributes to an entity. A longer
// form of the old name becomes the main name.
func learnName(n *change.Entity, name extractedName, vector []float32, o graph.Ontology) {
	learnLabel(n, name.Label, o)
	if merged := graph.MergeAttributes(n.Attributes, name.Attributes); !change.SameJSON(merged, n.Attributes) {
		n.Attributes, n.Changed = merged, true
	}
	if !n.GoesUnder(name.Name) {
		alias := name.Name
		if wording.Extends(name.Name, n.Name) {
			alias, n.Name, n.Vector = n.Name, name.Name, vector
		}
		n.AddName(alias)
	}
	for _, alias := range name.aliases {
		n.AddName(alias)
	}
}

// learnLabel adds a type to an entity without one, or a type that the ontology defines.
func learnLabel(n *change.Entity, label string, o graph.Ontology) {
	_, defined := o.EntityType(label)
	if label != "" && (len(n.Labels) == 0 || defined) {
		n.AddLabel(label)
	}
}

// valueLabel is the type of measures, counts and prices. They match only if spelt alike: 71 kg is
// not 17 kg.
const valueLabel = "Value"

// belongsTo reports whether a name means somebody's relation or possession: Eva's sister is not
// Eva.
func belongsTo(name string, n *change.Entity) bool {
	owner, _, ok := strings.Cut(name, "'s ")
	return ok && n.GoesUnder(owner)
}
