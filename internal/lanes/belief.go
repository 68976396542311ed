package lanes

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// End is how the belief in a fact, or in one of its ends, ended. Versions do not contain
// this.
type End struct {
	FactID uuid.UUID
	At     time.Time
	How    Ending
}

// Ending is a way in which belief ends.
type Ending string

// The ways in which belief ends.
const (
	TakenOut  Ending = "taken back" // it was withdrawn, or its evidence was undone
	LetGo     Ending = "let go"     // one of its entities was merged or removed; nothing in it was wrong
	Forgotten Ending = "expired"
)

// fact holds every believed version of a fact.
type fact struct {
	versions []graph.FactVersion
	withheld []temporal.Interval // when it existed and waited to be confirmed
	ends     []End
	same     *fact // an earlier fact that says the same; nil: none
}

func (f *fact) last() graph.FactVersion { return f.versions[len(f.versions)-1] }

// lead returns the first of the facts that say the same.
func (f *fact) lead() *fact {
	for f.same != nil {
		f = f.same
	}
	return f
}

// end records how the belief in a fact ended. An expired fact is hidden before it is
// removed.
func (f *fact) end(end End) {
	f.ends = append(f.ends, end)
	if end.How != Forgotten {
		return
	}
	f.versions = slices.DeleteFunc(f.versions, func(v graph.FactVersion) bool { return !v.Recorded.Start.Before(end.At) })
	if n := len(f.versions); n > 0 && f.versions[n-1].Recorded.Contains(end.At) {
		f.versions[n-1].Recorded.End = end.At
	}
}

// fell returns why a version is no longer believed at a time, and what replaced it. The
// state is empty if nothing in it was wrong: more became known of the fact, such as its
// end, or it is believed again, or nobody contradicted it.
func (d *drawing) fell(f *fact, i int, at time.Time) (State, *graph.FactVersion) {
	v, last := f.versions[i], i
	for last+1 < len(f.versions) && !f.versions[last+1].Recorded.Start.After(at) {
		last++
	}
	if last > i {
		if next := f.versions[last]; f.contradicts(v, next) {
			return Corrected, &next
		}
		return "", nil
	}
	over := v.Recorded.End
	for _, waited := range f.withheld {
		switch {
		case waited.Contains(at):
			return Withheld, nil
		case !waited.Ongoing() && waited.End.After(over) && !waited.End.After(at):
			over = waited.End
		}
	}
	by, same := d.replaced(v, over)
	switch how := f.ended(v, over); {
	case same || how == LetGo || how == Forgotten:
		return "", nil
	case by == nil && how == TakenOut:
		return TakenBack, nil
	default:
		return Corrected, by
	}
}

// ended returns how the belief in a fact ended after its last believed version.
func (f *fact) ended(v graph.FactVersion, over time.Time) (how Ending) {
	for _, end := range f.ends {
		if end.At.After(v.Recorded.Start) && !end.At.After(over) && (how == "" || how == TakenOut) {
			how = end.How
		}
	}
	return how
}

// replaced returns the version that replaced v when the belief in v ended. same reports
// that it is the same statement under another id.
func (d *drawing) replaced(v graph.FactVersion, over time.Time) (by *graph.FactVersion, same bool) {
	for _, w := range d.began[over] {
		is := w.TargetID == v.TargetID || d.byID[w.ID].versions[0].Recorded.Start.Equal(w.Recorded.Start) // otherwise it is a new version of another fact
		switch {
		case w.ID == v.ID || w.SourceID != v.SourceID || nameOf(w.Predicate) != nameOf(v.Predicate) || noLonger(w) || !is:
		case w.TargetID == v.TargetID && w.Valid.Equal(v.Valid):
			return nil, true
		case by == nil || w.TargetID == v.TargetID:
			by = &w
		}
	}
	return by, false
}

// contradicts reports whether a later version says that an earlier one was wrong. An
// entity that was merged into another counts as equal.
func (f *fact) contradicts(v, next graph.FactVersion) bool {
	merged := slices.ContainsFunc(f.ends, func(end End) bool {
		return end.How == LetGo && !end.At.Before(v.Recorded.End) && !end.At.After(next.Recorded.Start)
	})
	began := !v.Valid.Start.IsZero() && v.Valid.From.Dated() && !next.Valid.Start.Equal(v.Valid.Start)
	ended := !v.Valid.End.IsZero() && v.Valid.Until.Dated() && v.Kind != graph.FactEvent && !next.Valid.End.Equal(v.Valid.End)
	return began || ended || v.TargetID != next.TargetID && !merged || v.Predicate != next.Predicate
}
