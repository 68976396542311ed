package lanes

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/temporal"
)

// End is how the belief in a fact ended, or in an end of it, which its versions do not
// tell.
type End struct {
	FactID uuid.UUID
	At     time.Time
	How    Ending
}

// Ending is a way in which belief ends.
type Ending string

// The ways in which belief ends.
const (
	TakenOut  Ending = "taken back" // it was withdrawn, or what it rested on was undone
	LetGo     Ending = "let go"     // an end of it was merged into another, or removed: nothing of it was wrong
	Forgotten Ending = "expired"
)

// fact is every version of one fact that was believed.
type fact struct {
	versions []graph.FactVersion
	withheld []temporal.Interval // when it was there, and waited to be confirmed
	ends     []End
	same     *fact // another fact that says the same; nil: it is the first that does
}

func (f *fact) last() graph.FactVersion { return f.versions[len(f.versions)-1] }

// lead is the first of the facts that say the same.
func (f *fact) lead() *fact {
	for f.same != nil {
		f = f.same
	}
	return f
}

// end notes how the belief in a fact ended. What has expired is hidden before it is taken
// out.
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

// fell is why, at a time, the version of a fact is believed no longer, and what took its
// place; empty: more became known of it, as that it ended, it is believed again, or
// nobody says that anything of it was wrong.
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

// ended is how the belief in a fact ended, the last version of which was believed.
func (f *fact) ended(v graph.FactVersion, over time.Time) (how Ending) {
	for _, end := range f.ends {
		if end.At.After(v.Recorded.Start) && !end.At.After(over) && (how == "" || how == TakenOut) {
			how = end.How
		}
	}
	return how
}

// replaced is what began to be believed in place of a version when the belief in it
// ended, and whether that is the same under another id.
func (d *drawing) replaced(v graph.FactVersion, over time.Time) (by *graph.FactVersion, same bool) {
	for _, w := range d.began[over] {
		is := w.TargetID == v.TargetID || d.byID[w.ID].versions[0].Recorded.Start.Equal(w.Recorded.Start) // else more became known of another
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

// contradicts reports whether what is believed of a fact later says that it was wrong. An
// end of it that was merged into another entity is the same.
func (f *fact) contradicts(v, next graph.FactVersion) bool {
	merged := slices.ContainsFunc(f.ends, func(end End) bool {
		return end.How == LetGo && !end.At.Before(v.Recorded.End) && !end.At.After(next.Recorded.Start)
	})
	began := !v.Valid.Start.IsZero() && v.Valid.From.Dated() && !next.Valid.Start.Equal(v.Valid.Start)
	ended := !v.Valid.End.IsZero() && v.Valid.Until.Dated() && v.Kind != graph.FactEvent && !next.Valid.End.Equal(v.Valid.End)
	return began || ended || v.TargetID != next.TargetID && !merged || v.Predicate != next.Predicate
}
