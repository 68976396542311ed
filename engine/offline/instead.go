package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// What somebody uses, does or prefers now may take the place of what they did before.

// displaces reports whether a statement of the same subject takes the place of a known one.
func displaces(f, known prompts.KnownFact, a, b prompts.Pair) bool {
	return prefersOver(f, known, a, b) || prefersOver(known, f, b, a) || doesInstead(f, known, a, b) || a.Predicate == "IS" && b.Predicate == "IS" && ofOneSort(a.Target, b.Target)
}

// usesInstead reports whether a statement says what somebody uses for a purpose now, in place of what
// was: "We use Buildkite for CI now", "We moved CI to Buildkite".
func usesInstead(f, known prompts.KnownFact) bool {
	purpose := purposeOf(known)
	if purpose == "" || f.Said.Before(known.Said) || holdsBeside().MatchString(f.Fact) || !usesAnother(f, known) {
		return false
	}
	return purposeOf(f) == purpose && (isNow().MatchString(f.Fact) || insteadOf().MatchString(f.Fact)) ||
		slices.ContainsFunc(f.Pairs, func(p prompts.Pair) bool { return p.Predicate == "RUNS_ON" && fold(p.Source) == purpose })
}

// usesAnother reports whether two statements say that somebody uses two different things.
func usesAnother(f, known prompts.KnownFact) bool {
	return slices.ContainsFunc(f.Pairs, func(a prompts.Pair) bool {
		return a.Predicate == "USES" && slices.ContainsFunc(known.Pairs, func(b prompts.Pair) bool {
			return b.Predicate == "USES" && fold(a.Source) == fold(b.Source) && fold(a.Target) != fold(b.Target)
		})
	})
}

var usedFor = pattern.New(`\bfor (?:the |our |his |her |their )?(\PP+?)(?: (?:now|instead)\b.*)?[.!]*$`)

// broad are purposes for which several things are used.
var broad = set(`work school home fun everything`)

// purposeOf returns what a statement says something is used for: "uses CircleCI for CI".
func purposeOf(f prompts.KnownFact) string {
	m := usedFor().FindStringSubmatch(f.Fact)
	if m == nil || broad[fold(m[1])] || lasting().MatchString(f.Fact) || !slices.ContainsFunc(f.Pairs, func(p prompts.Pair) bool { return p.Predicate == "USES" }) {
		return ""
	}
	return fold(m[1])
}

var (
	insteadOf = pattern.New(`(?i)\b(?:instead|in place) of (?:an? |the |my |our )?(.+)`)
	atTimes   = pattern.New(`(?i)\b(?:sometimes|occasionally|often|now and then|today|tonight|at (?:work|home|school)|this (?:morning|evening|week))\b`)
)

// goings are predicates of going somewhere.
var goings = set(`GOES_TO FLIES_TO TRAVELS_TO DRIVES_TO SAILS_TO VISITS`)

// doesInstead reports whether a statement says what is done in place of what another says: "drinks
// tea instead of coffee". What happened once takes the place of a plan only.
func doesInstead(f, known prompts.KnownFact, a, b prompts.Pair) bool {
	m := insteadOf().FindStringSubmatch(f.Fact)
	return m != nil && (lastingBoth(f, known) && !atTimes().MatchString(f.Fact) || known.Valid.Start.After(f.Said)) && b.Target != "" &&
		(a.Predicate == b.Predicate || goings[a.Predicate] && goings[b.Predicate]) && strings.HasPrefix(spaced(m[1]), spaced(b.Target))
}

// prefersOver reports whether a statement prefers a thing over the one that another prefers, both
// without a condition: "prefers tabs over spaces", and not "coffee after lunch".
func prefersOver(f, other prompts.KnownFact, a, b prompts.Pair) bool {
	if a.Predicate != "PREFERS" || b.Predicate != "PREFERS" {
		return false
	}
	says, less := spaced(f.Fact), spaced(b.Target)
	over := slices.ContainsFunc([]string{"over", "to", "rather than"}, func(than string) bool {
		return strings.HasSuffix(says, spaced(a.Target)+than+less) && !(than == "to" && isGerund(firstWord(a.Target)))
	})
	return over && strings.HasSuffix(strings.TrimSuffix(spaced(other.Fact), "now "), less)
}

// ofOneSort reports whether two conditions are of a set of which a person has one at a time.
func ofOneSort(a, b string) bool {
	return fold(a) != fold(b) && slices.ContainsFunc(sorts, func(one map[string]bool) bool { return one[fold(a)] && one[fold(b)] })
}

// sorts are diets, and ways to be or not to be married or employed.
var sorts = []map[string]bool{
	set(`vegan vegetarian pescatarian`), set(`single engaged married`), set(`married divorced widowed`), set(`unemployed self-employed`),
}
