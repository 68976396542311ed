// Package calendar computes with the units of the calendar, from seconds to
// centuries.
package calendar

// Granularity is the unit that a time expression names. Finer units are smaller.
type Granularity uint8

// The granularities, finest first. Unknown is the zero value.
const (
	Unknown Granularity = iota
	Second
	Minute
	Hour
	PartOfDay
	Day
	Weekend
	Week
	Month
	Quarter
	Season
	Year
	Decade
	Century
)

var granularityNames = [...]string{
	"unknown", "second", "minute", "hour", "part of day", "day", "weekend", "week",
	"month", "quarter", "season", "year", "decade", "century",
}

// String returns the English name, such as "part of day".
func (g Granularity) String() string {
	if int(g) < len(granularityNames) {
		return granularityNames[g]
	}
	return granularityNames[Unknown]
}

// Clock reports whether g is finer than a part of a day.
func (g Granularity) Clock() bool { return g != Unknown && g <= Hour }
