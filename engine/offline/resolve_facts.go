package offline

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/kljensen/snowball/english"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/temporal"
)

// oneValued are predicates with one value at a time: a new value ends the old one. All FAVORITE_
// predicates are, too.
var oneValued = set(`LIVES_IN WORKS_AT WORKS_AS MARRIED_TO ENGAGED_TO NAMED NICKNAME LAST_NAME BIRTHDAY AGE PHONE EMAIL ADDRESS
	HAS_BOSS HAS_MANAGER HAS_PARTNER HAS_BOYFRIEND HAS_GIRLFRIEND HAS_DENTIST HAS_THERAPIST HAS_LANDLORD HAS_STATUS IS_ON DUE_ON
	EXPIRES_ON STARTS_ON ENDS_ON OPENS_ON CLOSES_ON`)

func isOneValued(predicate string) bool {
	return oneValued[predicate] || strings.HasPrefix(predicate, "FAVORITE_")
}

// ongoing are predicates of states that go on, so that repeating them is not news.
var ongoing = set(`LIKES DISLIKES PREFERS ALLERGIC_TO HAS HAS_PROBLEM_WITH STUDIES MEMBER_OF DATES IS COMES_FROM BORN_IN GREW_UP_IN DOES
	NATIVE_LANGUAGE HOMETOWN HAS_HOBBY HAS_HABIT RESPONSIBLE_FOR KNOWS`)

func isOngoing(predicate string) bool {
	return isOneValued(predicate) || ongoing[predicate] || isKin[predicate]
}

var isKin = func() map[string]bool {
	out := map[string]bool{}
	for _, predicate := range kin {
		out[predicate] = true
	}
	return out
}()

// ResolveFacts finds repetitions by their words and contradictions by their predicate. These
// contradict: another value of a predicate with one value at a time, an end of a state, a denial, and
// a state that holds again after it ended. Nothing else does. What a correction retracts is found by
// what it shares with the new fact, else by what was said last.
func (*Analyst) ResolveFacts(ctx context.Context, q prompts.ResolveFacts) (prompts.ResolvedFacts, error) {
	if err := ctx.Err(); err != nil {
		return prompts.ResolvedFacts{}, err
	}
	known := make(map[int]prompts.KnownFact, len(q.Existing)+len(q.Facts))
	for _, k := range q.Existing {
		known[k.ID] = k
	}
	var out prompts.ResolvedFacts
	for _, f := range q.Facts {
		if r := resolve(f, known, q.Episode.OccurredAt); r.DuplicateOf != 0 || len(r.Contradicts)+len(r.Retracts) > 0 {
			out.Resolutions = append(out.Resolutions, r)
		}
		known[f.ID] = f.KnownFact
	}
	if q.TakesBack {
		out.Resolutions = takeBack(q, known, out.Resolutions)
	}
	return out, nil
}

func resolve(f prompts.UnresolvedFact, known map[int]prompts.KnownFact, ref time.Time) prompts.FactResolution {
	r := prompts.FactResolution{ID: f.ID}
	for _, id := range f.SamePair {
		if k, ok := known[id]; ok && repeats(f, k, ref) {
			r.DuplicateOf, r.Reason = id, "says the same"
			break
		}
	}
	if r.DuplicateOf != 0 {
		return r // the original's relation to the others is known
	}
	for _, id := range f.SamePair {
		switch k, ok := known[id]; {
		case ok && reschedules(f, k, ref):
			r.Retracts = append(r.Retracts, id)
			r.Reason = "another date for what was planned"
		case ok && returns(f, k):
			r.Contradicts = append(r.Contradicts, id)
			r.Reason = "it is so again, after it was not"
		}
	}
	more := contradicted(f, known, slices.Concat(r.Retracts, r.Contradicts))
	more = slices.DeleteFunc(more, func(id int) bool {
		off := callsOff(f, known[id], ref)
		if off {
			r.Retracts, r.Reason = append(r.Retracts, id), "calls the plan off"
		}
		return off
	})
	if len(more) > 0 {
		r.Contradicts = append(r.Contradicts, more...)
		r.Reason = strings.TrimPrefix(r.Reason+"; cannot hold beside what was known", "; ")
	}
	return r
}

// callsOff reports whether a denial, or what is done instead, means a plan, which then never held: "I
// won't run".
func callsOff(f prompts.UnresolvedFact, known prompts.KnownFact, ref time.Time) bool {
	if !known.Valid.From.Dated() || !known.Valid.Start.After(ref) {
		return false
	}
	return slices.ContainsFunc(f.Pairs, func(a prompts.Pair) bool {
		instead := func(b prompts.Pair) bool { return doesInstead(f.KnownFact, known, a, b) }
		return strings.HasPrefix(a.Predicate, doesNot) || strings.HasPrefix(a.Predicate, noLonger+"GOES") && !f.Valid.Start.After(ref) || slices.ContainsFunc(known.Pairs, instead)
	})
}

