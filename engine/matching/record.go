package matching

import (
	"maps"
	"slices"
	"strings"
)

// Record is what is known about an entity.
type Record struct {
	// Names are its names, the most complete one first.
	Names []string
	// Labels are its types. Person and Organization change how names are compared. Two records that
	// both have labels and share none are never the same. Empty means unknown.
	Labels []string
	// Attributes are values by key, such as "born": "1979-11-12". Only keys that both records have
	// are compared. Keys are compared by their letters and digits after [Fold]. Empty values count
	// as absent.
	Attributes map[string]string
}

// record is a Record prepared for comparison.
type record struct {
	kind       kind
	labels     []string
	names      []name
	attributes []attribute // by key
}

func newRecord(r Record) record {
	out := record{labels: spoken(r.Labels), names: make([]name, 0, len(r.Names))}
	out.kind = kindOf(out.labels)
	for _, n := range r.Names {
		if strings.TrimSpace(n) != "" {
			out.names = append(out.names, newName(n, out.kind))
		}
	}
	if len(r.Attributes) == 0 {
		return out
	}
	for _, key := range slices.Sorted(maps.Keys(r.Attributes)) {
		if a, ok := newAttribute(key, r.Attributes[key]); ok {
			out.attributes = append(out.attributes, a)
		}
	}
	slices.SortStableFunc(out.attributes, func(a, b attribute) int { return strings.Compare(a.key, b.key) })
	out.attributes = slices.CompactFunc(out.attributes, func(a, b attribute) bool { return a.key == b.key })
	return out
}

// spoken returns the labels without empty ones.
func spoken(labels []string) []string {
	if slices.Contains(labels, "") {
		return slices.DeleteFunc(slices.Clone(labels), func(l string) bool { return l == "" })
	}
	return labels
}

func kindOf(labels []string) kind {
	k := anything
	for _, l := range labels {
		switch {
		case strings.EqualFold(l, "person"):
			return person
		case strings.EqualFold(l, "organization"), strings.EqualFold(l, "organisation"), strings.EqualFold(l, "company"):
			k = organisation
		case k == anything:
			k = thing
		}
	}
	return k
}

// classes are kinds of things that exclude each other, by the labels that name them. Any other
// label, such as Pilot, may go with all kinds.
var classes = func() map[string]int {
	out := map[string]int{}
	for i, labels := range []string{"person user human", "organization organisation company", "place city town village country region location", "pet animal dog cat", "product", "event"} {
		for _, label := range strings.Fields(labels) {
			out[label] = i + 1
		}
	}
	return out
}()

// OtherKinds reports whether labels say that two things are of different kinds, such as a friend
// and a company that are both called Apple.
func OtherKinds(a, b []string) bool {
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool {
			one, other := classes[strings.ToLower(x)], classes[strings.ToLower(y)]
			return one == 0 || other == 0 || one == other
		})
	})
}

// commonKind returns the kind that two records share. It returns false if their labels exclude each
// other.
func commonKind(a, b *record) (kind, bool) {
	switch {
	case len(a.labels) == 0:
		return b.kind, true
	case len(b.labels) == 0:
		return a.kind, true
	}
	for _, l := range a.labels {
		if slices.ContainsFunc(b.labels, func(other string) bool { return strings.EqualFold(l, other) }) {
			return max(a.kind, b.kind), true
		}
	}
	if a.kind == b.kind && a.kind != thing {
		return a.kind, true // "Company" and "Organization"
	}
	return anything, false
}

// compareAllNames returns the closest relation between the names of two records, unless another
// pair of names contradicts it.
func compareAllNames(a, b *record, k kind) likeness {
	best := likeness{relation: unlike, reason: "no names to compare"}
	var against, single likeness
	nickname := false
	for i := range a.names {
		for j := range b.names {
			l := compareNames(&a.names[i], &b.names[j], k)
			nickname = nickname || l.nickname
			switch {
			case l.relation == conflict && l.single:
				single = l
			case l.relation == conflict:
				against = better(against, l)
			default:
				best = better(best, l)
			}
		}
	}
	switch {
	case best.relation >= variant:
		return best
	case against.relation == conflict: // Caroline Smith, called Caroline, is not Caroline Jones
		return against
	case best.relation == unlike && single.relation == conflict:
		return single
	case best.surname && single.relation == conflict:
		return likeness{relation: similar, score: 0.5, reason: "the surname of somebody known by the first name"}
	case best.relation == fitting && best.part && nickname && !best.nickname:
		// An entity with several first names is well known: a full name with one of them is more
		// likely somebody else's.
		return likeness{relation: similar, score: 0.5, reason: "one of several first names"}
	}
	return best
}

func better(a, b likeness) likeness {
	if b.relation > a.relation || b.relation == a.relation && b.score > a.score {
		return b
	}
	return a
}
