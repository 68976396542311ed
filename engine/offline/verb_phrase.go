package offline

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

// verbPhrase is the predicate of a sentence: a verb with its tense and mood, and the words after
// it.
type verbPhrase struct {
	verb     string // lemma
	word     string // as written
	rest     string // after the verb
	past     bool   // "lived", "was living"
	perfect  bool   // "has lived"
	future   bool   // "will live", "is going to live"
	progress bool   // "is living"
	negated  bool   // "does not live"
	over     bool   // "no longer lives", "used to live", "stopped living"
	begins   bool   // "started living"
	wish     string // "WANTS_TO", "PLANS_TO": it has not happened
}

// wishes maps verbs before "to" and another verb to the start of their predicate.
var wishes = map[string]string{
	"want": "WANTS_TO", "wish": "WANTS_TO", "plan": "PLANS_TO", "intend": "PLANS_TO", "aim": "PLANS_TO", "hope": "HOPES_TO", "decide": "DECIDES_TO",
}

// verbReader reads the words between a subject and its main verb.
type verbReader struct {
	rest string
	v    verbPhrase
}

// parseVerb reads the verb after a subject. ok is false if the rules know no verb in it, or if it
// says what may or should be.
func parseVerb(rest string) (verbPhrase, bool) {
	r := verbReader{rest: rest}
	for range 10 {
		word, lower := r.peek()
		if word == "" {
			return r.v, false
		}
		if r.skip(lower) {
			continue
		}
		done, ok := r.verb(lower)
		if done {
			r.finish()
			return r.v, ok
		}
	}
	return r.v, false
}

// peek returns the next word without punctuation.
func (r *verbReader) peek() (word, lower string) {
	r.rest = strings.TrimLeft(r.rest, " ,")
	word, _, _ = strings.Cut(r.rest, " ")
	word = strings.TrimRight(word, ",.;:!")
	if lower = strings.ToLower(word); len(lower) != len(word) {
		return word, word
	}
	return word, lower
}

func (r *verbReader) take(word string) { r.rest = r.rest[len(word):] }

// after returns the word after a given next one, without adverbs and negations.
func (r *verbReader) after(word string) string {
	rest := strings.TrimLeft(r.rest[len(word):], " ,")
	for {
		next, more, _ := strings.Cut(rest, " ")
		next = strings.ToLower(strings.TrimRight(next, ",.;:!"))
		if !adverbs[next] && next != "not" && next != "never" {
			return next
		}
		rest = strings.TrimLeft(more, " ,")
	}
}

// skip skips adverbs and negations.
func (r *verbReader) skip(lower string) bool {
	switch {
	case lower == "not" || lower == "never":
		r.v.negated = true
	case lower == "no" && r.after("no") == "longer":
		r.v.over = true
		r.take("no")
		r.peek()
		lower = "longer"
	case !adverbs[lower]:
		return false
	}
	r.take(lower)
	return true
}

// verb reads an auxiliary or the main verb. done reports whether it was the main verb.
func (r *verbReader) verb(lower string) (done, ok bool) {
	next := r.after(lower)
	switch {
	case lower == "cannot" && (next == "stand" || next == "bear" || next == "abide"):
		r.take(lower)
		r.peek()
		r.take(next)
		r.v.verb = "dislike"
		return true, true
	case lower == "would" && (next == "love" || next == "like"):
		return r.wouldLike(next)
	case lower == "will":
		r.v.future = true
	case modals[lower]:
		return true, false
	case r.auxiliary(lower, next):
	default:
		return r.main(lower, next)
	}
	r.take(lower)
	return false, false
}

// wouldLike reads the wish "would love to visit".
func (r *verbReader) wouldLike(next string) (done, ok bool) {
	r.take("would")
	for word, lower := r.peek(); lower != next; word, lower = r.peek() {
		r.take(word)
	}
	if r.after(next) != "to" {
		return true, false
	}
	return !r.infinitive(next, "WANTS_TO"), false
}

// auxiliary reads the tense or mood that an auxiliary gives the main verb.
func (r *verbReader) auxiliary(lower, next string) bool {
	switch lower {
	case "has", "have", "had":
		if next == "to" || !isPast(next) && !participles[next] && !(next == "no" && strings.Contains(r.rest, "no longer")) {
			return false
		}
		r.v.perfect = true
		r.v.past = r.v.past || lower == "had"
	case "does", "do", "did":
		if !baseVerbs[next] && !r.negatedAfter(lower) {
			return false
		}
		r.v.past = r.v.past || lower == "did"
	case "is", "are", "am", "was", "were", "been", "be", "being":
		if !isGerund(next) && !isGerund(r.afterNoLonger()) {
			return false
		}
		r.v.past = r.v.past || lower == "was" || lower == "were"
		r.v.progress = true
	default:
		return false
	}
	return true
}

// participles of verbs whose past tense is another word.
var participles = set(`been come become overcome`)

// afterNoLonger returns the word after "no longer" if that comes next, or "".
func (r *verbReader) afterNoLonger() string {
	_, rest, _ := strings.Cut(r.rest, " ")
	after, ok := strings.CutPrefix(rest, "no longer ")
	next, _, _ := strings.Cut(after, " ")
	if !ok {
		return ""
	}
	return strings.TrimRight(next, ".,")
}

