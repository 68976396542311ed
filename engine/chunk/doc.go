// Package chunk splits documents that are too long to be read at once.
//
// A language model reads a few thousand bytes well and a megabyte badly or not
// at all, so long documents are read in parts. Where the cuts fall decides what
// is understood: [Text] cuts where the text itself pauses and begins each part
// with the last sentences of the part before, so that "she" still has its name;
// [JSON] cuts between elements and members and keeps in each part the keys that
// it stands under, so that a number is still the number of something.
//
// Both keep every part within a size in bytes, leave nothing out and take time
// in proportion to the document, whatever it holds.
package chunk
