package chunk

import "strings"

// The length of passages, in bytes. Longer ones, of 120 to 250 bytes, find less of
// what is said in passing, and shorter ones no more.
const (
	leastPassage = 80
	mostPassage  = 160
	mostPassages = 12 // of a text; those of a longer one are longer

	mostToSplit = 24 << 10
)

// Passages splits a message into stretches that say one thing each: a sentence, or
// short ones up to 80 bytes, of which no more follow once they would take more than
// 160; the last may be shorter. They are in order and at most twelve: where there
// would be more, as many are joined as make it twelve or fewer. White space around
// them is left out. A text of a single passage has none, as the whole says it, nor
// has one of more than 24 KiB, which is no message.
func Passages(text string) []string {
	if len(text) > mostToSplit {
		return nil
	}
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

// joined joins neighbours, always as many, until there are few enough.
func joined(passages []string) []string {
	each := (len(passages) + mostPassages - 1) / mostPassages
	var few []string
	for begin := 0; begin < len(passages); begin += each {
		few = append(few, strings.Join(passages[begin:min(begin+each, len(passages))], " "))
	}
	return few
}
