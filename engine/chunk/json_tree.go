package chunk

import (
	"encoding/json"
	"fmt"
	"strings"
)

// value is a place in a JSON document. Literals are not decoded, so that big numbers and the order
// of keys are kept.
type value struct {
	key        string // the literal with its quotes, if it is a member of an object
	from       int    // where it begins, including its key
	start, end int    // the value itself, without its key
	size       int    // of the value without white space, in bytes
	kind       byte   // '{', '[', '"', or 0: a number, true, false or null
	children   []value
}

func (v value) length() int {
	if v.key == "" {
		return v.size
	}
	return len(v.key) + len(":") + v.size
}

// reader makes the tree of a valid document.
type reader struct {
	doc    string
	tokens *json.Decoder
	at     int // the end of the token last read
}

func parse(doc string) (value, error) {
	r := reader{doc: doc, tokens: json.NewDecoder(strings.NewReader(doc))}
	r.tokens.UseNumber()
	return r.value()
}

// validate checks that a document is JSON, and not nested deeper than the
// 10,000 levels that encoding/json allows.
func validate(doc string) error {
	var any json.RawMessage
	if err := json.Unmarshal([]byte(doc), &any); err != nil {
		return fmt.Errorf("read the JSON document: %w", err)
	}
	return nil
}

func (r *reader) next() (token json.Token, start int, err error) {
	token, err = r.tokens.Token()
	if err != nil {
		return nil, 0, fmt.Errorf("read the JSON document at byte %d: %w", r.at, err)
	}
	end := int(r.tokens.InputOffset())
	literal := strings.TrimLeft(r.doc[r.at:end], " \t\r\n,:")
	r.at = end
	return token, end - len(literal), nil
}

func (r *reader) value() (value, error) {
	token, start, err := r.next()
	if err != nil {
		return value{}, err
	}
	v := value{from: start, start: start, end: r.at, size: r.at - start}
	switch t := token.(type) {
	case json.Delim:
		v.kind = byte(t)
		return r.container(v)
	case string:
		v.kind = '"'
	}
	return v, nil
}

func (r *reader) container(v value) (value, error) {
	v.size = len("{}")
	for r.tokens.More() {
		child, err := r.child(v.kind)
		if err != nil {
			return value{}, err
		}
		if len(v.children) > 0 {
			v.size += len(",")
		}
		v.size += child.length()
		v.children = append(v.children, child)
	}
	_, _, err := r.next()
	v.end = r.at
	return v, err
}

func (r *reader) child(of byte) (value, error) {
	if of == '[' {
		return r.value()
	}
	_, from, err := r.next()
	if err != nil {
		return value{}, err
	}
	key := r.doc[from:r.at]
	v, err := r.value()
	v.key, v.from = key, from
	return v, err
}