func (r *verbReader) negatedAfter(word string) bool {
	next, _, _ := strings.Cut(strings.TrimLeft(r.rest[len(word):], " ,"), " ")
	return next == "not" || next == "never"
}

// main reads the main verb, or a verb that only leads to it.
func (r *verbReader) main(lower, next string) (done, ok bool) {
	verb := lemma(lower)
	if verb == "" {
		return true, false
	}
	leads := r.v.progress && lower == "going" && next == "to"
	switch {
	case lower == "used" && next == "to":
		r.v.over = true
		return !r.infinitive(lower, ""), false
	case leads && r.v.past:
		return true, false // "was going to move" does not say whether it happened
	case leads && baseVerbs[r.afterTo(lower)]:
		r.v.future, r.v.progress = true, false
		return !r.infinitive(lower, ""), false
	case wishes[verb] != "" && next == "to":
		r.v.past = r.v.past || isPast(lower) && !r.v.perfect
		return !r.infinitive(lower, wishes[verb]), false
	case (verb == "manage" || verb == "get" || lower == "had") && next == "to" && baseVerbs[r.afterTo(lower)]:
		r.v.past = r.v.past || isPast(lower)
		return !r.infinitive(lower, ""), false
	case (verb == "come" || verb == "grow" || verb == "learn") && next == "to" && !r.v.progress && likings[r.afterTo(lower)]:
		r.v.begins = true // "has come to like olives"
		return !r.infinitive(lower, ""), false
	case (verb == "have" || verb == "need") && next == "to":
		return true, false
	case (verb == "stop" || verb == "quit") && isGerund(next), verb == "give" && next == "up":
		return r.stops(lower, verb)
	case (verb == "start" || verb == "begin" || verb == "go" || verb == "keep" || verb == "continue" || verb == "finish") && isGerund(next):
		r.v.begins = verb == "start" || verb == "begin"
		r.v.past = r.v.past || isPast(lower) && !r.v.perfect
		r.take(lower)
		return false, false
	}
	return r.here(lower, verb), true
}

func (r *verbReader) here(lower, verb string) bool {
	r.v.verb, r.v.word = verb, lower
	r.v.past = r.v.past || isPast(lower) && !r.v.perfect && !r.v.progress || lower == "was" || lower == "were"
	r.v.past = r.v.past && !(r.v.over && lower == verb)
	r.take(lower)
	for _, before := range [...]string{" previously ", " formerly "} {
		if after, ok := strings.CutPrefix(r.rest, before); ok && verb == "be" {
			r.rest = " " + after
		}
	}
	for _, denies := range [...]string{" not ", " never "} {
		if after, ok := strings.CutPrefix(r.rest, denies); ok && verb == "be" { // "is not allergic to"
			r.v.negated, r.rest = true, " "+after
		}
	}
	if after, ok := strings.CutPrefix(r.rest, " no longer "); ok {
		r.v.over, r.rest = true, " "+after
	}
	return true
}

// infinitive skips a leading verb and the "to" after it.
func (r *verbReader) infinitive(lower, wish string) bool {
	if r.v.wish == "" {
		r.v.wish = wish
	}
	r.take(lower)
	for range 5 {
		word, l := r.peek()
		r.take(word)
		if l == "to" {
			return true
		}
	}
	return false
}

func (r *verbReader) afterTo(lower string) string {
	_, after, _ := strings.Cut(r.rest[len(lower):], "to ")
	next, _, _ := strings.Cut(after, " ")
	return strings.TrimRight(next, ",.")
}

// stops reads "stopped smoking" and "gave up meat".
func (r *verbReader) stops(lower, verb string) (done, ok bool) {
	r.take(lower)
	r.v.past = isPast(lower) && !r.v.perfect && !r.v.future // "will quit"
	if verb == "give" {
		word, _ := r.peek()
		r.take(word)
		if _, next := r.peek(); !isGerund(next) {
			r.v.over, r.v.verb = true, "do"
			return true, next != ""
		}
	}
	r.v.over = true
	return false, false
}

// apart matches what stands between a verb and its particle: "paid Hana back".
var apart = pattern.New(`^((?:[\p{L}'-]+ ){1,3})(back|away)\b`)

// finish reads "anymore" at the end of a negation, and puts a particle before the object.
func (r *verbReader) finish() {
	for _, word := range [...]string{" anymore", " any more", " any longer"} {
		if i := strings.Index(r.rest, word); i >= 0 && r.v.negated {
			r.v.over, r.v.negated = true, false
			r.rest = r.rest[:i] + r.rest[i+len(word):]
		}
	}
	if r.v.over {
		r.v.negated = false
	}
	r.v.rest = strings.TrimLeft(r.rest, " ")
	if m := apart().FindStringSubmatch(r.v.rest); m != nil && (r.v.verb == "pay" && m[2] == "back" || r.v.verb == "give" && m[2] == "away") {
		r.v.rest = m[2] + " " + strings.TrimRight(m[1], " ") + r.v.rest[len(m[0]):]
	}
}
