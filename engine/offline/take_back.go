package offline

import (
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

var (
	// Retractions of something said before.
	misspoke = pattern.New(`(?i)\b(?:i misspoke|i meant\b|i was wrong\b|i was mistaken|i made a mistake|i got (?:that|it|this|them) wrong|i mixed (?:that|it|this|them|those)? ?(?:\w+ )?up|that was nonsense|(?:was|were) (?:only |just )?(?:a joke|joking|kidding)|april fool|just kidding|wrong (?:day|date|week|month|year|person|place)\b|^forget \p{Lu}|scratch that|strike that|i take (?:that|it) back|(?:that|this)(?: was|'s| is) (?:all )?(?:wrong|not (?:true|right|correct)|incorrect|untrue|a mistake|my mistake)|(?:that|this) (?:wasn't|isn't) (?:true|right|correct)|^(?:please )?forget (?:that|it|what i (?:just )?said)[.,!]|forget what i (?:just )?said|i never said that|correction:)`)

	// Cancellations of something planned.
	calledOff = pattern.New(`(?i)\b(?:(?:is|was|has been|got|been|are|were|'s) (?:now |all |just )?(?:off(?: the table)?(?:[.,!]|$| now| after all)|cancell?ed|called off)|fell through|(?:decided|deciding) against|changed (?:my|our) minds?|(?:not|no longer|never) (?:\w+ ){1,6}?after all|(?:called off|cancell?ed|(?:am|'m|are|'re|is) (?:cancell?ing|calling off)|(?:had|have|has|decided) to (?:cancel|call off)) (?:the|my|our|his|her|their) )|n't (?:\w+ ){1,6}?after all\b`)

	notYet = pattern.New(`(?i)(?:n't|\bnot|\bnever)(?: yet| even)? $`) // "has not been cancelled"

	// The end of a job offer, and words of somebody who stays in their job.
	offerGone = pattern.New(`(?i)\b(?:withdrew|withdrawn|rescinded|retracted|revoked|pulled|took back|taken back|(?:i|we|'ve|have) (?:turned down|declined)) (?:the|my|our|his|her|their|its) (?:job )?offer(?:[.,!;]|$| (?:today|yesterday|last|this|again|after|because|at|from)\b)|\boffer (?:was|has been|is|got) (?:withdrawn|rescinded|retracted|revoked|pulled)`)
	theirs    = pattern.New(`^(?:(?:Sadly|Unfortunately|Oh no),? )?(?i:the offer|my offer|they) [^\p{Lu}]*$`) // nobody else can have made this offer
	staysOn   = pattern.New(`(?i)\b(?:(?:will|'ll|going to) (?:stay|remain)|staying|remaining) (?:on )?(?:at|in|with) [^.!?]+ after all\b`)
)

// takesBack reports whether a text retracts something said before, or calls it off.
func takesBack(text string) bool {
	text = plainQuotes.Replace(text)
	if isCorrection(text) || objects(text) {
		return true
	}
	if putsOff().MatchString(text) || movesAppointment().MatchString(text) || strings.Contains(text, "offer") && offerGone().MatchString(text) || strings.Contains(text, "after all") && staysOn().MatchString(text) {
		return true
	}
	if !holdsAny(text, " off", "ancel", "fell through", "after all", " against", "changed m", "changed o") {
		return false
	}
	m := calledOff().FindStringIndex(text)
	return m != nil && !notYet().MatchString(text[:m[0]]) && !contracts[lastWord(strings.TrimRight(text[:m[0]], " "))] && !slices.ContainsFunc(strings.Fields(text[m[1]:]), func(w string) bool {
		return contracts[strings.Trim(strings.ToLower(w), ".,!")]
	})
}

// isCorrection reports whether a text says that an earlier statement was wrong.
func isCorrection(text string) bool {
	if neverDid(text) {
		return true
	}
	return holdsAny(text, "meant", "misspoke", "wrong", "mistake", "cratch that", "trike that", "onsense", " joke", "joking", "kidding", "pril fool", " back", " true", " right", "orrect", "orget ", "never said", "ntrue", "mixed") &&
		misspoke().MatchString(text) && !misread().MatchString(text)
}

// misread matches phrases that resemble a correction: "I meant to call you", "I was wrong about the
// weather", "Maybe I was wrong".
var misread = pattern.New(`(?i)\bi meant (?:to|it|well|no|every)\b|\b(?:wrong|mistaken|right|true|mistake)\b,? (?:to|about|of|on|at|in|with|for)\b|\b(?:maybe|perhaps|you're right|if)\b|\bkidding around\b|\bscratch that \p{L}|\bforget it, let`)

// takeBack adds the retractions of an episode to the resolutions. For each new fact it is the fact
// that shares all but one part with it. Otherwise it is the fact that the episode names, else what
// its speaker said last. In doubt there is none.
func takeBack(q prompts.ResolveFacts, known map[int]prompts.KnownFact, resolutions []prompts.FactResolution) []prompts.FactResolution {
	var free []prompts.KnownFact
	for _, k := range q.Existing {
		if !slices.ContainsFunc(q.Facts, func(f prompts.UnresolvedFact) bool { return f.ID == k.ID }) {
			free = append(free, k)
		}
	}
	text := plainQuotes.Replace(q.Episode.Content)
	if (putsOff().MatchString(text) || movesAppointment().MatchString(text) && !objects(text)) && !isCorrection(text) && calledOff().FindString(text) == "" {
		if slices.ContainsFunc(resolutions, func(r prompts.FactResolution) bool { return len(r.Retracts) > 0 }) {
			return resolutions // another day was given
		}
		return append(resolutions, putOffPlan(q.Episode, free)...)
	}
	if objects(text) && calledOff().FindString(text) == "" {
		free = slices.DeleteFunc(free, func(k prompts.KnownFact) bool { return !saidJustBefore(q.Episode, k) })
		if len(q.Facts) == 0 {
			return resolutions
		}
	}
	taken := false
	for _, f := range q.Facts {
		id := saidLast(free, func(k prompts.KnownFact) bool { return corrects(f.KnownFact, k) })
		if id == 0 {
			continue
		}
		taken = true
		i := slices.IndexFunc(resolutions, func(r prompts.FactResolution) bool { return r.ID == f.ID })
		if i < 0 {
			resolutions = append(resolutions, prompts.FactResolution{ID: f.ID})
			i = len(resolutions) - 1
		}
		r := &resolutions[i]
		r.Retracts, r.Reason = []int{id}, "takes back what was said"
		r.Contradicts = contradicted(f, known, r.Retracts)
		if r.DuplicateOf == id {
			r.DuplicateOf = 0
		}
	}
	if taken || saysKnown(q) || slices.ContainsFunc(resolutions, func(r prompts.FactResolution) bool { return r.DuplicateOf != 0 }) {
		return resolutions // the correction is already known
	}
	if ids := denied(q.Episode, free); ids != nil {
		return append(resolutions, prompts.FactResolution{Retracts: ids, Reason: "says that there is no such person or thing"})
	}
	if id := withdrawn(q.Episode, free); id != 0 {
		resolutions = append(resolutions, prompts.FactResolution{Retracts: []int{id}, Reason: "takes back what was said"})
	}
	return resolutions
}

// corrects reports whether a new fact repeats a known one with another subject, another object or
// another time.
func corrects(f, known prompts.KnownFact) bool {
	for _, a := range f.Pairs {
		for _, b := range known.Pairs {
			sameSource, sameTarget := fold(a.Source) == fold(b.Source), fold(a.Target) == fold(b.Target)
			if b.Predicate == noLonger+a.Predicate && sameSource && sameTarget {
				return true // it denies the end
			}
			if a.Predicate != b.Predicate || isKin[a.Predicate] && !tellsName(f.Fact, a) {
				continue
			}
			if sameSource != sameTarget || sameSource && !f.Valid.Interval.Equal(known.Valid.Interval) {
				return true
			}
		}
	}
	return false
}

// ofSpeaker reports whether a fact is about the speaker, or has a subject that the text names.
func ofSpeaker(e prompts.Episode, text string, k prompts.KnownFact) bool {
	return slices.ContainsFunc(k.Pairs, func(p prompts.Pair) bool {
		return e.Speaker == "" || fold(p.Source) == fold(e.Speaker) || fold(p.Target) == fold(e.Speaker) || strings.Contains(text, fold(p.Source))
	})
}

// isNamed reports whether a text names the target of a fact.
func isNamed(text string, k prompts.KnownFact) bool {
	return slices.ContainsFunc(k.Pairs, func(p prompts.Pair) bool { return strings.Contains(text, fold(p.Target)) })
}

// isPlan reports whether a fact was a plan at a time.
func isPlan(k prompts.KnownFact, at time.Time) bool {
	return k.Valid.Start.After(at) || slices.ContainsFunc(k.Pairs, func(p prompts.Pair) bool {
		return p.Predicate == "PLANS" || strings.HasPrefix(p.Predicate, "PLANS_") // "is planning a trip", "plans to move"
	})
}

// withdrawn returns the fact that an episode retracts without stating a new one.
func withdrawn(e prompts.Episode, known []prompts.KnownFact) int {
	text := fold(plainQuotes.Replace(e.Content))
	of := func(k prompts.KnownFact) bool { return ofSpeaker(e, text, k) }
	named := func(k prompts.KnownFact) bool { return isNamed(text, k) }
	if isCorrection(plainQuotes.Replace(e.Content)) {
		return misspoken(e, text, known, of, named)
	}
	planned := func(k prompts.KnownFact) bool { return of(k) && isPlan(k, e.OccurredAt) }
	if staysOn().MatchString(text) { // the plan that contradicts the state that stays
		return saidLast(known, func(k prompts.KnownFact) bool {
			return planned(k) && slices.ContainsFunc(known, func(was prompts.KnownFact) bool { return of(was) && named(was) && contradicts(k, was) })
		})
	}
	offered := func(k prompts.KnownFact) bool {
		return planned(k) && slices.ContainsFunc(k.Pairs, func(p prompts.Pair) bool { return p.Predicate == "WORKS_AT" || p.Predicate == "PLANS_TO_JOIN" })
	}
	if offerGone().MatchString(text) {
		id := saidLast(known, func(k prompts.KnownFact) bool { return offered(k) && named(k) })
		if id == 0 && theirs().MatchString(e.Content) {
			id = only(known, offered)
		}
		return id
	}
	for _, part := range []string{whatIsOff(text), text} {
		if id := saidLast(known, func(k prompts.KnownFact) bool { return planned(k) && isNamed(part, k) }); id != 0 {
			return id
		}
	}
	// "Karim is not allergic to nuts after all": it never held.
	said := func(k prompts.KnownFact) bool { return of(k) && named(k) && saysSame(text, k) }
	if id := saidLast(known, said); id != 0 && strings.Contains(text, "after all") {
		return id
	}
	// "We are not moving after all": the only plan that fits these words.
	return only(known, func(k prompts.KnownFact) bool { return planned(k) && sharesVerb(text, k) })
}

// whatIsOff returns the clause that calls something off. The other clauses may give the reason: "We
// had to cancel the trip to Rome, Ines broke her leg".
func whatIsOff(text string) string {
	m := calledOff().FindStringIndex(text)
	if m == nil {
		return text
	}
	from := strings.LastIndexAny(text[:m[0]], ",.;:!?") + 1
	if end := strings.IndexAny(text[m[1]:], ",.;:!?"); end >= 0 {
		return text[from : m[1]+end]
	}
	return text[from:]
}

// misspoken returns the fact that a correction without a new statement retracts. It is the fact
// that the correction denies by name or number, or that it names. If it only says that something
// was wrong, it is what its speaker said in the message just before.
func misspoken(e prompts.Episode, text string, known []prompts.KnownFact, of, named func(prompts.KnownFact) bool) int {
	if number := deniedNumber(text); number != "" {
		return saidLast(known, saying(number, of))
	}
	if strings.Contains(text, "meant") {
		return 0 // the meant thing is known, or could not be read
	}
	if m := notThis().FindStringSubmatch(e.Content); m != nil {
		return saidLast(known, func(k prompts.KnownFact) bool {
			return slices.ContainsFunc(k.Pairs, func(p prompts.Pair) bool { return fold(p.Source) == fold(m[1]) || fold(p.Target) == fold(m[1]) })
		})
	}
	if deniesAny(e.Content) {
		return saidLast(known, func(k prompts.KnownFact) bool { return of(k) && named(k) && saysSame(text, k) })
	}
	if id := saidLast(known, func(k prompts.KnownFact) bool { return of(k) && named(k) }); id != 0 {
		return id
	}
	if len(e.Previous) == 0 || !saysNoMore(text) {
		return 0
	}
	before := e.Previous[len(e.Previous)-1]
	if fold(before.Speaker) != fold(e.Speaker) {
		return 0
	}
	return saidLast(known, func(k prompts.KnownFact) bool { return k.Said.Equal(before.OccurredAt) && of(k) })
}

// notThis matches a name that a correction denies: "Porto, not Lisbon".
var notThis = pattern.New(`[,;] (?:and )?not (?:in |at |on |to |for |with )?((?:my |our )?\p{Lu}[\p{L}\p{N}'-]+(?: \p{Lu}[\p{L}'-]+)*)`)

var nothingElse = pattern.New(`^(?:(?:sorry|oops|no|wait|actually|ah|oh|hm+|please|ok|well)[,.! ]+)*(?:i misspoke|i was (?:wrong|mistaken|joking|kidding|only joking)|i made a mistake|i got (?:that|it|this) wrong|scratch that|strike that|forget (?:that|it|what i (?:just )?said)|i take (?:that|it) back|i never said that|(?:that|this|it)(?: was|'s| is) (?:all |just |only )?(?:wrong|not (?:true|right|correct)|incorrect|untrue|nonsense|a mistake|my mistake|a joke)|(?:that|this|it) (?:wasn't|isn't) (?:true|right|correct)|just kidding|april fool)[.! ]*$`)

// saysNoMore reports whether a text only says that something was wrong.
func saysNoMore(text string) bool { return nothingElse().MatchString(strings.TrimSpace(text)) }

// deniedNumber returns the number that a text denies, such as 2 in "not the 2nd", or "".
func deniedNumber(text string) string {
	m := notThat().FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return strings.TrimFunc(m[1], func(r rune) bool { return r < '0' || r > '9' })
}

// saying accepts facts that fit and have a number in their sentence: a correction of a date
// retracts only facts with that date.
func saying(number string, fits func(prompts.KnownFact) bool) func(prompts.KnownFact) bool {
	return func(k prompts.KnownFact) bool {
		return fits(k) && slices.ContainsFunc(strings.FieldsFunc(k.Fact, notInWord), func(w string) bool {
			return strings.TrimRight(w, "stndrh") == number // 2 or 2nd
		})
	}
}

// sharesVerb reports whether a text shares a verb with the sentence of a fact.
func sharesVerb(text string, k prompts.KnownFact) bool {
	does := func(in string, verb string) bool {
		return anyWord(in, func(w string) bool { return lemma(w) == verb })
	}
	return anyWord(k.Fact, func(w string) bool {
		l := lemma(w)
		return l != "" && l != "be" && l != "go" && does(text, l)
	})
}

// saidLast returns the id of the known fact that fits and was said last. It returns 0 if there is
// none, or if two were said at the same time.
func saidLast(known []prompts.KnownFact, fits func(prompts.KnownFact) bool) int {
	var last prompts.KnownFact
	twice := false
	for _, k := range known {
		switch {
		case !fits(k) || last.ID != 0 && k.Said.Before(last.Said):
		case last.ID != 0 && k.Said.Equal(last.Said):
			twice = true
		default:
			last, twice = k, false
		}
	}
	if twice {
		return 0
	}
	return last.ID
}

// only returns the id of the only known fact that fits, else 0.
func only(known []prompts.KnownFact, fits func(prompts.KnownFact) bool) int {
	id := 0
	for _, k := range known {
		if !fits(k) {
			continue
		}
		if id != 0 {
			return 0
		}
		id = k.ID
	}
	return id
}
