package lanes

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/temporal"
)

// strip is a lane before drawing.
type strip struct {
	entity          uuid.UUID
	name            string
	inverse, events bool
}

type drawing struct {
	entities []uuid.UUID
	facts    []*fact
	byID     map[uuid.UUID]*fact
	began    map[time.Time][]graph.FactVersion // by the time at which belief began
	reading  time.Time
}

func newDrawing(versions []graph.FactVersion, ends []End, entities []uuid.UUID) *drawing {
	d := &drawing{entities: entities, byID: map[uuid.UUID]*fact{}, began: map[time.Time][]graph.FactVersion{}, reading: time.Now()}
	for _, v := range versions {
		f := d.byID[v.ID]
		if f == nil {
			f = &fact{}
			d.facts, d.byID[v.ID] = append(d.facts, f), f
		}
		if v.Trust == graph.TrustCandidate {
			f.withheld = append(f.withheld, v.Recorded)
			continue
		}
		f.versions = append(f.versions, v)
		d.began[v.Recorded.Start] = append(d.began[v.Recorded.Start], v)
	}
	for _, end := range ends {
		if f := d.byID[end.FactID]; f != nil {
			f.end(end)
		}
	}
	d.facts = slices.DeleteFunc(d.facts, func(f *fact) bool { return len(f.versions) == 0 })
	maps.DeleteFunc(d.byID, func(_ uuid.UUID, f *fact) bool { return len(f.versions) == 0 })
	d.unite()
	return d
}

// unite joins the facts that say the same in other words. These are facts of one relation
// to the same entity; facts with the same sentence, if one relation is narrower, as HAS_DOG
// is than HAS; and a fact that something is no longer so, with the fact that it ended.
func (d *drawing) unite() {
	ends, said := map[[4]string]*fact{}, map[[3]string][]*fact{}
	for _, f := range d.facts {
		v := f.last()
		source, relation := v.SourceID.String(), graph.Relation(v.Predicate)
		if end := [4]string{source, v.TargetID.String(), nameOf(relation)}; v.Kind != graph.FactEvent || noLonger(v) {
			if other := ends[end]; other != nil {
				join(other, f)
			}
			ends[end] = f
		}
		sentence := [3]string{source, v.Told(), string(v.Kind)}
		for _, other := range said[sentence] {
			if o := graph.Relation(other.last().Predicate); strings.HasPrefix(o, relation+"_") || strings.HasPrefix(relation, o+"_") {
				join(other, f)
			}
		}
		said[sentence] = append(said[sentence], f)
		if by := d.byID[v.BoundedBy]; by != nil && noLonger(by.last()) {
			join(f, by)
		}
	}
}

func join(a, b *fact) {
	if a, b := a.lead(), b.lead(); a != b {
		b.same = a
	}
}

// noLonger reports whether a fact states the end of another.
func noLonger(v graph.FactVersion) bool { return strings.HasPrefix(v.Predicate, graph.NoLonger) }

// thing is a statement, made by one or several facts.
type thing struct {
	strip strip
	facts []*fact
}

// things returns the statements of the facts, in the order of their first facts.
func (d *drawing) things() []*thing {
	var all []*thing
	of := map[*fact]*thing{}
	for _, f := range d.facts {
		t := of[f.lead()]
		if t == nil {
			t = &thing{}
			all, of[f.lead()] = append(all, t), t
		}
		t.facts = append(t.facts, f)
	}
	for _, t := range all {
		t.strip = d.strip(t)
	}
	return all
}

// strip returns the lane of a thing, that of its narrowest state.
func (d *drawing) strip(t *thing) strip {
	v := slices.MaxFunc(t.facts, func(a, b *fact) int { return a.narrower(b) }).last()
	s := strip{entity: v.SourceID, name: nameOf(v.Predicate)}
	if !slices.Contains(d.entities, s.entity) {
		s.entity, s.inverse = v.TargetID, true
	}
	if v.Kind == graph.FactEvent && !noLonger(v) {
		s = strip{entity: s.entity, name: happenings, events: true}
	}
	return s
}

