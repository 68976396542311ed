package chunk

import "sort"

// packer fills chunks with the values of a document, in order.
type packer struct {
	doc           string
	size, overlap int

	path   []level // the containers that are being cut, outermost first
	chunks []Chunk

	// The chunk that is being filled; empty until it has a value. The levels path[base:opened] are
	// open in it; levels before base are left out.
	text         []byte
	start, end   int
	base, opened int
}

// level is a container that does not fit into one chunk.
type level struct {
	key     string // the literal as repeated; empty: no key
	kind    byte   // '{' or '['
	context []byte // the repeated members, each with a comma after it
	room    int    // how many bytes context may still take
	spare   int    // how many bytes of context are left for inner levels
	cost    int    // how many bytes it and the outer levels take, at most
	filled  bool   // it is open, and the next value in it needs a comma
}

func (p *packer) add(v value) {
	if !p.fits(v.length()) && p.envelope()+v.length() > p.size {
		p.split(v)
		return
	}
	literal := member(v.key, compact(p.doc[v.start:v.end]))
	p.put(v, literal)
	if v.kind == 0 || v.kind == '"' {
		p.remember(literal)
	}
}

func (p *packer) split(v value) {
	key := v.key
	if longest := p.size / 8; len(key) > longest {
		key = shorten(key, longest)
		p.addText(value{from: v.from, end: v.from + len(v.key)}, key, unquote(v.key))
	}
	switch v.kind {
	case '{', '[':
		p.descend(key, v.kind)
		for _, child := range v.children {
			p.add(child)
		}
		p.ascend()
	case '"':
		p.addText(v, key, unquote(p.doc[v.start:v.end]))
	default:
		p.put(v, member(key, p.doc[v.start:v.end]))
	}
}

func (p *packer) addText(v value, key, text string) {
	room := p.size - p.envelope() - len(member(key, ""))
	for _, piece := range quotedPieces(text, room, p.overlap) {
		p.put(v, member(key, piece))
	}
}

// put writes a literal into this chunk, or into the next one if there is no room.
func (p *packer) put(v value, literal string) {
	if !p.fits(len(literal)) {
		p.flush()
	}
	if len(p.text) == 0 {
		p.start, p.base = v.from, p.outermost()
		p.opened = p.base
	}
	p.open()
	p.separate(len(p.path) - 1)
	p.text = append(p.text, literal...)
	p.end = v.end
}

// remember makes a short member of an object repeat in each further chunk of the object.
func (p *packer) remember(literal string) {
	if len(p.path) == 0 {
		return
	}
	l, n := &p.path[len(p.path)-1], len(literal)+len(",")
	if n > l.room {
		return
	}
	l.context = append(append(l.context, literal...), ',')
	l.room, l.spare, l.cost = l.room-n, l.spare-n, l.cost+n
}

// descend makes a container the innermost level. It may repeat half of what its parent may repeat.
func (p *packer) descend(key string, kind byte) {
	l := level{key: key, kind: kind, spare: min(p.overlap, p.size/4), cost: len(member(key, "")) + len("{},")}
	if n := len(p.path); n > 0 {
		l.spare = p.path[n-1].spare
		l.cost += p.path[n-1].cost
	}
	if kind == '{' {
		l.room = l.spare / 2
	}
	p.path = append(p.path, l)
}

// ascend leaves the innermost level, and ends the chunk if it is the outermost one.
func (p *packer) ascend() {
	last := len(p.path) - 1
	if len(p.text) > 0 && p.opened > last {
		if last == p.base {
			p.flush()
		} else {
			p.close()
		}
	}
	p.path = p.path[:last]
}

// fits reports whether this chunk has room for n more bytes.
func (p *packer) fits(n int) bool {
	if len(p.text) == 0 {
		return p.envelope()+n <= p.size
	}
	if len(p.path) == 0 {
		return false // a document has one root
	}
	unopened := p.costs(len(p.path)) - p.costs(p.opened)
	brackets := p.opened - p.base
	return len(p.text)+len(",")+unopened+n+brackets <= p.size
}

// envelope returns how many bytes the path takes in a new chunk.
func (p *packer) envelope() int { return p.costs(len(p.path)) - p.costs(p.outermost()) }

// outermost returns the first level of a new chunk: the one from which the path takes at most half
// of the chunk.
func (p *packer) outermost() int {
	n := len(p.path)
	return sort.Search(max(n-1, 0), func(i int) bool { return p.costs(n)-p.costs(i) <= p.size/2 })
}

func (p *packer) costs(n int) int {
	if n == 0 {
		return 0
	}
	return p.path[n-1].cost
}

// open opens the remaining levels of the path.
func (p *packer) open() {
	for ; p.opened < len(p.path); p.opened++ {
		l := &p.path[p.opened]
		if p.opened > p.base {
			p.separate(p.opened - 1)
			p.text = append(p.text, member(l.key, "")...)
		}
		p.text = append(append(p.text, l.kind), l.context...)
		l.filled = false
	}
}

// separate writes a comma if needed.
func (p *packer) separate(i int) {
	if i < 0 {
		return
	}
	if p.path[i].filled {
		p.text = append(p.text, ',')
	}
	p.path[i].filled = true
}

func (p *packer) close() {
	p.opened--
	p.text = append(p.text, p.path[p.opened].kind+2) // as ] and } are in ASCII
}

func (p *packer) flush() {
	if len(p.text) == 0 {
		return
	}
	for p.opened > p.base {
		p.close()
	}
	p.chunks = append(p.chunks, Chunk{Text: string(p.text), Start: p.start, End: p.end})
	p.text = p.text[:0]
	p.base, p.opened = 0, 0
}
