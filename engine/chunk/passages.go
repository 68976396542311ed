package chunk

import "strings"

// The length of passages, in bytes: as short as a sentence that says something, and
// no shorter, as a few words alone may be near to anything.
const (
	leastPassage = 80
	mostPassage  = 160
	mostPassages = 12 // of a text; those of a longer one are longer
)

// Passages splits a text into the stretches that say one thing each: sentences, the
// short ones together with the next, each 80 to 160 bytes long where sentences allow it, in
// order and at most twelve. White space around them is left out. A text of one
// passage has none: it is said by the whole.
func Passages(text string) []string {
	var passages []string
	begin, last := 0, 0
	end := func(at int) {
		if passage := strings.TrimSpace(text[begin:at]); passage != "" {
			passages = append(passages, passage)
		}
		begin = at
	}
	for at := range sentenceEnds(text) {
		if last > begin && at-begin > mostPassage {
			end(last)
		}
		if last = at; at-begin >= leastPassage {
			end(at)
		}
	}
	end(len(text))
	if len(passages) < 2 {
		return nil
	}
	return joined(passages)
}

// joined makes as many passages as are kept at the most, all of about as many.
func joined(passages []string) []string {
	each := (len(passages) + mostPassages - 1) / mostPassages
	var few []string
	for begin := 0; begin < len(passages); begin += each {
		few = append(few, strings.Join(passages[begin:min(begin+each, len(passages))], " "))
	}
	return few
}