// narrower compares how specific the relations of two facts are.
func (f *fact) narrower(g *fact) int {
	a, b := f.last(), g.last()
	return cmp.Or(-order(a.Kind == graph.FactEvent, b.Kind == graph.FactEvent), cmp.Compare(len(a.Predicate), len(b.Predicate)))
}

// order compares booleans, false first.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// reworded reports whether the fact's sentence no longer names one of its ends, since
// somebody corrected it by hand.
func (d *drawing) reworded(v graph.FactVersion, end string) bool {
	f := d.byID[v.ID]
	return f != nil && namesFold(f.versions[0].Told(), end) && !namesFold(v.Told(), end)
}

func namesFold(sentence, name string) bool {
	return strings.Contains(strings.ToLower(sentence), strings.ToLower(name))
}

// entityOf returns the lane's entity by its name in a fact.
func (s strip) entityOf(v graph.FactVersion) string {
	if v.SourceID == s.entity {
		return v.Source
	}
	return v.Target
}

// otherEnd returns the name of the fact's other entity.
func (s strip) otherEnd(v graph.FactVersion) string {
	if v.SourceID == s.entity {
		return v.Target
	}
	return v.Source
}

// draw adds the bars of a thing to a lane: those that stand at each time at which the
// belief changed, for as long as they stand.
func (d *drawing) draw(t *thing, lane *Lane) {
	var times []time.Time
	for _, f := range t.facts {
		for _, v := range f.versions {
			times = append(times, v.Recorded.Start)
			if !v.Recorded.Ongoing() {
				times = append(times, v.Recorded.End)
			}
		}
		for _, waited := range f.withheld {
			times = append(times, waited.Start)
			if !waited.Ongoing() {
				times = append(times, waited.End)
			}
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	open := map[string]int{} // indexes of the standing bars, by what they show
	for _, at := range slices.CompactFunc(times, time.Time.Equal) {
		standing := map[string]int{}
		for _, bar := range d.at(t, at) {
			shows := bar.shows()
			if i, there := open[shows]; there {
				standing[shows] = i
				continue
			}
			standing[shows] = len(lane.Bars)
			bar.ShownFrom = at
			lane.Bars = append(lane.Bars, bar)
		}
		for shows, i := range open {
			if _, still := standing[shows]; !still {
				lane.Bars[i].ShownUntil = new(at)
			}
		}
		open = standing
	}
}

// shows returns a key of what a bar shows, to compare bars.
func (b Bar) shows() string {
	var all strings.Builder
	all.WriteString(b.FactID.String() + b.Believed.From.String() + string(b.State))
	if b.By != nil {
		all.WriteString(b.By.FactID.String() + b.By.When)
	}
	for _, s := range b.Also {
		all.WriteString(s.FactID.String() + s.When)
	}
	return all.String()
}

// at returns the bars of a thing at a time of belief: believed facts, facts that say the
// same, and formerly believed ones.
func (d *drawing) at(t *thing, at time.Time) (bars []Bar) {
	var believed []graph.FactVersion
	for _, f := range t.facts {
		for i, v := range f.versions {
			switch {
			case v.Recorded.Contains(at):
				believed = append(believed, v)
			case !v.Recorded.Ongoing() && !v.Recorded.End.After(at):
				if state, by := d.fell(f, i, at); state != "" {
					bars = append(bars, d.ghost(t, v, state, by))
				}
			}
		}
	}
	each.Sort(believed, better)
	past := len(bars)
	var leads []graph.FactVersion // of the bars after past
next:
	for _, v := range believed {
		for i, of := range leads {
			if lead := &bars[past+i]; lead.covers(v) && (of.TargetID == v.TargetID || lead.Told == v.Told() || noLonger(v)) { // otherwise their entities were merged later
				lead.Also = append(lead.Also, saying(v, d.readingOf(v)))
				continue next
			}
		}
		leads, bars = append(leads, v), append(bars, d.bar(t, v))
	}
	return bars
}

// better sorts the facts so that the one that represents the others comes first: a state
// before an event, then one with a stated start, then the earliest.
func better(a, b graph.FactVersion) int {
	return cmp.Or(
		order(a.Kind == graph.FactEvent, b.Kind == graph.FactEvent), order(!a.Valid.From.Dated(), !b.Valid.From.Dated()), a.Valid.Start.Compare(b.Valid.Start),
		-cmp.Compare(len(a.Predicate), len(b.Predicate)),
	)
}

// covers reports whether a bar shows all that a fact says: an end, if the bar has one, or
// something within its time.
func (b *Bar) covers(v graph.FactVersion) bool {
	if noLonger(v) {
		return b.InvalidAt != nil
	}
	if b.Kind != cmp.Or(v.Kind, graph.FactState) {
		return false
	}
	begins := b.ValidAt == nil || !v.Valid.Start.IsZero() && !v.Valid.Start.Before(*b.ValidAt)
	over := b.InvalidAt == nil && v.Valid.End.IsZero() || b.InvalidAt != nil && !v.Valid.End.IsZero() && !v.Valid.End.After(*b.InvalidAt)
	return begins && over
}

func saying(v graph.FactVersion, reading time.Time) Saying {
	return Saying{v.ID, v.Told(), v.When(reading)}
}

// readingOf returns the time of reading of a version: now, or when it was last believed.
func (d *drawing) readingOf(v graph.FactVersion) time.Time {
	if v.Recorded.Ongoing() {
		return d.reading
	}
	return v.Recorded.End
}

func (d *drawing) ghost(t *thing, v graph.FactVersion, state State, by *graph.FactVersion) Bar {
	bar := d.bar(t, v)
	bar.State, bar.By, bar.CausedBy = state, nil, append([]uuid.UUID{}, v.EndedBy...)
	if by != nil {
		bar.By = new(saying(*by, d.reading))
	}
	return bar
}

func (d *drawing) bar(t *thing, v graph.FactVersion) Bar {
	reading := d.readingOf(v)
	f := v.JSONAt(reading)
	bar := Bar{
		FactID: f.ID, Label: t.strip.otherEnd(v), Told: f.Told, When: f.When, Kind: f.Kind, State: stateOf(v, reading), Disputed: v.Disputed(),
		ValidAt: f.ValidAt, InvalidAt: f.InvalidAt, ValidFrom: f.ValidFrom, ValidUntil: f.ValidUntil, SaidAt: f.SaidAt,
		Believed: Belief{From: v.Recorded.Start, Until: f.KnownUntil}, Also: []Saying{}, CausedBy: append([]uuid.UUID{}, v.CausedBy...),
	}
	if v.Kind == graph.FactEvent {
		bar.Label = happened(f.Told, t.strip.entityOf(v))
	} else if d.reworded(v, bar.Label) {
		bar.Label = strings.TrimRight(f.Told, ".!? ")
	}
	if unit := v.Valid.From.Unit(v.Valid.Start); f.ValidAt != nil && !unit.End.IsZero() {
		bar.Begun = &unit.End
	}
	if unit := v.Valid.Until.Unit(v.Valid.End.Add(-1)); f.InvalidAt != nil && v.Valid.Until.Precision != temporal.ToInstant {
		bar.Lasts = &unit.Start
	}
	if by := d.byID[v.BoundedBy]; by != nil {
		bar.By = new(saying(by.last(), d.reading))
	}
	return bar
}

func stateOf(v graph.FactVersion, reading time.Time) State {
	switch {
	case v.Valid.Start.After(reading) || v.Valid.From.Basis == temporal.Planned:
		return Planned
	case v.Kind == graph.FactEvent:
		return Happened
	case v.Ended(reading):
		return Ended
	}
	return Holds
}

// happened returns the sentence of an event without its subject.
func happened(told, who string) string {
	if did, ok := strings.CutPrefix(told, who+" "); ok {
		told = did
	}
	return strings.TrimRight(told, ".")
}
