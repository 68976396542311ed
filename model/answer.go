package model

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/kaptinlin/jsonrepair"
)

const (
	maxCandidates = 64       // places in a text where an answer may begin
	maxDepth      = 100      // of nesting
	maxOpened     = 1000     // braces and brackets of what is repaired without knowing its end
	maxRepair     = 64 << 10 // bytes of an answer that are repaired; the time it takes grows with their square
)

var (
	errNoJSON     = errors.New("there is no JSON object in it")
	errUnfinished = errors.New("the JSON object is not finished: a brace or bracket that was opened is never closed")
	errMalformed  = errors.New("the JSON object is malformed")
	errTooDeep    = errors.New("the JSON is nested too deeply")
)

// readAnswer finds the JSON object in what a model said and brings it into
// shape. It accepts text and reasoning around it, fences, trailing commas,
// single quotes and comments, but never an object that was not finished: what
// is missing may be the half of an answer.
func readAnswer(text string, s *shape) ([]byte, error) {
	r := &reader{shape: s, repairs: maxRepair}
	value, err := r.findObject(r.afterThinking(text))
	if err != nil {
		return nil, err
	}
	return s.fit(value)
}

// reader reads one answer.
type reader struct {
	shape   *shape
	repairs int // bytes that may still be repaired
}

// afterThinking leaves out what a reasoning model thought aloud. Templates that
// open the thought themselves only show its end, which may also be a word of
// the answer.
func (r *reader) afterThinking(text string) string {
	const opened, closed = "<think>", "</think>"
	at := strings.LastIndex(text, closed)
	if at < 0 {
		return text
	}
	rest := text[at+len(closed):]
	if strings.HasPrefix(strings.TrimSpace(text), opened) {
		return rest
	}
	if value, err := r.findObject(rest); err == nil && r.shape.resembles(value) {
		return rest
	}
	return text
}

// findObject returns the first object in a text that has one of the properties
// looked for, or else what comes nearest to it.
func (r *reader) findObject(text string) (any, error) {
	found, err := r.candidates(text)
	if err == nil {
		for _, value := range found {
			if r.shape.resembles(value) {
				return value, nil
			}
		}
	}
	if whole, ok := r.parseWhole(text); ok && r.shape.resembles(whole) {
		return whole, nil
	}
	if err != nil {
		return nil, err
	}
	for _, value := range found {
		if _, ok := value.(map[string]any); ok || r.shape.listed(value) != nil {
			return value, nil
		}
	}
	return nil, errNoJSON
}

// candidates are the objects and lists in a text that are not within others,
// up to the first that is an answer. It is an error if one begins and does not
// end, or cannot be read: what stands within it is not the whole answer.
func (r *reader) candidates(text string) ([]any, error) {
	var found []any
	at := 0
	for range maxCandidates {
		start := strings.IndexAny(text[at:], "{[")
		if start < 0 {
			break
		}
		at += start
		length, err := span(text[at:])
		switch {
		case err == nil:
			value, ok := r.parse(text[at : at+length])
			if !ok && begins(text[at:]) {
				return nil, errMalformed
			}
			if !ok { // braces of a sentence, perhaps with an object within
				at++
				continue
			}
			found = append(found, value)
			if r.shape.resembles(value) {
				return found, nil
			}
			at += length
		case errors.Is(err, errTooDeep) || begins(text[at:]):
			return nil, err
		default:
			at++
		}
	}
	return found, nil
}

// begins reports whether a brace or bracket is meant as JSON, by what follows
// it.
func begins(text string) bool {
	rest := strings.TrimLeft(text[1:], " \t\r\n")
	if rest == "" {
		return true
	}
	if text[0] == '[' {
		return strings.ContainsRune("{[\"", rune(rest[0]))
	}
	return strings.ContainsRune("\"'", rune(rest[0]))
}

// span is the length of the object or list that a text begins with.
func span(text string) (int, error) {
	depth, quoted, escaped := 0, false, false
	for i := range len(text) {
		c := text[i]
		switch {
		case escaped:
			escaped = false
		case quoted && c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return 0, errTooDeep
			}
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1, nil
			}
		}
	}
	return 0, errUnfinished
}

// parse reads JSON, repairing what can be repaired.
func (r *reader) parse(text string) (any, bool) {
	if value, ok := decode(text); ok {
		return value, true
	}
	text = keepBackslashes(text)
	if value, ok := decode(text); ok {
		return value, true
	}
	if len(text) > r.repairs || strings.HasPrefix(text, "{") && !strings.Contains(text, ":") {
		return nil, false
	}
	r.repairs -= len(text)
	repaired, err := jsonrepair.Repair(text)
	if err != nil {
		return nil, false
	}
	return decode(repaired)
}

// escapes are the letters that may follow a backslash in JSON.
const escapes = `"\/bfnrtu`

// keepBackslashes doubles each backslash that begins no escape, as in \sum: repaired, it
// would be gone. One before ' or at the end of a line means nothing.
func keepBackslashes(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != '\\' || i+1 == len(text):
			b.WriteByte(text[i])
		case strings.IndexByte("'\r\n", text[i+1]) >= 0:
		case !strings.Contains(escapes, text[i+1:i+2]) || text[i+1] == 'u' && !isHex(text[i+2:]):
			b.WriteString(`\\`)
		default:
			b.WriteString(text[i : i+2])
			i++
		}
	}
	return b.String()
}

// isHex reports whether a text begins with the four digits of an escape.
func isHex(text string) bool {
	if len(text) < 4 {
		return false
	}
	_, err := strconv.ParseUint(text[:4], 16, 16)
	return err == nil
}

// parseWhole repairs everything between the first and the last brace: where
// quotes are not escaped, the end of an object cannot be told. All that was
// opened must be closed again.
func (r *reader) parseWhole(text string) (any, bool) {
	start, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if start < 0 || end < start || truncated(text[start:]) {
		return nil, false
	}
	text = text[start : end+1]
	opened := strings.Count(text, "{") + strings.Count(text, "[")
	if strings.Count(text, "{") != strings.Count(text, "}") || opened != strings.Count(text, "}")+strings.Count(text, "]") || opened > maxOpened {
		return nil, false
	}
	return r.parse(text)
}

// truncated reports whether a text is valid JSON that ends too early.
func truncated(text string) bool {
	decoder := json.NewDecoder(strings.NewReader(text))
	var value json.RawMessage
	return errors.Is(decoder.Decode(&value), io.ErrUnexpectedEOF)
}

func decode(text string) (any, bool) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil || decoder.More() {
		return nil, false
	}
	return value, true
}
