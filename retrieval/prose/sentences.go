// Package prose finds the words and sentences of texts.
package prose

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// Sentences cuts a text into its sentences by Unicode's rules (UAX 29). A
// line break ends a sentence. White space in a line becomes single spaces.
func Sentences(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		for s := sentences.FromString(OneLine(line)); s.Next(); {
			out = append(out, s.Value())
		}
		if len(out) > 0 {
			out[len(out)-1] = strings.TrimSpace(out[len(out)-1]) + "\n"
		}
	}
	return out
}
