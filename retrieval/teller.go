package retrieval

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/temporal"
)

// Teller is who tells a fact that another one contradicts: the strongest source, and the latest of
// several. In SQL annals_internal.fact_sources does the same.
type Teller struct {
	Who       string // "a record", "an assistant", the name of a document or of who speaks
	Own       bool   // the speaker tells it about themselves
	Authority graph.Authority
	Said      time.Time // zero: it was told by hand
}

// on names the teller of a fact, with the day.
func (n Notes) on(t Teller) string {
	if t.Said.IsZero() {
		return n.inNote(t.Who)
	}
	of := " on "
	if t.Authority == graph.AuthorityDocument {
		of = " of "
	}
	return n.inNote(t.Who) + of + dateSaid(t.Said)
}

func dateSaid(t time.Time) string { return t.UTC().Format("2 January 2006") }

// by says who tells a fact; for people's word about themselves it says only the day.
func (n Notes) by(t Teller) string {
	if t.Own && !t.Said.IsZero() {
		return "said on " + dateSaid(t.Said)
	}
	return "said by " + n.on(t)
}

// otherwise says who contradicts a fact, and with what.
func (n Notes) otherwise(t Teller, what string) string {
	switch {
	case t.Who == "":
		return strings.TrimSuffix("disputed by: "+what, " by: ")
	case t.Authority == graph.AuthorityDocument:
		return strings.TrimSuffix(n.on(t)+" says otherwise: "+what, ": ")
	}
	return strings.TrimSuffix(n.inNote(t.Who)+" says otherwise: "+what, ": ")
}

// contradicted says, of a contradicted fact, who tells it, since when it holds if that is not the
// day of telling, and who says otherwise. It is nil if no known fact contradicts it.
func (n Notes) contradicted(h FactHit, dated bool) []string {
	others := h.Against
	if len(others) == 0 {
		others = h.Otherwise
	}
	if len(others) == 0 || h.By.Who == "" {
		return nil
	}
	said := n.by(h.By)
	if dated && !h.saidSince() {
		f := h.Fact
		if f.DisputedBy = nil; f.Trust == graph.TrustDisputed {
			f.Trust = graph.TrustBelieved
		}
		said += ", " + f.When(n.Reading)
	}
	facts := each.Of(others, func(o FactHit) graph.Fact { return o.Fact })
	return []string{said, n.otherwise(others[0].By, n.instead("", Change{Fact: h.Fact, Now: facts}))}
}

// saidSince reports whether the day of telling is all that is known of the fact's time.
func (h FactHit) saidSince() bool {
	return h.Trust != graph.TrustCandidate && h.Valid.From.Basis == temporal.Said && h.Valid.Ongoing() && dateSaid(h.Valid.Start) == dateSaid(h.By.Said)
}

// withTeller adds to a fact its teller and the facts that contradict it.
func (b changesBehind) withTeller(h FactHit) FactHit {
	h.By = b.tellers[h.ID]
	for _, f := range b.against(h.Fact) {
		g := FactHit{Fact: f, By: b.tellers[f.ID]}
		if b.later(&h.Fact, &f) {
			h.Later, g.Otherwise = true, []FactHit{{Fact: h.Fact, By: h.By}}
		}
		h.Against = append(h.Against, g)
	}
	for _, f := range b.otherwise(&h.Fact) {
		h.Otherwise = append(h.Otherwise, FactHit{Fact: f, By: b.tellers[f.ID], Later: true, Against: []FactHit{{Fact: h.Fact, By: h.By}}})
	}
	return h
}

// otherwise returns the records of a later time that contradict a fact.
func (b changesBehind) otherwise(of *graph.Fact) (later []graph.Fact) {
	for _, f := range b.latest {
		if slices.Contains(f.DisputedBy, of.ID) && b.later(f, of) {
			later = append(later, *f)
		}
	}
	return later
}

// later reports whether the disputed fact f is from a record about a later day than both the start
// and the last telling of the fact that disputes it. Such a record comes first.
func (b changesBehind) later(f, of *graph.Fact) bool {
	told, said := b.tellers[f.ID], b.tellers[of.ID].Said
	if told.Authority != graph.AuthorityDocument || f.Trust != graph.TrustDisputed || f.Valid.From.Basis != temporal.Stated || said.IsZero() {
		return false
	}
	since := f.Valid.Start.UTC().Truncate(24 * time.Hour)
	return since.After(said) && since.After(of.Valid.Start) && !since.After(b.reading) && !of.Ended(b.reading) && !f.Ended(b.reading)
}

// WithAgainst puts the facts that contradict a fact beside it, so that none stands alone. The one
// of higher authority comes first, but a record of a later time comes before the fact that it
// contradicts.
func (r Result) WithAgainst() Result {
	r.Facts = withAgainst(r.Facts)
	return r
}

func withAgainst(hits []FactHit) []FactHit {
	if !slices.ContainsFunc(hits, func(h FactHit) bool { return len(h.Against)+len(h.Otherwise) > 0 }) {
		return hits
	}
	var out []FactHit
	placed := map[uuid.UUID]bool{}
	place := func(h FactHit) {
		if !placed[h.ID] {
			placed[h.ID] = true
			out = append(out, h)
		}
	}
	beside := func(h FactHit, others []FactHit) {
		for _, other := range others {
			if i := slices.IndexFunc(hits, func(o FactHit) bool { return o.ID == other.ID }); i >= 0 {
				answers := other.Answers || h.Answers
				other = hits[i]
				other.Answers = other.Answers || answers
			} else {
				other.Score, other.Answers, other.Near = h.Score, h.Answers, h.Near
			}
			place(other)
		}
	}
	for _, h := range hits {
		before, after := h.Beside()
		beside(h, before)
		place(h)
		beside(h, after)
	}
	return out
}

// Beside returns the facts that contradict a fact: those that must stand before it, and those after
// it. A record of a later time stands before the fact that it contradicts.
func (h FactHit) Beside() (before, after []FactHit) {
	if h.Later {
		return h.Otherwise, h.Against
	}
	return slices.Concat(h.Otherwise, h.Against), nil
}
