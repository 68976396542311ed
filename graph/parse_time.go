package graph

import "time"

// How a time may be written; without a zone it is UTC.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly,
}

// ParseTime reads a time as users write it at every door: RFC 3339, or a date,
// with or without the time of day. Nothing written is the zero time. The error
// names the field.
func ParseTime(field, s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			if t.IsZero() { // it would be taken for none
				return t, Invalid(field, "%q cannot be stored; the first time that can is a second later", s)
			}
			return t, ValidateTime(field, t)
		}
	}
	return time.Time{}, Invalid(field, "%q is no time in the years 1 to 9999; write 2024-03-15 or 2024-03-15T09:30:00Z", s)
}
