package matching

import (
	"strings"

	"github.com/annalsdb/annals/internal/pattern"
)

// Who is called so as to tell them from somebody of the same name: "my other friend Max",
// "another Max", "a second dog called Max".
var another = pattern.New(`(?i)\b(?:another|(?:my|our|his|her|their|the|an|some) other|(?:a|my|our|his|her|their|the) second|a different)(?: [\p{L}-]+(?: (?:called|named))?)? $`)

// Another reports whether a text tells somebody or something from another one that has
// the same name.
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
