package dates_test

import (
	"testing"

	"github.com/annalsdb/annals/internal/dates"
)

func TestKindsOfDates(t *testing.T) {
	t.Parallel()
	tests := map[string][][2]string{
		"a year beside a date": {
			{"on 5 May next year", "5 May next year = [2024-05-05, 2024-05-06) day"},
			{"in March of last year", "March of last year = [2022-03-01, 2022-04-01) month"},
			{"last year in June", "last year in June = [2022-06-01, 2022-07-01) month"},
			{"last year, June was hot", "last year = [2022-01-01, 2023-01-01) year"},
			{"We moved in March, last year was hard.", "March = [2023-03-01, 2023-04-01) month; last year = [2022-01-01, 2023-01-01) year"},
			{"next year's summer", "next year's summer = [2024-06-01, 2024-09-01) season"},
			{"2018's second quarter", "2018's second quarter = [2018-04-01, 2018-07-01) quarter"},
			{"the last quarter of 2016", "the last quarter of 2016 = [2016-10-01, 2017-01-01) quarter"},
			{"last Friday in March next year", "last Friday in March next year = [2024-03-29, 2024-03-30) day"},
			{"the first Friday of 2019", "the first Friday of 2019 = [2019-01-04, 2019-01-05) day"},
			{"in '98", "'98 = [1998-01-01, 1999-01-01) year"},
			{"on 15 Jan 15", "15 Jan 15 = [2015-01-15, 2015-01-16) day"},
			{"on 5-May-15", "5-May-15 = [2015-05-05, 2015-05-06) day"},
			{"on 5 May 20 people came", "5 May = [2023-05-05, 2023-05-06) day"},
			{"2015 May 5", "2015 May 5 = [2015-05-05, 2015-05-06) day"},
		},
		"ranges that share a year": {
			{"from Q1 to Q3 2018", "from Q1 to Q3 2018 = [2018-01-01, 2018-10-01) quarter"},
			{"January-March of next year", "January-March of next year = [2024-01-01, 2024-04-01) month"},
			{"between 1990 and 95", "between 1990 and 95 = [1990-01-01, 1996-01-01) year"},
			{"from now until Christmas", "from now until Christmas = [2023-05-25, 2023-12-26) day"},
		},
		"parts of days": {
			{"the morning of May 5", "the morning of May 5 = [2023-05-05T08:00:00Z, 2023-05-05T12:00:00Z) part of day"},
			{"early tomorrow morning", "early tomorrow morning = [2023-05-26T08:00:00Z, 2023-05-26T10:00:00Z) part of day"},
			{"early in the morning on Friday", "early in the morning on Friday = [2023-05-19T08:00:00Z, 2023-05-19T10:00:00Z) part of day"},
			{"by end of day Friday", "by end of day Friday = (…, 2023-05-20) second"},
			{"before 9 tomorrow morning", "before 9 tomorrow morning = (…, 2023-05-26T09:00:00Z) hour"},
			{"between 4 and 5 in the morning today", "between 4 and 5 in the morning today = [2023-05-25T04:00:00Z, 2023-05-25T05:00:00Z) hour"},
		},
		"counted names": {
			{"two summers ago", "two summers ago = [2021-06-01, 2021-09-01) season"},
			{"the summer before last", "the summer before last = [2021-06-01, 2021-09-01) season"},
			{"two Mondays later", "two Mondays later = [2023-06-05, 2023-06-06) day"},
			{"for the last 3 months and 2 days ago", "the last 3 months = [2023-02-25, 2023-05-25) month; 2 days ago = [2023-05-23, 2023-05-24) day"},
		},
		"halves and weeks": {
			{"the first half of next month", "the first half of next month = [2023-06-01, 2023-06-16) month"},
			{"first week this year", "first week this year = [2023-01-02, 2023-01-09) week"},
			{"on the 20th next month", "the 20th next month = [2023-06-20, 2023-06-21) day"},
			{"in the mid-1980s", "the mid-1980s = [1983-01-01, 1987-01-01) decade"},
			{"in the mid-1800s", "the mid-1800s = [1833-05-02, 1866-09-02) century"},
			{"highs in the mid-80s", ""},
			{"a mid-morning snack", ""},
			{"Copa America final 2016", ""},
		},
		"weekdays beside days": {
			{"see you Friday 23", "Friday 23 = [2022-12-23, 2022-12-24) day"},
			{"Tuesday (May 5)", "Tuesday (May 5) = [2023-05-05, 2023-05-06) day"},
			{"Easter Saturday", "Easter Saturday = [2023-04-08, 2023-04-09) day"},
			{"Chinese new year", ""},
		},
	}
	for name, cases := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, tt := range cases {
				if got := describe(dates.Find(tt[0], thursday)); got != tt[1] {
					t.Errorf("%s\n got %s\nwant %s", tt[0], got, tt[1])
				}
			}
		})
	}
}
