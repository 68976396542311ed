package chunk

// Text splits a text. A text not longer than Size is one chunk, unchanged; an
// empty one is one empty chunk.
//
// A cut falls between two paragraphs, else between two sentences, else between
// two words, else between two characters as people count them (grapheme
// clusters), and inside of such a character only where it does not fit in a
// chunk. Sentences, words and characters are those of Unicode Standard Annex
// 29, which knows scripts without spaces. A chunk begins with as many whole
// sentences from the end of the one before as fit in Overlap, which may be none.
//
// The chunks are in order, begin and end later than the one before, and cover
// every byte; without their overlaps they join to the text. A chunk may be
// blank where the text is.
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

// window is the stretch of a text that the next chunk is cut from.
type window struct {
	content string
	start   int // where the chunk begins
	fresh   int // up to here it repeats the chunk before; the cut is after it
	limit   int // the chunk ends here at the latest

	// Where sentences end, after start and not after limit; filled by cut.
	sentences []int
}

// lookahead is how many bytes after the limit are read to judge whether there
// is a boundary at it. Where that is too few, a boundary is taken for none.
const lookahead = 64

// cut returns where the chunk ends.
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

// cutSentence returns where the chunk ends if one sentence goes beyond it.
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

// overlap returns where the chunk after one that ends at end begins: with the
// first sentence of those that lie within the last bytes of it.
func (w *window) overlap(end, most int) int {
	for _, begin := range w.sentences {
		if begin < end && begin >= end-most {
			return begin
		}
	}
	return end
}
