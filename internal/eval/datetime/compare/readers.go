package main

import (
	"strings"
	"time"

	"github.com/ijt/go-anytime"
	"github.com/markusmobius/go-dateparser"
	"github.com/markusmobius/go-dateparser/date"

	"github.com/annalsdb/annals/internal/calendar"
	"github.com/annalsdb/annals/internal/eval/datetime"
)

// readers returns the compared readers, Annals' own first.
func readers() []datetime.Reader {
	return []datetime.Reader{
		datetime.Annals(),
		{Name: "go-dateparser", Find: dateparserFinder()},
		{Name: "go-anytime", Find: anytimeFinder},
	}
}

// dateparserFinder uses the library's own text search, in English. It prefers the past and the
// beginning of incomplete dates, and takes the library's period as the granularity.
func dateparserFinder() func(string, time.Time) []datetime.Finding {
	parser := &dateparser.Parser{}
	return func(sentence string, ref time.Time) []datetime.Finding {
		_, results, err := parser.Search(&dateparser.Configuration{
			Languages:            []string{"en"},
			CurrentTime:          ref,
			PreferredDateSource:  dateparser.Past,
			PreferredDayOfMonth:  dateparser.First,
			PreferredMonthOfYear: dateparser.FirstMonth,
			ReturnTimeAsPeriod:   true,
		}, sentence)
		if err != nil {
			return nil
		}
		var found []datetime.Finding
		for _, r := range results {
			g := dateparserPeriods[r.Date.Period]
			found = append(found, datetime.Finding{Start: startOf(r.Date.Time.In(ref.Location()), g), Granularity: g, Dated: true})
		}
		return found
	}
}

var dateparserPeriods = map[date.Period]calendar.Granularity{
	date.Second: calendar.Second, date.Minute: calendar.Minute, date.Hour: calendar.Hour,
	date.Day: calendar.Day, date.Month: calendar.Month, date.Year: calendar.Year,
}

// startOf truncates a time to its granularity, since the library keeps the reference's time of
// day.
func startOf(t time.Time, g calendar.Granularity) time.Time {
	y, m, d := t.Date()
	switch g {
	case calendar.Day:
	case calendar.Month:
		d = 1
	case calendar.Year:
		m, d = 1, 1
	default:
		return t
	}
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// anytimeWindow is the most words of an expression tried with go-anytime.
const anytimeWindow = 12

// anytimeFinder tries every run of words, longest first at each position, since the library
// parses whole expressions. The length of the range gives the granularity.
func anytimeFinder(sentence string, ref time.Time) []datetime.Finding {
	words := strings.Fields(sentence)
	var found []datetime.Finding
	for i := 0; i < len(words); {
		n := 1
		for j := min(len(words), i+anytimeWindow); j > i; j-- {
			expression := strings.Trim(strings.Join(words[i:j], " "), ".,;:!?()\"'")
			r, err := anytime.ParseRange(expression, ref, anytime.DefaultToPast)
			if err == nil && expression != "" {
				found = append(found, datetime.Finding{Start: r.Start(), Granularity: rangeUnit(r), Dated: true})
				n = j - i
				break
			}
		}
		i += n
	}
	return found
}

// rangeUnit returns the calendar unit that a range spans, else the unit on whose boundaries it
// lies. The library ends some ranges a second early.
func rangeUnit(r anytime.Range) calendar.Granularity {
	start, end := r.Start(), r.End()
	if end.Second() == 59 {
		end = end.Add(time.Second)
	}
	if start.Hour() != 0 || start.Minute() != 0 || start.Second() != 0 || end.Sub(start) < 23*time.Hour {
		return calendar.Hour
	}
	switch {
	case end.Equal(start.AddDate(0, 0, 7)):
		return calendar.Week
	case start.Day() != 1 || end.Day() != 1:
		return calendar.Day
	case start.Month() != 1 || end.Month() != 1:
		return calendar.Month
	case end.Year()-start.Year() == 10 && start.Year()%10 == 0:
		return calendar.Decade
	default:
		return calendar.Year
	}
}
