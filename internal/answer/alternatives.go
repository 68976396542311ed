package answer

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

// "Ana works at Acme, not Globex" makes two statements: that she works at Acme, and that she does
// not work at Globex. The second does not negate the first.

var (
	notAfter  = pattern.New(`(?i)(?:,\s*(?:(?:and|but)\s+)?|\s+(?:and|but)\s+)not\s+([^,;.!?]+)|\s+(?:instead\s+of|rather\s+than)\s+([^,;.!?]+)`)
	instead   = pattern.New(`(?i)\b(?:instead\s+of|rather\s+than)\b`)
	notBefore = pattern.New(`(?i)\bnot\s+([^,;.!?]+?),?\s+but\s+`)
)

// apartFromAlternatives splits a sentence into its statements: the sentence without the rejected
// alternative, and the negated statement about that alternative.
func apartFromAlternatives(sentence string) []string {
	if !claimOf(sentence).negated && !instead().MatchString(sentence) {
		return []string{sentence}
	}
	if at := notBefore().FindStringSubmatchIndex(sentence); at != nil {
		before := sentence[:at[0]]
		return []string{before + sentence[at[1]:], before + "not " + sentence[at[2]:at[3]]}
	}
	at := notAfter().FindStringSubmatchIndex(sentence)
	if at == nil || strings.TrimSpace(sentence[:at[0]]) == "" {
		return []string{sentence}
	}
	start, end := max(at[2], at[4]), max(at[3], at[5])
	before, denied := sentence[:at[0]], sentence[start:end]
	stated := []string{before + sentence[at[1]:]}
	if rest := withoutEnd(before, len(strings.Fields(denied))); rest != "" {
		stated = append(stated, rest+" not "+denied)
	}
	return stated
}

// withoutEnd returns a statement without its last words, and without the rest of a name that they
// end. An alternative takes their place.
func withoutEnd(statement string, words int) string {
	fields := strings.Fields(statement)
	n := max(0, len(fields)-words)
	for n > 0 && wordPattern().MatchString(fields[n-1]) && wordOf(wordPattern().FindString(plain(fields[n-1]))).name && n > 1 {
		n--
	}
	return strings.Join(fields[:n], " ")
}
