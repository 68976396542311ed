// Package chunk splits documents that are too long to be read in one call. [Text] cuts where a text
// pauses, and begins each part with the last sentences of the part before, so that "she" still has
// its name. [JSON] cuts between elements and members and keeps their keys. Both keep every part
// within a size in bytes, leave nothing out and take linear time.
package chunk

import (
	"unicode/utf8"
)

// The defaults of [Options].
const (
	DefaultSize    = 6000 // bytes
	DefaultOverlap = 400  // bytes
)

// The smallest sizes. Smaller ones are raised to these.
const (
	minText = utf8.UTFMax
	minJSON = 128
)

// Chunk is a part of a document.
type Chunk struct {
	// Text is the text to read. For [Text] it is the bytes of the document from Start to End; for
	// [JSON] it is a JSON document made from them.
	Text string

	// Start and End are the range [Start, End), in bytes of the document, that Text is taken from.
	// For [JSON], context that is repeated lies outside of the range, and each piece of a long
	// string has the range of the whole string.
	Start, End int
}

// Options set the length of chunks. The zero value is good for most models.
type Options struct {
	// Size is the most bytes of a chunk. Zero: DefaultSize. For [Text] the minimum is 4, the
	// longest character, and for [JSON] 128; smaller sizes are raised.
	Size int

	// Overlap is how many bytes before a chunk it may repeat. Zero: DefaultOverlap; negative: none.
	// It is at most half of Size.
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
