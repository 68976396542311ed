package mem0

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
)

// listed reads the memories of a file, one at a time.
type listed struct {
	*archive.Elements
	unmapped         *archive.Unmapped
	inObject, inList bool
	began            bool
	rest             map[string]json.RawMessage // fields of the object besides its lists
}

func (l *listed) next() (memory, error) {
	for {
		switch {
		case l.inList && l.More():
			raw, err := l.Value()
			if err != nil {
				return memory{}, err
			}
			if m, ok := l.memory(raw); ok {
				return m, nil
			}
			continue
		case l.inList || l.inObject && !l.More():
			if err := l.End(); err != nil {
				return memory{}, err
			}
			if l.inList {
				l.inList = false
				continue
			}
			l.inObject = false
			if m, ok := l.alone(); ok {
				return m, nil
			}
		case l.inObject:
			if err := l.field(); err != nil {
				return memory{}, err
			}
		default:
			if err := l.open(); err != nil {
				return memory{}, err
			}
		}
	}
}

// open begins the next value of the file.
func (l *listed) open() error {
	token, err := l.Next()
	switch {
	case errors.Is(err, io.EOF) && l.began:
		return io.EOF
	case errors.Is(err, io.EOF):
		return graph.Invalid("import", "the file is empty")
	case err != nil:
		return err
	}
	l.began = true
	switch token {
	case json.Delim('['):
		l.inList = true
	case json.Delim('{'):
		l.inObject, l.rest = true, map[string]json.RawMessage{}
	default:
		return graph.Invalid("import", "the file is not what Mem0 exports: a list of memories, or an object with one called results")
	}
	return nil
}

// field reads a field of an object.
func (l *listed) field() error {
	key, err := l.Next()
	if err != nil {
		return err
	}
	name := fmt.Sprint(key)
	switch name {
	case "results", "memories":
		token, err := l.Next()
		if err != nil {
			return err
		}
		if l.inList = token == json.Delim('['); !l.inList && token != nil {
			return graph.Invalid("import", "%s of the file is no list of memories", name)
		}
		return nil
	case "relations":
		return l.List(func(raw json.RawMessage) error {
			l.unmapped.Add("relation of the graph", string(raw[:min(len(raw), 200)]))
			return nil
		})
	}
	l.rest[name], err = l.Value()
	return err
}

// alone returns the object that just ended, if it is itself a memory.
func (l *listed) alone() (memory, bool) {
	if l.rest["memory"] == nil {
		return memory{}, false
	}
	text, err := json.Marshal(l.rest)
	if err != nil {
		return memory{}, false
	}
	return l.memory(text)
}

func (l *listed) memory(raw json.RawMessage) (memory, bool) {
	var m memory
	if err := json.Unmarshal(raw, &m); err != nil {
		l.unmapped.Add("element that is no memory", err.Error())
		return m, false
	}
	return m, true
}
