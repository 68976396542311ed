package model

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/kaptinlin/jsonrepair"
)

const (
	maxCandidates = 64        // places in a text where an answer may begin
	maxDepth      = 100       // of nesting
	maxRepair     = 128 << 10 // bytes that are worth repairing
)

var (
	errNoJSON     = errors.New("there is no JSON object in it")
	errUnfinished = errors.New("the JSON object is not finished: a brace or bracket that was opened is never closed")
	errTooDeep    = errors.New("the JSON is nested too deeply")
)

// readAnswer finds the JSON object in what a model said and brings it into
// shape. It accepts text and reasoning around it, fences, trailing commas,
// single quotes and comments, but never an object that was not finished: what
// is missing may be the half of an answer.
func readAnswer(text string, s *shape) ([]byte, error) {
	if at := strings.LastIndex(text, "</think>"); at >= 0 {
		text = text[at+len("</think>"):]
	}
	value, err := findObject(text, s)
	if err != nil {
		return nil, err
	}
	return s.fit(value)
}

// findObject returns the first object in a text that has one of the properties
// looked for, else the first object.
func findObject(text string, s *shape) (any, error) {
	var first any
	problem := errNoJSON
	at := 0
	for range maxCandidates {
		start := strings.IndexAny(text[at:], "{[")
		if start < 0 {
			break
		}
		start += at
		end, err := span(text[start:])
		if err != nil {
			if problem == errNoJSON || err == errTooDeep {
				problem = err
			}
			at = start + 1
			if err == errTooDeep {
				break
			}
			continue
		}
		if value, ok := parse(text[start : start+end]); ok {
			if s.resembles(value) {
				return value, nil
			}
			if first == nil {
				first = value
			}
			at = start + end
			continue
		}
		at = start + 1
	}
	if value, ok := parseWhole(text); ok && s.resembles(value) {
		return value, nil
	}
	if first != nil {
		return first, nil
	}
	return nil, problem
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
func parse(text string) (any, bool) {
	if value, ok := decode(text); ok {
		return value, true
	}
	if len(text) > maxRepair {
		return nil, false
	}
	repaired, err := jsonrepair.Repair(text)
	if err != nil {
		return nil, false
	}
	return decode(repaired)
}

// parseWhole repairs everything between the first and the last brace: where
// quotes are missing or not escaped, the end of an object cannot be told. All
// that was opened must be closed again.
func parseWhole(text string) (any, bool) {
	start, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if start < 0 || end < start {
		return nil, false
	}
	text = text[start : end+1]
	if strings.Count(text, "{") != strings.Count(text, "}") || strings.Count(text, "[") != strings.Count(text, "]") ||
		strings.Count(text, "{")+strings.Count(text, "[") > maxDepth*10 {
		return nil, false
	}
	return parse(text)
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
