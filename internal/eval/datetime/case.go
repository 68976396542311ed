package datetime

import (
	"io"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/eval/datafile"
)

// Case is a sentence with the date that it contains.
type Case struct {
	Input     string
	Reference time.Time
	// Type is date, daterange, datetime or datetimerange.
	Type  string
	Start time.Time
	// Units are the granularities that count as right. There are several only if the set's
	// notation is ambiguous: three months from January are a quarter or a range of months.
	Units []calendar.Granularity
}

// Set is the part of a file that is scored.
type Set struct {
	Cases     []Case
	Negatives []Negative
}

// Negative is a sentence in which nothing should be found.
type Negative struct {
	Input     string
	Reference time.Time
}

// record is a line of the file.
type record struct {
	Input     string   `json:"input"`
	Reference *string  `json:"reference"`
	Results   []result `json:"results"`
}

type result struct {
	TypeName   string     `json:"TypeName"`
	Type       string     `json:"Type"`
	Resolution resolution `json:"Resolution"`
	Value      resolution `json:"Value"`
}

// resolution covers both notations of the set: a list of values, and a past and a future one.
type resolution struct {
	Values         []map[string]any  `json:"values"`
	Timex          string            `json:"Timex"`
	PastResolution map[string]string `json:"PastResolution"`
}

// Load reads JSON lines, gzipped or not, and selects what is scored.
func Load(r io.Reader) (Set, error) {
	unzipped, err := datafile.Unzipped(r)
	if err != nil {
		return Set{}, err
	}
	records, err := datafile.Lines(unzipped, "read case", func(record) error { return nil })
	if err != nil {
		return Set{}, err
	}
	resolved := map[string]bool{}
	for _, rec := range records {
		if len(rec.Results) > 0 {
			resolved[strings.ToLower(rec.Input)] = true
		}
	}
	var s Set
	for _, rec := range records {
		if len(rec.Results) == 0 {
			if !resolved[strings.ToLower(rec.Input)] {
				s.Negatives = append(s.Negatives, negative(rec))
			}
			continue
		}
		if c, ok := selectCase(rec); ok {
			s.Cases = append(s.Cases, c)
		}
	}
	return s, nil
}

// negativeReference dates the negatives that come without a reference time.
var negativeReference = time.Date(2016, 11, 7, 0, 0, 0, 0, time.UTC)

func negative(rec record) Negative {
	n := Negative{Input: rec.Input, Reference: negativeReference}
	if t, ok := rec.reference(); ok {
		n.Reference = t
	}
	return n
}

func (rec record) reference() (time.Time, bool) {
	if rec.Reference == nil {
		return time.Time{}, false
	}
	return parseTime(*rec.Reference, time.UTC)
}

// selectCase accepts a record with exactly one dated result, which must have a start.
func selectCase(rec record) (Case, bool) {
	ref, ok := rec.reference()
	if !ok {
		return Case{}, false
	}
	var dated []result
	for _, r := range rec.Results {
		switch r.kind() {
		case "date", "daterange", "datetime", "datetimerange":
			dated = append(dated, r)
		}
	}
	if len(dated) != 1 {
		return Case{}, false
	}
	g, ok := dated[0].past(ref.Location())
	if !ok {
		return Case{}, false
	}
	return Case{
		Input: rec.Input, Reference: ref, Type: g.typ,
		Start: g.start, Units: g.units(),
	}, true
}

func (r result) kind() string {
	name := r.TypeName
	if name == "" {
		name = r.Type
	}
	return strings.TrimPrefix(name, "datetimeV2.")
}

// past returns the past reading of the result.
func (r result) past(loc *time.Location) (gold, bool) {
	for _, res := range []resolution{r.Resolution, r.Value} {
		if len(res.Values) > 0 {
			v := res.Values[0]
			return newGold(r.kind(), text(v, "timex"), first(text(v, "value"), text(v, "start")), text(v, "end"), loc)
		}
		if p := res.PastResolution; len(p) > 0 {
			start := first(p["date"], p["dateTime"], p["startDate"], p["startDateTime"])
			return newGold(r.kind(), res.Timex, start, first(p["endDate"], p["endDateTime"]), loc)
		}
	}
	return gold{}, false
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func first(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}

// parseTime reads the notations of the set.
func parseTime(s string, loc *time.Location) (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, time.DateTime, "2006-01-02T15:04:05", time.RFC3339Nano} {
		if t, err := time.ParseInLocation(layout, s, loc); err == nil && t.Year() > 1 {
			return t, true
		}
	}
	return time.Time{}, false
}
