package offline

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/prompts"
)

// Who says "the flight" on the day after "my flight to Boston is on 20 July" means that
// flight. A thing that gets another date is the only known one that its words fit, if
// that one has a date still to come.

// meansThing is the known thing that a message gives another date to, named less fully
// than before; nil: there is none, or there are several.
func meansThing(e prompts.Episode, u prompts.UnresolvedEntity) (*prompts.EntityCandidate, string) {
	if u.Label == "Topic" && getsDate(e, u.Name) {
		return onlyCandidate(u, func(c prompts.EntityCandidate) bool {
			return slices.Contains(c.Labels, "Topic") && namedLessFully(u.Name, c.Name, e.Speaker) && isToCome(c.Summary, e.OccurredAt)
		}), "the only such thing with a date to come"
	}
	if isCode(lastWord(u.Name)) && (u.Label == "" || u.Label == "Topic") {
		return onlyCandidate(u, func(c prompts.EntityCandidate) bool {
			name, full := fold(u.Name), fold(c.Name)
			return name != full && (strings.HasSuffix(full, " "+name) || strings.HasSuffix(name, " "+full)) && isCode(lastWord(c.Name))
		}), "the only thing with this code"
	}
	return nil, ""
}

// meansSame is the known one that a message means by a shorter or fuller name, where it
// says that something ended between the two, or where somebody works: who does not work
// at Southmead anymore has left the Southmead Hospital where they are known to work.
func meansSame(e prompts.Episode, u prompts.UnresolvedEntity) (*prompts.EntityCandidate, string) {
	if slices.ContainsFunc(u.Candidates, func(c prompts.EntityCandidate) bool { return fold(c.Name) == fold(u.Name) }) || u.Label == "Person" || u.Label == valueLabel {
		return nil, ""
	}
	var of []string
	for _, s := range read(e).said {
		for _, cl := range s.claims {
			if fold(cl.object) == fold(u.Name) && (cl.ends || cl.predicate == "WORKS_AT") {
				of = append(of, cl.subject)
			}
		}
	}
	return onlyCandidate(u, func(c prompts.EntityCandidate) bool {
		name, full := fold(u.Name), fold(c.Name)
		longer := strings.HasPrefix(full, name+" ") || strings.HasPrefix(name, full+" ")
		told := func(who string) bool { return strings.Contains(spaced(c.Summary), spaced(who)) }
		return longer && (len(c.Labels) == 0 || u.Label == "" || slices.Contains(c.Labels, u.Label)) && slices.ContainsFunc(of, told)
	}), "the only one of this name that is known of " + strings.Join(of, " and ")
}

// onlyCandidate is the only candidate that fits; nil: none does, or several do.
func onlyCandidate(u prompts.UnresolvedEntity, fits func(prompts.EntityCandidate) bool) *prompts.EntityCandidate {
	var found *prompts.EntityCandidate
	for i := range u.Candidates {
		if !fits(u.Candidates[i]) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &u.Candidates[i]
	}
	return found
}

// isCode reports whether a word names one thing by letters and digits: "db-7" of "server
// db-7".
func isCode(word string) bool {
	return strings.ContainsAny(word, "0123456789") && strings.ContainsFunc(word, unicode.IsLetter)
}

// getsDate reports whether a message says when a thing is.
func getsDate(e prompts.Episode, name string) bool {
	return slices.ContainsFunc(read(e).said, func(s said) bool {
		return slices.ContainsFunc(s.claims, func(cl claim) bool {
			return fold(cl.subject) == fold(name) && (unitOf(cl.object) == "date" || cl.object == undated)
		})
	})
}

// namedLessFully reports whether a name has some of the words of a fuller one, which
// stand last in it or before its first preposition: "appointment" and "dentist
// appointment", "flight" and "flight to Boston". Whose it is may be left out.
func namedLessFully(name, full, speaker string) bool {
	bare := func(s string) string { return strings.TrimPrefix(fold(s), fold(speaker)+"'s ") }
	name, full = bare(name), bare(full)
	if name == full {
		return true
	}
	if owner, its, owned := strings.Cut(full, "'s "); owned && !strings.HasPrefix(name, owner) {
		if last := lastWord(name); !gatherings[last] && !shared[last] {
			return false // perhaps somebody else's
		}
		full = its
	}
	if head := companion().FindStringIndex(full); head != nil {
		full = full[:head[0]]
	}
	full = strings.TrimRight(full, " ")
	return name == full || strings.HasSuffix(full, " "+name)
}

// What several people have together, whoever speaks of it: "our meeting".
var shared = set(`meeting call standup demo release launch review retro kickoff offsite`)

// isToCome reports whether what is told of a thing names a day that has not passed.
func isToCome(summary string, at time.Time) bool {
	return slices.ContainsFunc(dates.Find(summary, at), func(e dates.Expression) bool {
		return e.Kind == dates.Dated && strings.ContainsAny(e.Text, "0123456789") && e.Interval.End.After(at)
	})
}

// spaced are the words of a text between spaces, as they are compared.
func spaced(text string) string {
	return " " + strings.Join(strings.FieldsFunc(fold(text), notInWord), " ") + " "
}
