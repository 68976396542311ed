package dates

import (
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/calendar"
)

// unit is a word for a length of time: n times a granularity.
type unit struct {
	g calendar.Granularity
	n int
}

var units = map[string]unit{
	"second": {calendar.Second, 1}, "seconds": {calendar.Second, 1}, "sec": {calendar.Second, 1}, "secs": {calendar.Second, 1},
	"minute": {calendar.Minute, 1}, "minutes": {calendar.Minute, 1}, "min": {calendar.Minute, 1}, "mins": {calendar.Minute, 1},
	"hour": {calendar.Hour, 1}, "hours": {calendar.Hour, 1}, "hr": {calendar.Hour, 1}, "hrs": {calendar.Hour, 1}, "h": {calendar.Hour, 1},
	"day": {calendar.Day, 1}, "days": {calendar.Day, 1}, "d": {calendar.Day, 1},
	"night": {calendar.PartOfDay, 1}, "nights": {calendar.PartOfDay, 1},
	"week": {calendar.Week, 1}, "weeks": {calendar.Week, 1}, "workweek": {calendar.Week, 1}, "workweeks": {calendar.Week, 1}, "wk": {calendar.Week, 1}, "wks": {calendar.Week, 1}, "w": {calendar.Week, 1},
	"fortnight": {calendar.Week, 2}, "fortnights": {calendar.Week, 2},
	"weekend": {calendar.Weekend, 1}, "weekends": {calendar.Weekend, 1},
	"month": {calendar.Month, 1}, "months": {calendar.Month, 1},
	"quarter": {calendar.Quarter, 1}, "quarters": {calendar.Quarter, 1},
	"year": {calendar.Year, 1}, "years": {calendar.Year, 1}, "yr": {calendar.Year, 1}, "yrs": {calendar.Year, 1}, "y": {calendar.Year, 1},
	"decade": {calendar.Decade, 1}, "decades": {calendar.Decade, 1},
	"century": {calendar.Century, 1}, "centuries": {calendar.Century, 1},
}

var months = map[string]time.Month{
	"january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4,
	"may": 5, "june": 6, "jun": 6, "july": 7, "jul": 7, "august": 8, "aug": 8,
	"september": 9, "sep": 9, "sept": 9, "october": 10, "oct": 10,
	"november": 11, "nov": 11, "december": 12, "dec": 12,
}

// ambiguousMonths are also names or verbs: alone they need a preposition before them.
var ambiguousMonths = set("may march mar april june august jan jun")

var weekdays = map[string]time.Weekday{
	"sunday": 0, "sun": 0, "monday": 1, "mon": 1, "tuesday": 2, "tue": 2, "tues": 2,
	"wednesday": 3, "wed": 3, "weds": 3, "thursday": 4, "thu": 4, "thur": 4, "thurs": 4,
	"friday": 5, "fri": 5, "saturday": 6, "sat": 6,
}

// ambiguousWeekdays are also other words: alone they need a preposition before them.
var ambiguousWeekdays = set("sun mon wed sat")

// seasons by their first month, as meteorologists count them in the northern hemisphere.
var seasons = map[string]time.Month{
	"spring": 3, "springtime": 3, "summer": 6, "summertime": 6,
	"fall": 9, "autumn": 9, "winter": 12, "wintertime": 12,
}

// partOfDay is a named stretch of a day, in hours.
type partOfDay struct{ from, to int }

var partsOfDay = map[string]partOfDay{
	"morning": {8, 12}, "afternoon": {12, 16}, "evening": {16, 20}, "night": {20, 24},
	"daytime": {8, 18}, "lunchtime": {11, 13}, "dinnertime": {16, 20}, "nighttime": {20, 24},
}

// shifts are words that move a unit of time: "last week", "next May".
var shifts = map[string]int{
	"last": -1, "past": -1, "previous": -1, "prior": -1, "preceding": -1,
	"this": 0, "current": 0, "same": 0,
	"next": 1, "coming": 1, "upcoming": 1, "following": 1,
}

// clauseWords may follow "the 5th" where it is a day of the month; a noun may not ("the 5th floor").
var clauseWords = set(`i we he she they it you who which that and or but so because as while when
	if then at on in of from to until till for with before after by between through around about
	is was are were will would can could should did does do has had have my our his her their
	please also too again via sometime since not`)

// dateLeads are prepositions after which an ambiguous word or a bare number is a date.
var dateLeads = set(`in on since of by until till from before after during for to through thru and
	between about around next last this past previous coming upcoming following early mid late
	starting beginning ending commencing within over throughout than`)

// yearLeads are the words after which a bare number is a year.
var yearLeads = set(`in since until till by before after during from of year years to through thru
	between and early mid late circa around about than on back around middle beginning start end
	throughout cy equal`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		m[word] = true
	}
	return m
}
