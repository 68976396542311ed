package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lines reads the messages of a host, one per line. It answers invalid and overlong messages itself
// and drops them. The library would end the session on such a message, and the host would wait for
// an answer that never comes.
type lines struct {
	in     *bufio.Reader
	close  io.Closer
	answer *oneByOne
	log    *slog.Logger
	most   int

	rest []byte // the unread part of the current line
}

func newLines(in io.ReadCloser, answer *oneByOne, log *slog.Logger) *lines {
	return &lines{in: bufio.NewReaderSize(in, 64<<10), close: in, answer: answer, log: log, most: maxBody}
}

// Close closes what the lines come from.
func (l *lines) Close() error { return l.close.Close() }

// Read returns valid messages only.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.next()
		if len(line) == 0 && err != nil {
			return 0, err
		}
		if l.passes(line) {
			l.rest = append(bytes.TrimRight(line, "\r\n"), '\n')
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next reads a line. It answers a line that is too long, drops it, and returns an empty line.
func (l *lines) next() (line []byte, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > l.most+1 {
			return []byte("\n"), l.tooLong(line, errors.Is(err, bufio.ErrBufferFull))
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// tooLong reads a line to its end, if more is set, and answers it with an error.
func (l *lines) tooLong(begun []byte, more bool) error {
	var found idFinder
	found.read(begun)
	length := len(begun)
	var err error
	for more {
		var part []byte
		part, err = l.in.ReadSlice('\n')
		found.read(part)
		length += len(part)
		more = errors.Is(err, bufio.ErrBufferFull)
	}
	l.refuse(found.id, found.called, jsonrpc.CodeInvalidRequest,
		fmt.Sprintf("the message has %d bytes; the most is %d: send less at once, a long document in parts", length, l.most))
	return err
}

// passes reports whether a line is a message, and answers an invalid one with an error.
func (l *lines) passes(line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return false
	}
	if !json.Valid(line) {
		l.refuse(nil, false, jsonrpc.CodeParseError, "the line is no JSON; send one message a line")
		return false
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		var found idFinder
		found.read(line)
		l.refuse(found.id, false, jsonrpc.CodeInvalidRequest, "the line is no message of JSON-RPC 2.0; send one message a line, and no list of them")
		return false
	}
	return true
}

// refuse answers a line with an error. It does not answer notifications.
func (l *lines) refuse(id []byte, called bool, code int64, why string) {
	l.log.WarnContext(context.Background(), "message refused", "why", why)
	if id == nil && called {
		return
	}
	if id == nil {
		id = []byte("null")
	}
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": json.RawMessage(id), "error": map[string]any{"code": code, "message": why},
	})
	if err == nil {
		_, err = l.answer.Write(append(answer, '\n'))
	}
	if err != nil { // the host is gone; the reader notices that too
		l.log.WarnContext(context.Background(), "a refused message could not be answered", "error", err)
	}
}

// oneByOne is a writer for several goroutines. Each call writes a whole message.
type oneByOne struct {
	mu sync.Mutex
	to io.WriteCloser
}

// Write writes a message.
func (o *oneByOne) Write(message []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.to.Write(message)
}

// Close closes the underlying writer.
func (o *oneByOne) Close() error { return o.to.Close() }

// maxMessageID is the limit in bytes on the id of a message that lines answers.
const maxMessageID = 256

// idFinder finds the id of a message that is too long to keep. The id may come last.
type idFinder struct {
	id     []byte // nil: none was found yet
	called bool   // whether the message has a method

	depth           int
	inText, escaped bool
	behindKey       bool
	key, part       []byte // of the outermost object
}

func (f *idFinder) read(data []byte) {
	for _, b := range data {
		f.next(b)
	}
}

func (f *idFinder) next(b byte) {
	switch {
	case f.inText:
		f.keep(b)
		f.inText = f.escaped || b != '"'
		f.escaped = !f.escaped && b == '\\'
	case b == '"':
		f.inText = true
		f.keep(b)
	case b == '{' || b == '[':
		f.depth++
	case b == '}' || b == ']':
		f.end()
		f.depth--
	case b == ',':
		f.end()
	case b == ':' && f.depth == 1 && !f.behindKey:
		f.key, f.part, f.behindKey = f.part, nil, true
	case b == ' ' || b == '\t' || b == '\r' || b == '\n':
	default:
		f.keep(b)
	}
}

func (f *idFinder) keep(b byte) {
	if f.depth == 1 && len(f.part) <= maxMessageID {
		f.part = append(f.part, b)
	}
}

// end completes a member of the message.
func (f *idFinder) end() {
	if f.depth != 1 {
		return
	}
	switch string(f.key) {
	case `"id"`:
		if len(f.part) <= maxMessageID && json.Valid(f.part) {
			f.id = f.part
		}
	case `"method"`:
		f.called = true
	}
	f.key, f.part, f.behindKey = nil, nil, false
}
