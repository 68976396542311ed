package matching

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

// another matches words that tell a name from the same name of somebody else: "my other friend
// Max", "another Max", "a second dog called Max".
var another = pattern.New(`(?i)\b(?:another|(?:my|our|his|her|their|the|an|some) other|(?:a|my|our|his|her|their|the) second|a different)(?: [\p{L}-]+(?: (?:called|named))?)? $`)

// Another reports whether a text tells the bearer of a name from another one of the same name.
func Another(text, name string) bool {
	for rest := text; name != ""; {
		at := strings.Index(rest, name)
		if at < 0 {
			break
		}
		if another().MatchString(rest[:at]) {
			return true
		}
		rest = rest[at+len(name):]
	}
	return false
}