// deniesThen reports whether a denial is about the time of a known fact: "not going to Lisbon this
// weekend" leaves a flight in September.
func deniesThen(f, known prompts.KnownFact) bool {
	if len(f.Pairs) == 0 || !isDenial(f.Pairs[0].Predicate) {
		return true
	}
	return !slices.ContainsFunc(findDates(f.Fact, f.Said).expressions, func(e dates.Expression) bool {
		return e.Kind == dates.Dated && !e.Interval.Overlaps(known.Valid.Interval)
	})
}

// contradicted lists the known facts that cannot hold beside a new one, except for some.
func contradicted(f prompts.UnresolvedFact, known map[int]prompts.KnownFact, but []int) []int {
	var out []int
	candidates := slices.Concat(f.SamePair, f.Rivals)
	vague := vagueEnd(f, candidates, known)
	for _, id := range candidates {
		k, ok := known[id]
		if ok && !slices.Contains(out, id) && !slices.Contains(but, id) && (slices.Contains(vague, id) || contradicts(f.KnownFact, k)) && deniesThen(f.KnownFact, k) {
			out = append(out, id)
		}
	}
	return out
}

// contradicts reports whether a new statement cannot hold beside a known one.
func contradicts(f, known prompts.KnownFact) bool {
	if usesInstead(f, known) {
		return true
	}
	beside := holdsBeside().MatchString(f.Fact) || holdsBeside().MatchString(known.Fact)
	for _, a := range slices.Concat(f.Pairs, mirrored(f.Pairs)) {
		for _, b := range known.Pairs {
			same := fold(a.Source) == fold(b.Source)
			switch {
			case same && (excludes(a, b) || excludes(b, a) && !(f.Kind == prompts.Event && isDenial(b.Predicate))),
				same && !beside && (rivals(a, b, lastingBoth(f, known)) || isNew(f, a, b) || displaces(f, known, a, b)),
				!beside && (takenOver(f, known, a, b) || takenOver(known, f, b, a)),
				known.Kind != prompts.Event && endsWith(a, b):
				return true
			}
		}
	}
	return false
}

// isDenial reports whether a predicate says that something is not so.
func isDenial(predicate string) bool {
	return strings.HasPrefix(predicate, isNot) || strings.HasPrefix(predicate, doesNot)
}

// mirrored returns the pairs of couples the other way round: who is married to Tom is Tom's.
func mirrored(pairs []prompts.Pair) (out []prompts.Pair) {
	for _, p := range pairs {
		if mutual[strings.TrimPrefix(p.Predicate, noLonger)] {
			out = append(out, prompts.Pair{Source: p.Target, Predicate: p.Predicate, Target: p.Source})
		}
	}
	return out
}

var mutual = set(`MARRIED_TO ENGAGED_TO DATES HAS_FRIEND KNOWS`)

// holdsBeside matches words by which something holds beside another: a second job.
var holdsBeside = pattern.New(`(?i)\b(?:also|on (?:the )?weekends|at (?:the )?weekends?|on the side|as well|part-time|second job|side job|besides)\b`)

// rivals reports whether two values of one predicate cannot hold at the same time.
func rivals(a, b prompts.Pair, lasting bool) bool {
	return a.Predicate == b.Predicate && (isOneValued(a.Predicate) || lasting && sameMeasure(a.Target, b.Target)) && fold(a.Target) != fold(b.Target)
}

// isNew reports whether a statement names somebody's new doctor, lawyer and the like, in place of
// the one they had.
func isNew(f prompts.KnownFact, a, b prompts.Pair) bool {
	words := strings.FieldsFunc(fold(f.Fact), notInWord)
	who := slices.Index(words, strings.ToLower(strings.TrimPrefix(a.Predicate, "HAS_")))
	return who > 0 && words[who-1] == "new" && a.Predicate == b.Predicate && serving[a.Predicate] && fold(a.Target) != fold(b.Target)
}

// serving are predicates of people of whom one may have several, and a new one mostly takes the
// place of another.
var serving = set(`HAS_DOCTOR HAS_LAWYER HAS_ACCOUNTANT HAS_HAIRDRESSER HAS_TRAINER HAS_TUTOR HAS_TEACHER HAS_COACH HAS_MENTOR HAS_BABYSITTER HAS_NANNY HAS_VET`)

