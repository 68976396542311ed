package graphiti

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/annalsdb/annals/graph"
)

// number is a whole number. Clients may write it as 10, 10.0 or "10", as for Graphiti's server.
type number int

// UnmarshalJSON decodes all of these forms. Null leaves the number unchanged.
func (n *number) UnmarshalJSON(data []byte) error {
	text := string(data)
	if text == "null" {
		return nil
	}
	if text[0] == '"' {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
	}
	var err error
	*n, err = parseNumber(text)
	return err
}

func parseNumber(text string) (number, error) {
	value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || value != math.Trunc(value) || math.Abs(value) > math.MaxInt32 {
		return 0, graph.Invalid("number", "%.100q is no whole number up to %d", text, math.MaxInt32)
	}
	return number(value), nil
}

// moment is a time. Clients may write it as text, also as Python prints it, or as seconds or
// milliseconds since 1970.
type moment string

// A number above this is taken as milliseconds.
const milliseconds = 2e10

// UnmarshalJSON decodes all of these forms. [graph.ParseTime] later checks whether text is a time.
func (m *moment) UnmarshalJSON(data []byte) error {
	var text string
	if bytes.HasPrefix(data, []byte{'"'}) {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		text = strings.TrimSpace(text)
	} else if text = string(data); text == "null" {
		return nil
	}
	if since, err := strconv.ParseFloat(text, 64); err == nil {
		if math.Abs(since) > milliseconds {
			since /= 1000
		}
		if math.IsNaN(since) || math.Abs(since) > 1e12 {
			return graph.Invalid("timestamp", "%.100q is no time in the years 1 to 9999", text)
		}
		whole, part := math.Modf(since)
		text = time.Unix(int64(whole), int64(math.Round(part*1e6))*1000).UTC().Format(time.RFC3339Nano)
	} else if day, rest, ok := strings.Cut(text, " "); ok && strings.ContainsAny(rest, "+-Z") { // as Python prints it
		text = day + "T" + rest
	}
	*m = moment(text)
	return nil
}
