package graph

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// The layouts of a time. A time without a zone is in the zone of the group if
// it is stored with an episode, else in UTC.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02T15:04Z07:00", time.DateTime, "2006-01-02 15:04", time.DateOnly,
}

// ParseTime reads a time in the forms that every door accepts: RFC 3339, or a
// date with or without the time of day. Without a zone it is UTC until it is
// stored with an episode, which uses the zone of the group. The empty string is
// the zero time. The error names the field.
func ParseTime(field, s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	beyond := ""
	for _, layout := range timeLayouts {
		t, err := time.Parse(layout, s)
		if wrong, ok := errors.AsType[*time.ParseError](err); ok && strings.HasSuffix(wrong.Message, "out of range") {
			beyond = strings.TrimPrefix(wrong.Message, ": ")
		}
		if err == nil {
			if !strings.Contains(layout, "Z07:00") {
				t = t.In(calendar.Unzoned)
			}
			if t.IsZero() { // the zero time means none
				return t, Invalid(field, "%q cannot be stored; the first time that can is a second later", s)
			}
			return t, ValidateTime(field, t)
		}
	}
	if beyond != "" {
		return time.Time{}, Invalid(field, "%q is no time: %s; hours go from 00 to 23, minutes and seconds from 00 to 59", s, beyond)
	}
	return time.Time{}, Invalid(field, "%q is no time in the years 1 to 9999; write 2024-03-15 or 2024-03-15T09:30:00Z", s)
}

const maxDays = 36525 // a hundred years

// ParseDuration reads a length of time in the forms that every door accepts:
// days and weeks, as in 30d and 2w, at most 100 years, or Go's form, as in 12h.
// It must be positive. The empty string is zero. The error names the field.
func ParseDuration(field, s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	for unit, days := range map[string]float64{"d": 1, "w": 7} {
		number, ends := strings.CutSuffix(s, unit)
		if n, err := strconv.ParseFloat(number, 64); ends && err == nil && n > 0 && n*days <= maxDays {
			return time.Duration(n * days * float64(24*time.Hour)), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return d, nil
	}
	return 0, Invalid(field, "%q is no length of time up to 100 years; write 30d, 2w or 12h", s)
}