// lastingBoth reports whether two statements are states, as values are that succeed each other. An
// event does not end another: running ten kilometres does not end a run of five.
func lastingBoth(f, known prompts.KnownFact) bool {
	return f.Kind != prompts.Event && known.Kind != prompts.Event
}

// endsToo are predicates that hold no longer when another one ends, of the same target: "I sold my
// car", "I gave up Japanese", "Rosa and I broke up".
var endsToo = map[string]map[string]bool{
	"GOES_TO":         goings,
	"HAS":             set(`DRIVES RIDES OWNS USES WEARS PLAYS SUBSCRIBES_TO`),
	"DOES":            set(`EATS DRINKS PLAYS USES LEARNS STUDIES PRACTISES PRACTICES TEACHES TRAINS SMOKES TAKES WATCHES READS`),
	"DATES":           set(`HAS_GIRLFRIEND HAS_BOYFRIEND HAS_PARTNER ENGAGED_TO`),
	"MARRIED_TO":      set(`DATES HAS_GIRLFRIEND HAS_BOYFRIEND HAS_PARTNER ENGAGED_TO`),
	"USES":            set(`WORKS_AT SUBSCRIBES_TO`),
	"WORKS_AT":        set(`MEMBER_OF STARTS_AT`),
	"RESPONSIBLE_FOR": charges,
}

// returns reports whether a statement says that a state holds again, since a time after the known
// state began: "I am back in Ghent since October".
func returns(f prompts.UnresolvedFact, known prompts.KnownFact) bool {
	return isBack().MatchString(f.Fact) && f.Valid.From.Basis == temporal.Stated && !known.Valid.Start.IsZero() && known.Valid.Start.Before(f.Valid.Start) &&
		f.Kind != prompts.Event && known.Kind != prompts.Event && len(f.Pairs) > 0 && relates(known, f.Pairs[0])
}

var isBack = pattern.New(`(?i)\bback (?:\p{Ll}+ )?(?:in|at|with|to)\b|\bonce again\b|\bagain\b`)

// excludes reports whether a denies b, or says that b has ended.
func excludes(a, b prompts.Pair) bool {
	same := fold(a.Target) == fold(b.Target)
	if ended, ok := strings.CutPrefix(a.Predicate, noLonger); ok {
		// "I quit my job" ends the work at any employer, "I finished my studies" any studies. "The
		// wedding is postponed" ends any date it had.
		return ended == b.Predicate && (same || ended == "WORKS_AT" && a.Target == "job" || ended == "STUDIES" && a.Target == "studies" || a.Target == undated && unitOf(b.Target) == "date") ||
			ended == "HAS" && b.Predicate == "SUBSCRIBES_TO" && fold(a.Target) == fold(b.Target)+" subscription" ||
			same && (endsToo[ended][b.Predicate] || ended == "HAS" && hasByName(b.Predicate))
	}
	if isDenial(a.Predicate) {
		return same && (a.Predicate == denialOf(b.Predicate) || a.Predicate == denialOf("GOES_TO") && goings[b.Predicate]) || a.Predicate == hasNot && b.Predicate == havingNamed(fold(a.Target))
	}
	return same && (clash(a.Predicate, b.Predicate) || a.Predicate == "MARRIED_TO" && b.Predicate == "ENGAGED_TO")
}

// vagueEnd finds the facts that an end means if it names a thing less fully than before: "the
// problem" or "the bicycle" is the only known one. It finds none if several things fit.
func vagueEnd(f prompts.UnresolvedFact, candidates []int, known map[int]prompts.KnownFact) []int {
	var found []int
	target := ""
	for _, end := range f.Pairs {
		ended, ok := strings.CutPrefix(end.Predicate, noLonger)
		if !ok || ended != "HAS" && ended != "HAS_PROBLEM_WITH" {
			continue
		}
		for _, id := range candidates {
			k, ok := known[id]
			means := func(p prompts.Pair) bool {
				named := ended == "HAS" && p.Predicate == havingNamed(lastWord(fold(end.Target))) // "my dog" is Rex
				return fold(p.Source) == fold(end.Source) && (named || (p.Predicate == ended || endsToo[ended][p.Predicate]) && (mayMean(end.Target, p.Target) || owned[p.Predicate] && isMakeOf(end.Target, p.Target)))
			}
			i := slices.IndexFunc(k.Pairs, means)
			if !ok || !k.Valid.End.IsZero() || i < 0 {
				continue
			}
			if found != nil && fold(k.Pairs[i].Target) != target {
				return nil
			}
			found, target = append(found, id), fold(k.Pairs[i].Target)
		}
	}
	return found
}

