package offline

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// Somebody may do now what another person did before.

var (
	// Predicates of somebody who is responsible for something.
	charges = set(`RESPONSIBLE_FOR OWNS MAINTAINS RUNS LEADS MANAGES LOOKS_AFTER HANDLES OPERATES SUPPORTS HEADS DIRECTS COORDINATES ADMINISTERS`)

	// Predicates that one person has at a time: a new holder ends the old one.
	posts = set(`RESPONSIBLE_FOR RUNS LEADS MANAGES HEADS DIRECTS COORDINATES ADMINISTERS`)

	tookOver = pattern.New(`(?i)\b(?:took|takes|taken|taking|take) over\b`)
	fromThen = pattern.New(`(?i)\b(?:effective|from|as of|starting|beginning)\b`)
	isNow    = pattern.New(`(?i)\bnow\b`)
)

// takenOver reports whether somebody now does what another person did before. The later statement
// names the present one.
func takenOver(f, known prompts.KnownFact, a, b prompts.Pair) bool {
	if fold(a.Target) != fold(b.Target) || fold(a.Source) == fold(b.Source) || !charges[a.Predicate] || !charges[b.Predicate] || f.Said.Before(known.Said) {
		return false
	}
	if a.Predicate == "RESPONSIBLE_FOR" && tookOver().MatchString(f.Fact) {
		return true
	}
	if !lastingBoth(f, known) {
		return false
	}
	if m := insteadOf().FindStringSubmatch(f.Fact); m != nil && startsUpper(m[1]) { // and not "billing instead of support"
		return strings.HasPrefix(fold(m[1]), fold(b.Source))
	}
	return succeeds(f, b) && isPost(a, f.Fact) && isPost(b, known.Fact) &&
		(a.Predicate == b.Predicate || a.Predicate == "RESPONSIBLE_FOR" || b.Predicate == "RESPONSIBLE_FOR")
}

// succeeds reports whether a statement says that something begins, and not together with the person
// who did it before.
func succeeds(f prompts.KnownFact, before prompts.Pair) bool {
	begins := fromThen().MatchString(f.Fact) && f.Valid.From.Dated() || isNow().MatchString(f.Fact)
	return begins && !strings.Contains(fold(f.Fact), "with "+fold(before.Source))
}

// isPost reports whether a pair states a role that only one person can have, for a thing of which
// there is one. "Runs a shop" and "runs marathons" do not.
func isPost(p prompts.Pair, sentence string) bool {
	sentence, target := fold(sentence), fold(p.Target)
	if gatherings[strings.TrimSuffix(lastWord(target), "s")] || target == "errands" || unitOf(p.Target) != "" {
		return false
	}
	own := slices.ContainsFunc([]string{"a ", "an ", "his ", "her ", "their "}, func(w string) bool { return strings.Contains(sentence, " "+w+target) })
	return !own && (posts[p.Predicate] || p.Predicate == "OWNS" && strings.Contains(sentence, "the "+target))
}
