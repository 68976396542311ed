// Package chunk splits documents that are too long to be read at once. [Text] cuts where a
// text pauses and begins each part with the last sentences of the part before, so that
// "she" still has its name; [JSON] cuts between elements and members and keeps their keys.
// Both keep every part within a size in bytes, leave nothing out and take linear time.
package chunk

import (
	"unicode/utf8"
)

// The values of [Options] that stand where none is given.
const (
	DefaultSize    = 6000 // bytes
	DefaultOverlap = 400  // bytes
)

// The smallest sizes there are; less counts as these.
const (
	minText = utf8.UTFMax
	minJSON = 128
)

// Chunk is a stretch of a document.
type Chunk struct {
	// Text is what to read. For [Text] it is the document's bytes from Start to
	// End; for [JSON] it is a JSON document rewritten from them.
	Text string

	// Start and End are the range [Start, End) in bytes of the document that
	// Text is taken from. For [JSON], what is repeated for context lies outside
	// of it, and each piece of a long string has the range of the whole string.
	Start, End int
}

// Options say how long chunks are. The zero value is good for most models.
type Options struct {
	// Size is the most bytes of a chunk. Zero: DefaultSize. [Text] takes no
	// size below 4, the longest character, and [JSON] none below 128; smaller
	// ones count as these.
	Size int

	// Overlap is the most bytes that a chunk repeats of what stands before it.
	// Zero: DefaultOverlap; negative: none. More than half of Size counts as half.
	Overlap int
}

func (o Options) orDefaults(least int) Options {
	if o.Size <= 0 {
		o.Size = DefaultSize
	}
	if o.Overlap == 0 {
		o.Overlap = DefaultOverlap
	}
	o.Size = max(o.Size, least)
	o.Overlap = min(max(o.Overlap, 0), o.Size/2, o.Size-utf8.UTFMax)
	return o
}
