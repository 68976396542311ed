package dates_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/temporal"
)

// saidInMarch is a Sunday.
var saidInMarch = time.Date(2024, 3, 10, 10, 0, 0, 0, time.UTC)

func TestAChangeGivesTheNewValue(t *testing.T) {
	t.Parallel()
	for _, tt := range [][2]string{
		{"The wedding has moved from May to September.", "September = [2024-09-01, 2024-10-01) month"},
		{"The wedding was moved from May 2024 to September.", "September = [2024-09-01, 2024-10-01) month"},
		{"The launch has slipped again from August to October.", "October = [2024-10-01, 2024-11-01) month"},
		{"The exam was postponed by the school from 3 to 10 May.", "10 May = [2024-05-10, 2024-05-11) day"},
		{"The exam was postponed from Monday until Thursday.", "Thursday = [2024-03-14, 2024-03-15) day"},
		{"The trip was brought forward from December to October.", "October = [2024-10-01, 2024-11-01) month"},
		{"The trip was put off to October.", "October = [2024-10-01, 2024-11-01) month"},
		{"The deadline went from May to June.", "June = [2024-06-01, 2024-07-01) month"},
		{"The call moved from 3pm to 5pm tomorrow.", "5pm tomorrow = [2024-03-11T17:00:00Z, 2024-03-11T18:00:00Z) hour"},
		// Not changes: ranges of time, and things moved to another place.
		{"Eva was on leave from May to September.", "from May to September = [2023-05-01, 2023-10-01) month"},
		{"Eva moved to Oslo from May to September.", "from May to September = [2023-05-01, 2023-10-01) month"},
		{"Eva moved from Oslo to Bergen in May.", "May = [2023-05-01, 2023-06-01) month"},
	} {
		if got := describe(dates.Reader{Prefer: dates.ByTense}.Find(tt[0], saidInMarch)); got != tt[1] {
			t.Errorf("%s\n got %s\nwant %s", tt[0], got, tt[1])
		}
	}
}

func TestADeniedDateIsNone(t *testing.T) {
	t.Parallel()
	for _, tt := range [][2]string{
		{"It was on 28 April 2023, not on the 29th.", "28 April 2023 = [2023-04-28, 2023-04-29) day"},
		{"The exam isn't on Friday but on Monday.", "Monday = [2024-03-11, 2024-03-12) day"},
		{"They married in May rather than in June.", "May = [2023-05-01, 2023-06-01) month"},
		{"We met on Friday instead of Monday.", "Friday = [2024-03-08, 2024-03-09) day"},
		{"Eva did not move in May.", "May = [2023-05-01, 2023-06-01) month"},
		{"It opens not before May.", "not before May = [2024-05-01, …) month"},
		{"Eva is not in today.", "today = [2024-03-10, 2024-03-11) day"},
		{"Why not on Friday?", "Friday = [2024-03-08, 2024-03-09) day"},
		{"Isn't Friday fine?", "Friday = [2024-03-15, 2024-03-16) day"},
	} {
		if got := describe(dates.Reader{Prefer: dates.ByTense}.Find(tt[0], saidInMarch)); got != tt[1] {
			t.Errorf("%s\n got %s\nwant %s", tt[0], got, tt[1])
		}
	}
}

func TestResolvedLeavesWhatIsNotSure(t *testing.T) {
	t.Parallel()
	for _, tt := range [][2]string{
		{"It was on 28 April 2023, not on the 29th.", "It was on 28 April 2023, not on the 29th."},
		{"The launch has slipped from August to October.", "The launch has slipped from August to October 2024."},
		{"The wedding has moved from May to September.", "The wedding has moved from May to September 2024."},
		{"Eva is in today.", "Eva is in today."},
		{"Eva has been there for a few years.", "Eva has been there for a few years."},
		{"Eva left at the end of the year.", "Eva left at the end of 2023."},
		{"Eva is leaving at the end of the year.", "Eva is leaving at the end of 2024."},
		{"Eva met Tom on the night of the 5th.", "Eva met Tom on the night of 5 March 2024."},
		{"Eva moves in June next year.", "Eva moves in June 2025."},
	} {
		if got := dates.Resolved(tt[0], saidInMarch, temporal.Interval{}); got != tt[1] {
			t.Errorf("%s\n got %s\nwant %s", tt[0], got, tt[1])
		}
	}
}

func TestVague(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"for a few years": true, "a couple of weeks ago": true, "over the last several months": true, "Some days ago": true,
		"for three years": false, "two weeks ago": false, "about two years ago": false,
	} {
		if got := dates.Find(text, saidInMarch)[0].Vague(); got != want {
			t.Errorf("%q: vague is %t", text, got)
		}
	}
}

func TestAnnounces(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]bool{
		"Eva is leaving this month.":                   true,
		"Eva starts at Globex this month.":             true,
		"Eva will move this year.":                     true,
		"Eva is working from home this week.":          false,
		"Eva is on leave this month.":                  false,
		"Eva moved this month.":                        false,
		"The wedding has moved from May to September.": false,
	} {
		if got := dates.Announces(sentence); got != want {
			t.Errorf("%q: announces is %t", sentence, got)
		}
	}
}
