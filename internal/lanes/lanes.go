// Package lanes arranges the versions of facts as a picture of a memory. It has a lane for
// each thing that can change, such as somebody's home. A lane has a bar for every belief
// about it, with the time during which it was believed. The picture shows the beliefs of
// any time without another query.
package lanes

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/retrieval/relation"
)

// Lane is a changeable property of an entity with all beliefs about it.
type Lane struct {
	EntityID  uuid.UUID `json:"entity_id" format:"uuid"`
	Entity    string    `json:"entity"`
	Name      string    `json:"name" doc:"home, employer, role; else the relation in words"`
	Relations []string  `json:"relations" doc:"The predicates of its facts"`
	Inverse   bool      `json:"inverse" doc:"Its facts lead to the entity, and are those of others"`
	Events    bool      `json:"events" doc:"It has what happened, of whatever relation"`
	Bars      []Bar     `json:"bars" doc:"Of all times of belief, the first learned first"`
}

// State is the state of a bar, as of when it was believed, or of now.
type State string

// The states of bars.
const (
	Holds     State = "holds"
	Ended     State = "ended"
	Happened  State = "happened"
	Planned   State = "planned"    // nobody has confirmed it
	Corrected State = "corrected"  // it never held like that; another belief replaced it
	TakenBack State = "taken back" // it never held
	Withheld  State = "withheld"   // waits to be confirmed
)

// Past reports whether it was believed and no longer is.
func (s State) Past() bool { return s == Corrected || s == TakenBack || s == Withheld }

// Bar is a belief about a lane during some time.
type Bar struct {
	FactID     uuid.UUID       `json:"fact_id" format:"uuid"`
	Label      string          `json:"label" doc:"The other end of the fact; of an event what happened"`
	Told       string          `json:"told"`
	When       string          `json:"when" doc:"In words, as exactly as it is known"`
	Kind       graph.FactKind  `json:"kind" enum:"state,event"`
	State      State           `json:"state" enum:"holds,ended,happened,planned,corrected,taken back,withheld"`
	Disputed   bool            `json:"disputed"`
	ValidAt    *time.Time      `json:"valid_at" nullable:"true" doc:"null: nobody said since when"`
	InvalidAt  *time.Time      `json:"invalid_at" nullable:"true" doc:"null: it goes on, or nobody said until when"`
	ValidFrom  graph.BoundJSON `json:"valid_from"`
	ValidUntil graph.BoundJSON `json:"valid_until"`
	Begun      *time.Time      `json:"begun" nullable:"true" doc:"By when it had begun: the end of the day, week, month … to which valid_at is known"`
	Lasts      *time.Time      `json:"lasts" nullable:"true" doc:"Until when it lasted at least: the beginning of the day, week, month … to which invalid_at is known"`
	ShownFrom  time.Time       `json:"shown_from" doc:"Since when, in our belief, it stands like this"`
	ShownUntil *time.Time      `json:"shown_until" nullable:"true" doc:"null: it still does"`
	Believed   Belief          `json:"believed" doc:"When it was believed; of what was corrected, taken back or withheld, that is over"`
	CausedBy   []uuid.UUID     `json:"caused_by" doc:"The episodes by which it stands like this; none: made by hand"`
	SaidAt     *time.Time      `json:"said_at" nullable:"true" doc:"null: it was made by hand"`
	By         *Saying         `json:"by,omitempty" doc:"What ended or corrected it; left out: nothing that is in the picture"`
	Also       []Saying        `json:"also" doc:"Other facts that say the same"`
}

// Belief is a time during which something was believed.
type Belief struct {
	From  time.Time  `json:"from"`
	Until *time.Time `json:"until" nullable:"true" doc:"null: it is believed now"`
}

// Saying is a fact in words.
type Saying struct {
	FactID uuid.UUID `json:"fact_id" format:"uuid"`
	Told   string    `json:"told"`
	When   string    `json:"when"`
}

// Since returns when the belief came to its present state. A fact that was taken back may
// have been withheld before.
func (b Bar) Since() time.Time {
	if b.State == TakenBack || b.Believed.Until == nil {
		return b.ShownFrom
	}
	return *b.Believed.Until
}

// At returns the bars that stand at a time of belief; zero: now.
func (l Lane) At(known time.Time) []Bar {
	return slices.DeleteFunc(slices.Clone(l.Bars), func(b Bar) bool {
		if known.IsZero() {
			return b.ShownUntil != nil
		}
		return b.ShownFrom.After(known) || b.ShownUntil != nil && !b.ShownUntil.After(known)
	})
}

// happenings is the name of lanes of events.
const happenings = "what happened"

// Asked returns the predicates of a lane, given its name or one of its predicates. events
// reports that it is the lane of events, which has facts of any predicate.
func Asked(wanted string) (predicates []string, events bool) {
	predicate := strings.ToUpper(strings.ReplaceAll(wanted, " ", "_"))
	predicates = append(relation.PredicatesOf(cmp.Or(relation.Named(graph.Relation(predicate)), strings.ToLower(wanted))), predicate)
	for _, p := range predicates {
		predicates = append(predicates, graph.NoLonger+p)
	}
	return predicates, strings.EqualFold(wanted, happenings)
}

// Of arranges the versions of facts in the lanes of entities, in the order of the
// entities. The versions of a fact must be adjacent, oldest first. A fact that leads to
// one of the entities, and starts from none of them, is in a lane of its target.
func Of(versions []graph.FactVersion, ends []End, entities []uuid.UUID) []Lane {
	d := newDrawing(versions, ends, entities)
	lanes, at := []Lane{}, map[strip]int{}
	for _, t := range d.things() {
		i, there := at[t.strip]
		if !there {
			i, at[t.strip] = len(lanes), len(lanes)
			lanes = append(lanes, Lane{EntityID: t.strip.entity, Name: t.strip.name, Inverse: t.strip.inverse, Events: t.strip.events, Bars: []Bar{}})
		}
		lane := &lanes[i]
		for _, f := range t.facts {
			lane.Entity = cmp.Or(lane.Entity, t.strip.entityOf(f.last()))
			if p := f.last().Predicate; !slices.Contains(lane.Relations, p) {
				lane.Relations = append(lane.Relations, p)
			}
		}
		d.draw(t, lane)
	}
	for _, lane := range lanes {
		each.Sort(lane.Bars, func(a, b Bar) int { return a.ShownFrom.Compare(b.ShownFrom) })
	}
	each.Sort(lanes, func(a, b Lane) int {
		return cmp.Or(
			cmp.Compare(slices.Index(entities, a.EntityID), slices.Index(entities, b.EntityID)), cmp.Compare(place(a), place(b)), shownFirst(a).Compare(shownFirst(b)),
			strings.Compare(a.Name, b.Name),
		)
	})
	return lanes
}

// first holds the names of the lanes that precede all others.
var first = []string{"home", "employer", "role"}

// place returns the position of a lane of an entity: home and work, then what has changed,
// then what has not, then facts of others, then events.
func place(l Lane) int {
	switch at := slices.Index(first, l.Name); {
	case l.Events:
		return 9
	case l.Inverse:
		return 8
	case at >= 0:
		return at
	case len(l.Bars) > 1:
		return 6
	}
	return 7
}

func shownFirst(l Lane) time.Time { return l.Bars[0].ShownFrom }

// nameOf returns the name of a predicate's lane.
func nameOf(predicate string) string {
	predicate = graph.Relation(predicate)
	return cmp.Or(relation.Named(predicate), strings.ToLower(strings.ReplaceAll(predicate, "_", " ")))
}
