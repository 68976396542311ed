package offline

import (
	"context"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/prompts"
)

// ResolveEntities recognises a name if exactly one candidate fits it by the rules of package
// matching. The candidate has the same name except for case, accents and the like, or a shorter or
// fuller name of the same person or organisation, or the short form of a first name. In doubt a
// name is new: a wrong merge hurts more than a missed one.
func (*Analyst) ResolveEntities(ctx context.Context, q prompts.ResolveEntities) (prompts.ResolvedEntities, error) {
	var out prompts.ResolvedEntities
	message := heard{q.Episode, sync.OnceValue(func() reading { return read(q.Episode) })}
	for _, e := range q.Entities {
		if matching.Another(q.Episode.Content, e.Name) {
			continue
		}
		if c, reason := message.meansThing(e); c != nil {
			out.Resolutions = append(out.Resolutions, prompts.EntityResolution{ID: e.ID, Candidate: c.ID, Reason: reason, Name: fuller(e.Name, c.Name)})
		} else if c, reason := message.meansSame(e); c != nil {
			out.Resolutions = append(out.Resolutions, prompts.EntityResolution{ID: e.ID, Candidate: c.ID, Reason: reason, Name: fuller(e.Name, c.Name)})
		} else if c, reason := recognise(byBond(q.Episode, e)); c != nil {
			out.Resolutions = append(out.Resolutions, prompts.EntityResolution{
				ID: e.ID, Candidate: c.ID, Reason: reason, Name: fuller(e.Name, c.Name),
			})
		}
	}
	return out, ctx.Err()
}

// recognise returns the only candidate that an entity can be.
func recognise(e prompts.UnresolvedEntity) (*prompts.EntityCandidate, string) {
	known := make([]matching.Record, len(e.Candidates))
	for i, c := range e.Candidates {
		known[i] = matching.Record{Names: append([]string{c.Name}, c.Aliases...), Labels: c.Labels}
	}
	i, verdict := matching.Resolve(matching.Record{Names: []string{e.Name}, Labels: []string{e.Label}}, known)
	if i < 0 {
		return nil, ""
	}
	return &e.Candidates[i], verdict.Reason
}

// byBond keeps the candidates that fit the bond of a name in the message, or last in earlier
// messages: "my sister Anna" is not the colleague of that name. A name without a bond means the
// only candidate of exactly that name without one, if there are several.
func byBond(e prompts.Episode, u prompts.UnresolvedEntity) prompts.UnresolvedEntity {
	said := matching.Bonds(e.Content, u.Name, e.Speaker)
	for i := len(e.Previous) - 1; i >= 0 && said == nil; i-- {
		said = matching.Bonds(e.Previous[i].Content, u.Name, e.Previous[i].Speaker)
	}
	var like, may, unbound, exact []prompts.EntityCandidate
	for _, c := range u.Candidates {
		known := matching.Bonds(c.Summary, u.Name, "")
		if !matching.OfOther(said, known) {
			may = append(may, c)
		}
		if fold(c.Name) != fold(u.Name) {
			continue
		}
		exact = append(exact, c)
		if known == nil {
			unbound = append(unbound, c)
		}
		if slices.ContainsFunc(said, func(b matching.Bond) bool { return slices.ContainsFunc(known, b.Alike) }) {
			like = append(like, c)
		}
	}
	switch {
	case len(like) == 1:
		u.Candidates = like
	case said == nil && len(exact) > 1 && len(unbound) == 1:
		u.Candidates = unbound
	default:
		u.Candidates = may
	}
	return u
}

// fuller returns the longer of two names, or the one written like a name if they are equally long.
func fuller(a, b string) string {
	if len(a) > len(b) || len(a) == len(b) && startsUpper(a) {
		return a
	}
	return b
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
