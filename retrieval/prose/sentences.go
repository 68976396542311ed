// Package prose finds the words and sentences of texts.
package prose

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// Sentences cuts a text into its sentences by Unicode's rules (UAX 29), but
// for the stop of "Dr.", which ends none. A line break ends a sentence. White
// space in a line becomes single spaces.
func Sentences(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		titled := false
		for s := sentences.FromString(OneLine(line)); s.Next(); {
			if titled {
				out[len(out)-1] += s.Value()
			} else {
				out = append(out, s.Value())
			}
			titled = endsInTitle(s.Value())
		}
		if len(out) > 0 {
			out[len(out)-1] = strings.TrimSpace(out[len(out)-1]) + "\n"
		}
	}
	return out
}

// endsInTitle reports whether a text ends with the title of somebody whose name follows.
func endsInTitle(s string) bool {
	s = strings.TrimSpace(s)
	switch s[strings.LastIndexByte(s, ' ')+1:] {
	case "Dr.", "Mr.", "Mrs.", "Ms.", "Prof.", "St.":
		return true
	}
	return false
}
