package graph

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/text/unicode/norm"

	"github.com/annalsdb/annals/internal/pattern"
)

// readValue reads a text as a value of a schema: a string, a json.Number or a
// bool. The value is nil if there is none; why then gives the reason, and is
// empty for a text that says nothing.
func readValue(s *jsonschema.Schema, text string) (value any, why string) {
	if choice, ok := chosen(s.Enum, text); ok {
		return choice, ""
	}
	if saysNothing(text) {
		return nil, ""
	}
	switch s.Type {
	case "string":
		return readString(s, text)
	case "integer":
		if n, ok := readNumber(text); ok {
			if whole, ok := wholeNumber(n); ok {
				return whole, ""
			}
		}
		return nil, "is not a whole number"
	case "number":
		if n, ok := readNumber(text); ok {
			return n, ""
		}
		return nil, "is not a number"
	case "boolean":
		return readBoolean(text)
	}
	return nil, "cannot be read, since the attribute is of a type that is not supported"
}

func saysNothing(text string) bool {
	return slices.Contains([]string{"", "null", "n/a", "unknown"}, strings.ToLower(text))
}

// chosen returns the allowed value that a text means.
func chosen(choices []any, text string) (string, bool) {
	for _, choice := range choices {
		if c, ok := choice.(string); ok && (c == text || sameName(c, text) && bareName(c) != "") {
			return c, true
		}
	}
	return "", false
}

func readString(s *jsonschema.Schema, text string) (value any, why string) {
	switch {
	case s.Enum != nil:
		return nil, "is none of the values allowed"
	case s.Format == "date":
		if t, ok := readTime(text); ok {
			return t.Format(time.DateOnly), ""
		}
		return nil, "is not a date such as 2024-05-31"
	case s.Format == "date-time":
		if t, ok := readTime(text); ok {
			return t.Format(time.RFC3339Nano), ""
		}
		return nil, "is not a time such as 2024-05-31T18:30:00Z"
	}
	return text, ""
}

func readBoolean(text string) (value any, why string) {
	switch strings.ToLower(text) {
	case "true", "yes":
		return true, ""
	case "false", "no":
		return false, ""
	}
	return nil, "is neither true nor false"
}

// readTime reads an ISO 8601 time that names at least the day.
func readTime(text string) (time.Time, bool) {
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, strings.ToUpper(text)); err == nil {
			return t, ValidateTime("", t) == nil
		}
	}
	return time.Time{}, false
}

// number matches a number with its thousands separators, currency sign and
// unit.
var number = pattern.New(`^\p{Sc}?\s?` +
	`([+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?: \d{3})+|\d{1,3}(?:['’]\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?)` +
	`\s?(?:(\p{L}[\p{L}\p{M}]*)\.?(?: old)?|\p{Sc})?$`)

// notUnit matches words and letters after a number that change it, or may: "5
// m" is five metres or five million.
var notUnit = pattern.New(`(?i)^(?:` +
	`k|m|b|t|g|e|s|x|mm|mn|mio|mil|bn|tn|tr|mrd|hundreds?|thousands?|[mbt]r?illi(?:on|ard)s?|dozens?|scores?|lakhs?|crores?|тыс|млн|млрд|` +
	`[十百千万萬亿億兆십백천만억조].*|` +
	`percent|pct|permille|half|plus|minus|odd|ish|or|to|a|p|am|pm|ad|ce|bc|bce|ago)$`)

// readNumber reads a number if it is unambiguous.
func readNumber(text string) (json.Number, bool) {
	parts := number().FindStringSubmatch(strings.ReplaceAll(norm.NFKC.String(text), "−", "-"))
	if parts == nil || notUnit().MatchString(parts[2]) {
		return "", false
	}
	literal := strings.NewReplacer(",", "", " ", "", "'", "", "’", "", "+", "").Replace(parts[1])
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return "", false // out of range
	}
	if strings.ContainsAny(literal, "eE") {
		return json.Number(strconv.FormatFloat(f, 'g', -1, 64)), true
	}
	return json.Number(withoutZeros(literal)), true
}

// withoutZeros removes the leading zeros that JSON does not allow.
func withoutZeros(literal string) string {
	digits, negative := strings.CutPrefix(literal, "-")
	digits = strings.TrimLeft(digits, "0")
	if digits == "" || digits[0] == '.' {
		digits = "0" + digits
	}
	if negative {
		return "-" + digits
	}
	return digits
}

// wholeNumber returns a number without its fraction, and whether the fraction
// is zero.
func wholeNumber(n json.Number) (json.Number, bool) {
	if strings.ContainsAny(string(n), "eE") {
		f, err := n.Float64()
		exact := err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53
		return json.Number(strconv.FormatFloat(f, 'f', 0, 64)), exact
	}
	whole, fraction, _ := strings.Cut(string(n), ".")
	return json.Number(whole), strings.Trim(fraction, "0") == ""
}

// membersOf returns the members of a JSON array in a text, else the text
// itself.
func membersOf(text string) []string {
	var members []any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if !strings.HasPrefix(text, "[") || !json.Valid([]byte(text)) || decoder.Decode(&members) != nil {
		return []string{text}
	}
	texts := make([]string, 0, len(members))
	for _, member := range members {
		switch m := member.(type) {
		case string:
			texts = append(texts, strings.TrimSpace(m))
		case json.Number:
			texts = append(texts, m.String())
		case nil:
		default:
			return []string{text} // a nested array
		}
	}
	return texts
}
