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
	maxCandidates = 64       // starting points tried in a text
	maxDepth      = 100      // nesting levels
	maxOpened     = 1000     // braces and brackets of a text repaired as a whole
	maxRepair     = 64 << 10 // bytes of an answer that are repaired; repairing takes quadratic time
)

var (
	errNoJSON     = errors.New("there is no JSON object in it")
	errUnfinished = errors.New("the JSON object is not finished: a brace or bracket that was opened is never closed")
	errMalformed  = errors.New("the JSON object is malformed")
	errTooDeep    = errors.New("the JSON is nested too deeply")
)

// readAnswer finds the JSON object in a model's reply and fits it to the shape. It
// accepts text and reasoning around the object, fences, trailing commas, single quotes
// and comments. It refuses an unfinished object, since half of the answer may be
// missing.
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

// afterThinking removes the reasoning of a model. Some chat templates open the reasoning
// themselves, so that only </think> appears; that text may also be part of the answer.
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

// findObject returns the first object in a text that has a property of the shape, else
// the nearest match.
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

// candidates returns the outermost objects and lists in a text, up to the first that
// resembles the answer. It fails if an object begins but does not end, or cannot be
// read: what stands inside it is not the whole answer.
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
			if !ok { // braces in prose, perhaps with an object inside
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

// begins reports whether a brace or bracket starts JSON, judging by the next character.
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

// span returns the length of the object or list at the start of a text.
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

// parse decodes JSON, and repairs it if necessary.
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

// keepBackslashes doubles each backslash that starts no JSON escape, as in \sum; the
// repair would drop it. It removes a backslash before ' or a line end.
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

// isHex reports whether a text begins with four hexadecimal digits.
func isHex(text string) bool {
	if len(text) < 4 {
		return false
	}
	_, err := strconv.ParseUint(text[:4], 16, 16)
	return err == nil
}

// parseWhole repairs everything between the first and the last brace. It handles
// unescaped quotes, which hide the end of an object. Braces and brackets must be
// balanced.
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

// truncated reports whether a text is the beginning of valid JSON.
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
