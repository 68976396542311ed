// Package lanes sets the versions of facts out as a picture of a memory: a lane for
// each thing that can change, such as somebody's home, and in it a bar for everything
// that was believed of it, with the stretch of time in which it was believed so. Who
// has it can show what was believed at any time without asking again.
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

// Lane is one thing that can change of one entity, and what was believed of it.
type Lane struct {
	EntityID  uuid.UUID `json:"entity_id" format:"uuid"`
	Entity    string    `json:"entity"`
	Name      string    `json:"name" doc:"home, employer, role; else the relation in words"`
	Relations []string  `json:"relations" doc:"The predicates of its facts"`
	Inverse   bool      `json:"inverse" doc:"Its facts lead to the entity, and are those of others"`
	Events    bool      `json:"events" doc:"It has what happened, of whatever relation"`
	Bars      []Bar     `json:"bars" doc:"Of all times of belief, the first learned first"`
}

// State is how a bar stands, as of when it was believed, or of now.
type State string

// The states of bars.
const (
	Holds     State = "holds"
	Ended     State = "ended"
	Happened  State = "happened"
	Planned   State = "planned"    // nobody has said that it came
	Corrected State = "corrected"  // something else took its place: it never held like that
	TakenBack State = "taken back" // it never held
	Withheld  State = "withheld"   // it waits to be confirmed
)

// Past reports whether it was believed, and is not any more.
func (s State) Past() bool { return s == Corrected || s == TakenBack || s == Withheld }

// Bar is what was believed of a lane for some time.
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

// Belief is a stretch of time in which something was believed.
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

// Since is when what was believed came to stand as it does: what was taken back may have
// been withheld before.
func (b Bar) Since() time.Time {
	if b.State == TakenBack || b.Believed.Until == nil {
		return b.ShownFrom
	}
	return *b.Believed.Until
}

// At are the bars that stand at a time of belief; zero: now.
func (l Lane) At(known time.Time) []Bar {
	return slices.DeleteFunc(slices.Clone(l.Bars), func(b Bar) bool {
		if known.IsZero() {
			return b.ShownUntil != nil
		}
		return b.ShownFrom.After(known) || b.ShownUntil != nil && !b.ShownUntil.After(known)
	})
}

// happenings is the name of the lanes of what happened.
const happenings = "what happened"

// Asked are the predicates of the facts of a lane, by its name or one of them, and whether
// it is that of what happened, which has facts of any.
func Asked(wanted string) (predicates []string, events bool) {
	predicate := strings.ToUpper(strings.ReplaceAll(wanted, " ", "_"))
	predicates = append(relation.PredicatesOf(cmp.Or(relation.Named(graph.Relation(predicate)), strings.ToLower(wanted))), predicate)
	for _, p := range predicates {
		predicates = append(predicates, graph.NoLonger+p)
	}
	return predicates, strings.EqualFold(wanted, happenings)
}

// Of sets out the versions of facts, those of one fact together and the oldest first,
// in lanes of entities: those of the first first. Facts that lead to an entity are in
// lanes of it where they start from none of them.
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

// first are the names of the lanes that stand above all others.
var first = []string{"home", "employer", "role"}

// place puts the lanes of an entity in order: home and work, then what has changed,
// then what has not, what others have to do with it, and what happened.
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

// nameOf is the name of the lane of a predicate.
func nameOf(predicate string) string {
	predicate = graph.Relation(predicate)
	return cmp.Or(relation.Named(predicate), strings.ToLower(strings.ReplaceAll(predicate, "_", " ")))
}
