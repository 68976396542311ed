package chunk

import (
	"strings"
)

// Text splits a text. A text within Size is one chunk, unchanged. It cuts between paragraphs, else
// sentences, else words, else grapheme clusters. It cuts within a cluster only if that is longer
// than a chunk. The rules are those of Unicode Standard Annex 29. A chunk begins with the last
// whole sentences of the chunk before that fit into Overlap. Chunks are in order and cover every
// byte.
func Text(content string, o Options) []Chunk {
	o = o.orDefaults(minText)
	var chunks []Chunk
	for start, fresh := 0, 0; ; {
		w := window{content: content, start: start, fresh: fresh, limit: start + o.Size}
		end := w.cut()
		chunks = append(chunks, Chunk{Text: content[start:end], Start: start, End: end})
		if end == len(content) {
			return chunks
		}
		start, fresh = w.overlap(end, o.Overlap), end
	}
}

type window struct {
	content string
	start   int // where the chunk begins
	fresh   int // the end of the part that repeats the chunk before; the cut is after it
	limit   int // the latest end of the chunk

	// The ends of sentences after start and up to limit; set by cut.
	sentences []int
}

// lookahead is how many bytes after the limit are read to find a boundary at it.
const lookahead = 64

func (w *window) cut() int {
	if w.limit >= len(w.content) {
		return len(w.content)
	}
	text := w.content[w.start:min(w.limit+lookahead, len(w.content))]
	paragraph, characters := 0, charactersOf(text)
	for end, closes := range sentenceEnds(text) {
		if w.start+end > w.limit {
			break
		}
		if !characters.beginAt(end) {
			continue
		}
		end += w.start
		w.sentences = append(w.sentences, end)
		if closes {
			paragraph = end
		}
	}
	// A paragraph that ends early would leave most of the chunk unused.
	if paragraph > w.fresh && paragraph-w.start >= (w.limit-w.start)/2 {
		return paragraph
	}
	if n := len(w.sentences); n > 0 && w.sentences[n-1] > w.fresh {
		return w.sentences[n-1]
	}
	return w.cutSentence()
}

// cutSentence returns where a chunk ends within a sentence.
func (w *window) cutSentence() int {
	text := w.content[w.fresh:min(w.limit+lookahead, len(w.content))]
	room := w.limit - w.fresh
	if end := lastWordEnd(text, room); end > 0 {
		return w.fresh + end
	}
	if end := lastCharacterEnd(text, room); end > 0 {
		return w.fresh + end
	}
	return w.fresh + lastRuneEnd(text, room)
}

// overlap returns where the next chunk begins: at the first sentence that begins within the last
// bytes.
func (w *window) overlap(end, most int) int {
	for _, begin := range w.sentences {
		if begin < end && begin >= end-most {
			return begin
		}
	}
	return end
}

// The length of passages, in bytes. Longer ones, of 120 to 250 bytes, find less of what is
// mentioned in passing, and shorter ones find no more.
const (
	leastPassage = 80
	mostPassage  = 160
	mostPassages = 12 // of a text; a longer text has longer passages

	mostToSplit = 24 << 10
)

// Passages splits a message into at most twelve passages of one topic each: a long sentence, or
// short ones of 80 to 160 bytes together. It returns none for a text of a single passage or of more
// than 24 KiB.
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

// joined joins neighbours until there are at most mostPassages.
func joined(passages []string) []string {
	each := (len(passages) + mostPassages - 1) / mostPassages
	var few []string
	for begin := 0; begin < len(passages); begin += each {
		few = append(few, strings.Join(passages[begin:min(begin+each, len(passages))], " "))
	}
	return few
}