// mayMean reports whether a thing may be another one, named less fully.
func mayMean(vague, full string) bool {
	vague = fold(vague)
	return problems[vague] || vague == fold(full) || strings.HasSuffix(fold(full), " "+vague)
}

// owned are predicates of things that somebody owns.
var owned = set(`HAS OWNS DRIVES RIDES`)

// isMakeOf reports whether a name is the make of a thing: "my Tesla" is the Tesla Model 3.
func isMakeOf(name, full string) bool {
	return startsUpper(name) && strings.HasPrefix(fold(full), fold(name)+" ")
}

// repeats reports whether a known statement says everything that a new one says. The same event at
// another time is another event, and a state that began again after it had ended is a new state.
func repeats(f prompts.UnresolvedFact, known prompts.KnownFact, ref time.Time) bool {
	if len(f.Pairs) == 0 || f.Kind != known.Kind && f.Kind != "" && known.Kind != "" {
		return false
	}
	for _, p := range f.Pairs {
		if !relates(known, p) {
			return false
		}
	}
	if returns(f, known) {
		return false
	}
	predicate := f.Pairs[0].Predicate
	if f.Kind == prompts.Event || !isOngoing(predicate) && unitOf(f.Pairs[0].Target) == "" {
		return sameTime(f, known) && alike(f.Fact, known.Fact)
	}
	from := f.Valid.Start
	if from.IsZero() && f.Valid.End.IsZero() {
		from = ref
	}
	if end := known.Valid.End; !end.IsZero() && !from.IsZero() && !from.Before(end) || !f.Valid.Overlaps(known.Valid.Interval) {
		return false
	}
	if reschedules(f, known, ref) {
		return false
	}
	// An earlier beginning than the stated one is news, and so is another thing of the same kind.
	stated := f.Valid.From.Dated() && known.Valid.From.Dated()
	earlier := f.Valid.Start.AddDate(0, 1, 0).Before(known.Valid.Start) && !within(known.Valid.Start, f.Valid)
	later := known.Valid.Start.AddDate(0, 1, 0).Before(f.Valid.Start)
	return !stated || !earlier && (!later || predicate != "HAS")
}

// reschedules reports whether a new statement gives a plan another date.
func reschedules(f prompts.UnresolvedFact, known prompts.KnownFact, ref time.Time) bool {
	from, was := f.Valid, known.Valid
	if f.Kind != known.Kind || !from.From.Dated() || !was.From.Dated() || !was.Start.After(ref) || !from.Start.After(ref) ||
		len(f.Pairs) == 0 || !relates(known, f.Pairs[0]) {
		return false
	}
	return !from.Start.Equal(was.Start) && !within(from.Start, was) && !within(was.Start, from)
}

// within reports whether a day lies in the unit of time in which a range begins.
func within(day time.Time, v temporal.Validity) bool {
	end := v.Start
	switch v.From.Precision {
	case temporal.ToTheWeek:
		end = end.AddDate(0, 0, 7)
	case temporal.ToTheMonth:
		end = end.AddDate(0, 1, 0)
	case temporal.ToTheSeason:
		end = end.AddDate(0, 3, 0)
	case temporal.ToTheYear:
		end = end.AddDate(1, 0, 0)
	}
	return !day.Before(v.Start) && day.Before(end)
}

// sameTime reports whether two statements may be about the same time.
func sameTime(f prompts.UnresolvedFact, known prompts.KnownFact) bool {
	return !isStated(f.Valid) || !isStated(known.Valid) || f.Valid.Overlaps(known.Valid.Interval)
}

// samePair reports whether two pairs are equal except for the spelling of names.
func samePair(a, b prompts.Pair) bool {
	return a.Predicate == b.Predicate && fold(a.Source) == fold(b.Source) && fold(a.Target) == fold(b.Target)
}

// relates reports whether a fact has a pair.
func relates(known prompts.KnownFact, p prompts.Pair) bool {
	return slices.ContainsFunc(known.Pairs, func(k prompts.Pair) bool { return samePair(p, k) })
}

// alike reports whether two sentences share at least four fifths of their content words, in any order.
func alike(a, b string) bool {
	x, y := contentWords(a), contentWords(b)
	shared := 0
	for w := range x {
		if y[w] {
			shared++
		}
	}
	return shared*5 >= max(len(x), len(y))*4
}

func contentWords(s string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(fold(s), notInWord) {
		if !english.IsStopWord(w) {
			words[english.Stem(w, true)] = true
		}
	}
	return words
}
