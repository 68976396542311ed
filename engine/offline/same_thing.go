package offline

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/prompts"
)

// "The flight", on the day after "my flight to Boston is on 20 July", means that flight. A thing
// that gets another date is the only known one that its words fit and that has a date in the
// future.

// heard is a message, which is read at most once.
type heard struct {
	prompts.Episode
	read func() reading
}

// meansThing returns the known thing that a message gives another date to, named less fully than
// before. nil: none, or several.
func (e heard) meansThing(u prompts.UnresolvedEntity) (*prompts.EntityCandidate, string) {
	if u.Label == "Topic" && e.getsDate(u.Name) {
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

// meansSame returns the known entity that a message means by a shorter or fuller name. The message
// must say that something between it and its subject ended, or that the subject works there. "She
// no longer works at Southmead" means the Southmead Hospital that is known as her employer.
func (e heard) meansSame(u prompts.UnresolvedEntity) (*prompts.EntityCandidate, string) {
	if slices.ContainsFunc(u.Candidates, func(c prompts.EntityCandidate) bool { return fold(c.Name) == fold(u.Name) }) || u.Label == "Person" || u.Label == valueLabel {
		return nil, ""
	}
	longer := func(c prompts.EntityCandidate) bool {
		name, full := fold(u.Name), fold(c.Name)
		return strings.HasPrefix(full, name+" ") || strings.HasPrefix(name, full+" ")
	}
	if !slices.ContainsFunc(u.Candidates, longer) {
		return nil, ""
	}
	var of []string
	for _, s := range e.read().said {
		for _, cl := range s.claims {
			if fold(cl.object) == fold(u.Name) && (cl.ends || cl.predicate == "WORKS_AT") {
				of = append(of, cl.subject)
			}
		}
	}
	return onlyCandidate(u, func(c prompts.EntityCandidate) bool {
		told := func(who string) bool { return strings.Contains(spaced(c.Summary), spaced(who)) }
		return longer(c) && (len(c.Labels) == 0 || u.Label == "" || slices.Contains(c.Labels, u.Label)) && slices.ContainsFunc(of, told)
	}), "the only one of this name that is known of " + strings.Join(of, " and ")
}

// onlyCandidate returns the only candidate that fits. nil: none, or several.
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

// isCode reports whether a word identifies a thing by letters and digits: "db-7" in "server db-7".
func isCode(word string) bool {
	return strings.ContainsAny(word, "0123456789") && strings.ContainsFunc(word, unicode.IsLetter)
}

// getsDate reports whether a message gives a thing a date.
func (e heard) getsDate(name string) bool {
	return slices.ContainsFunc(e.read().said, func(s said) bool {
		return slices.ContainsFunc(s.claims, func(cl claim) bool {
			return fold(cl.subject) == fold(name) && (unitOf(cl.object) == "date" || cl.object == undated)
		})
	})
}

// namedLessFully reports whether a name consists of the last words of a fuller name, or of the last
// words before its first preposition: "appointment" and "dentist appointment", "flight" and "flight
// to Boston". The owner may be left out.
func namedLessFully(name, full, speaker string) bool {
	bare := func(s string) string { return strings.TrimPrefix(fold(s), fold(speaker)+"'s ") }
	name, full = bare(name), bare(full)
	if name == full {
		return true
	}
	if owner, its, owned := strings.Cut(full, "'s "); owned && !strings.HasPrefix(name, owner) {
		if last := lastWord(name); !gatherings[last] && !shared[last] {
			return false // it may be somebody else's
		}
		full = its
	}
	if head := companion().FindStringSubmatchIndex(full); head != nil {
		if to := full[head[1]:]; full[head[2]:head[3]] == "to" && name == to+" "+lastWord(full[:head[0]]) {
			return true // "the Tokyo trip" and "trip to Tokyo"
		}
		full = full[:head[0]]
	}
	full = strings.TrimRight(full, " ")
	return name == full || strings.HasSuffix(full, " "+name)
}

// shared are things that several people have together, such as "our meeting".
var shared = set(`meeting call standup demo release launch review retro kickoff offsite`)

// isToCome reports whether a summary gives a day in the future.
func isToCome(summary string, at time.Time) bool {
	return slices.ContainsFunc(dates.Find(summary, at), func(e dates.Expression) bool {
		return e.Kind == dates.Dated && strings.ContainsAny(e.Text, "0123456789") && e.Interval.End.After(at)
	})
}

// spaced returns the folded words of a text, with a space before and after each.
func spaced(text string) string {
	return " " + strings.Join(strings.FieldsFunc(fold(text), notInWord), " ") + " "
}
