package offline

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
	"github.com/annalsdb/annals/prompts"
)

// liking and disliking are predicates of attitudes, of these rules and of others who state facts.
// Nobody likes and dislikes the same thing at a time.
var (
	liking    = set(`LIKES LOVES ENJOYS ADORES PREFERS FOND_OF IS_FOND_OF FAN_OF IS_FAN_OF IS_INTO INTERESTED_IN`)
	disliking = set(`DISLIKES HATES DETESTS LOATHES DESPISES ABHORS CANNOT_STAND CANT_STAND CAN_NOT_STAND CANNOT_BEAR DOES_NOT_LIKE
		AVOIDS AVERSE_TO IS_AVERSE_TO`)
)

// clash reports whether one predicate is of liking and the other of disliking.
func clash(a, b string) bool {
	return liking[a] && disliking[b] || disliking[a] && liking[b]
}

// feelsOfIt matches an attitude to something named in the message before: "I can't stand it now".
var feelsOfIt = pattern.New(`(?i)^((?:(?:well|actually|but|now|honestly|sorry|no|oh|these days|today|lately|turns out)[, ]+)*i (?:(?:now|really|just|actually|absolutely|also|still) |no longer |don't |do not |can't |cannot |can not )*(?:stand|bear|hate|dislike|detest|loathe|love|like|enjoy|adore) )(?:it|them)\b`)

// spelledOut replaces "it" by the object of the speaker's last claim, if both express an attitude.
func spelledOut(e prompts.Episode, u utterance) string {
	if len(e.Previous) == 0 || !holdsAny(u.text, " it", " them") {
		return u.text
	}
	m := feelsOfIt().FindStringSubmatchIndex(strings.TrimSpace(u.text))
	if m == nil {
		return u.text
	}
	last, _, ok := lastClaim(e, u)
	if !ok || !liking[last.predicate] && !disliking[last.predicate] {
		return u.text
	}
	text := strings.TrimSpace(u.text)
	return text[:m[3]] + last.object + text[m[1]:]
}
