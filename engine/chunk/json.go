package chunk

// JSON splits a JSON document. A document not longer than Size is one chunk,
// unchanged; of a longer one each chunk is a JSON document of its own, without
// the white space.
//
// Cuts fall between the elements of arrays and the members of objects, in those
// alone that are too long to stay whole. A chunk has the shape of the document:
// {"orders": [..., ...]} becomes {"orders": [...]} and {"orders": [...]}. Where
// an object is cut, its first short members (an id, a name) are repeated in each
// chunk that goes on with it, up to Overlap bytes in all. A string too long for
// a chunk is cut as [Text] cuts.
//
// Every number, string, true, false and null of the document is in a chunk,
// under its keys and in its order; numbers are copied digit by digit, and keys
// that come twice come twice. Three things are given up for size: of keys that
// alone would fill half of a chunk, because they are nested deep, the outermost
// are left out; a key longer than an eighth of a chunk is cut, and stands in
// full as the first value under what is left of it; and a number that is longer
// than a chunk makes a longer chunk.
//
// The error says where the document is not JSON.
func JSON(content string, o Options) ([]Chunk, error) {
	if err := validate(content); err != nil {
		return nil, err
	}
	o = o.orDefaults(minJSON)
	if len(content) <= o.Size {
		return []Chunk{{Text: content, Start: 0, End: len(content)}}, nil
	}
	root, err := parse(content)
	if err != nil {
		return nil, err
	}
	p := packer{doc: content, size: o.Size, overlap: o.Overlap}
	p.add(root)
	p.flush()
	return p.chunks, nil
}
