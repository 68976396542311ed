package dates_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/dates"
)

// thursday is the reference of the tables below: 25 May 2023, early afternoon.
var thursday = time.Date(2023, 5, 25, 13, 0, 0, 0, time.UTC)

// describe formats the dated expressions of a text with their meaning.
func describe(found []dates.Expression) string {
	var b []string
	for _, e := range found {
		if e.Kind == dates.Dated {
			b = append(b, fmt.Sprintf("%s = %s %s", e.Text, e.Interval, e.Granularity))
		}
	}
	return strings.Join(b, "; ")
}

func TestFind(t *testing.T) {
	t.Parallel()
	tests := map[string][][2]string{
		"relative days": {
			{"I saw her yesterday.", "yesterday = [2023-05-24, 2023-05-25) day"},
			{"Today's news", "Today = [2023-05-25, 2023-05-26) day"},
			{"see you tomorrow", "tomorrow = [2023-05-26, 2023-05-27) day"},
			{"the day before yesterday", "the day before yesterday = [2023-05-23, 2023-05-24) day"},
			{"this morning", "this morning = [2023-05-25T08:00:00Z, 2023-05-25T12:00:00Z) part of day"},
			{"We met last night", "last night = [2023-05-24T20:00:00Z, 2023-05-25) part of day"},
			{"two nights ago", "two nights ago = [2023-05-23T20:00:00Z, 2023-05-24) part of day"},
		},
		"weekdays": {
			{"on Friday", "Friday = [2023-05-19, 2023-05-20) day"},
			{"It was on Thursday", "Thursday = [2023-05-18, 2023-05-19) day"},
			{"last Friday", "last Friday = [2023-05-19, 2023-05-20) day"},
			{"last Tuesday", "last Tuesday = [2023-05-23, 2023-05-24) day"},
			{"next Thursday", "next Thursday = [2023-06-01, 2023-06-02) day"},
			{"this Saturday", "this Saturday = [2023-05-27, 2023-05-28) day"},
			{"this past Monday", "this past Monday = [2023-05-22, 2023-05-23) day"},
			{"Tuesday next week", "Tuesday next week = [2023-05-30, 2023-05-31) day"},
			{"Friday the 5th", "Friday the 5th = [2023-05-05, 2023-05-06) day"},
			{"the Sunday before 25 May 2023", "the Sunday before 25 May 2023 = [2023-05-21, 2023-05-22) day"},
			{"the second Monday of next month", "the second Monday of next month = [2023-06-12, 2023-06-13) day"},
			{"two weeks ago on a Friday", "two weeks ago on a Friday = [2023-05-12, 2023-05-13) day"},
			{"We met on a Monday two weeks ago", "Monday two weeks ago = [2023-05-08, 2023-05-09) day"},
			{"From 2021 on I worked there", "From 2021 on = [2021-01-01, …) year"},
			{"to May", "to May = (…, 2022-06-01) month"},
			{"Give it to May.", ""},
			{"from Monday onwards", "from Monday onwards = [2023-05-22, …) day"},
			{"three Fridays ago", "three Fridays ago = [2023-05-05, 2023-05-06) day"},
		},
		"calendar dates": {
			{"8 May, 2023", "8 May, 2023 = [2023-05-08, 2023-05-09) day"},
			{"May 8th", "May 8th = [2023-05-08, 2023-05-09) day"},
			{"on June 3", "June 3 = [2022-06-03, 2022-06-04) day"},
			{"2023-05-08", "2023-05-08 = [2023-05-08, 2023-05-09) day"},
			{"5/8/2023", "5/8/2023 = [2023-05-08, 2023-05-09) day"},
			{"25/12/2022", "25/12/2022 = [2022-12-25, 2022-12-26) day"},
			{"8.5.2023", "8.5.2023 = [2023-05-08, 2023-05-09) day"},
			{"05-Aug-2016", "05-Aug-2016 = [2016-08-05, 2016-08-06) day"},
			{"on the 5th", "the 5th = [2023-05-05, 2023-05-06) day"},
			{"Feb 29", "Feb 29 = [2020-02-29, 2020-03-01) day"},
			{"in May 2021", "May 2021 = [2021-05-01, 2021-06-01) month"},
			{"in August", "August = [2022-08-01, 2022-09-01) month"},
			{"born in nineteen eighty six", "nineteen eighty six = [1986-01-01, 1987-01-01) year"},
			{"in 2016", "2016 = [2016-01-01, 2017-01-01) year"},
			{"from 12/05/2020 to 15/05/2020", "from 12/05/2020 to 15/05/2020 = [2020-05-12, 2020-05-16) day"},
		},
		"periods": {
			{"last week", "last week = [2023-05-15, 2023-05-22) week"},
			{"next week, or the week after", "next week = [2023-05-29, 2023-06-05) week; the week after = [2023-06-05, 2023-06-12) week"},
			{"We met on 2 May 2023 and married the month after.", "2 May 2023 = [2023-05-02, 2023-05-03) day; the month after = [2023-06-01, 2023-07-01) month"},
			{"Tom starts the week after.", "the week after = [2023-05-29, 2023-06-05) week"},
			{"the week after we met", ""},
			{"next month", "next month = [2023-06-01, 2023-07-01) month"},
			{"the week of April 10th", "the week of April 10th = [2023-04-10, 2023-04-17) week"},
			{"the week before 9 June 2023", "the week before 9 June 2023 = [2023-05-29, 2023-06-05) week"},
			{"over the weekend", "the weekend = [2023-05-20, 2023-05-22) weekend"},
			{"this past weekend", "this past weekend = [2023-05-20, 2023-05-22) weekend"},
			{"two weekends ago", "two weekends ago = [2023-05-13, 2023-05-15) weekend"},
			{"last summer", "last summer = [2022-06-01, 2022-09-01) season"},
			{"in the winter of 2019", "the winter of 2019 = [2019-12-01, 2020-03-01) season"},
			{"Q3 2016", "Q3 2016 = [2016-07-01, 2016-10-01) quarter"},
			{"in the nineties", "the nineties = [1990-01-01, 2000-01-01) decade"},
			{"the 21st century", "the 21st century = [2000-01-01, 2100-01-01) century"},
			{"early 2019", "early 2019 = [2019-01-01, 2019-05-01) year"},
			{"mid-April", "mid-April = [2023-04-10, 2023-04-21) month"},
			{"late last month", "late last month = [2023-04-16, 2023-05-01) month"},
			{"the rest of the week", "the rest of the week = [2023-05-25, 2023-05-29) day"},
			{"first week of 2021", "first week of 2021 = [2021-01-04, 2021-01-11) week"},
		},
		"holidays": {
			{"at Easter 2019", "Easter 2019 = [2019-04-21, 2019-04-22) day"},
			{"last Christmas", "last Christmas = [2022-12-25, 2022-12-26) day"},
			{"on Thanksgiving", "Thanksgiving = [2022-11-24, 2022-11-25) day"},
			{"New Year's Eve", "New Year's Eve = [2022-12-31, 2023-01-01) day"},
		},
		"distances": {
			{"two weeks ago", "two weeks ago = [2023-05-11, 2023-05-12) day"},
			{"a year ago", "a year ago = [2022-05-25, 2022-05-26) day"},
			{"10 years ago", "10 years ago = [2013-05-25, 2013-05-26) day"},
			{"a few days ago", "a few days ago = [2023-05-22, 2023-05-23) day"},
			{"a couple of weeks ago", "a couple of weeks ago = [2023-05-11, 2023-05-12) day"},
			{"1 month and 21 days ago", "1 month and 21 days ago = [2023-04-04, 2023-04-05) day"},
			{"in two weeks' time", "in two weeks' time = [2023-06-08, 2023-06-09) day"},
			{"20 minutes ago", "20 minutes ago = [2023-05-25T12:40:00Z, 2023-05-25T12:41:00Z) minute"},
			{"two days before Christmas 2020", "two days before Christmas 2020 = [2020-12-23, 2020-12-24) day"},
			{"the last 3 weeks", "the last 3 weeks = [2023-05-04, 2023-05-25) week"},
		},
		"ranges and bounds": {
			{"from May 3 to May 9, 2019", "from May 3 to May 9, 2019 = [2019-05-03, 2019-05-10) day"},
			{"between 2014 and 2018", "between 2014 and 2018 = [2014-01-01, 2019-01-01) year"},
			{"4 to 22 January", "4 to 22 January = [2023-01-04, 2023-01-23) day"},
			{"Nov-Feb 2017", "Nov-Feb 2017 = [2016-11-01, 2017-03-01) month"},
			{"since 2016", "since 2016 = [2016-01-01, …) year"},
			{"since last June", "since last June = [2022-06-01, …) month"},
			{"until March 2020", "until March 2020 = (…, 2020-04-01) month"},
			{"before last Friday", "before last Friday = (…, 2023-05-19) day"},
			{"after February", "after February = [2023-03-01, …) month"},
			{"2018 or later", "2018 or later = [2018-01-01, …) year"},
		},
		"clock times": {
			{"yesterday at 5pm", "yesterday at 5pm = [2023-05-24T17:00:00Z, 2023-05-24T18:00:00Z) hour"},
			{"tomorrow morning at 7", "tomorrow morning at 7 = [2023-05-26T07:00:00Z, 2023-05-26T08:00:00Z) hour"},
			{"from 5 to 6pm on April 22", "from 5 to 6pm on April 22 = [2023-04-22T17:00:00Z, 2023-04-22T18:00:00Z) hour"},
			{"half past eight on Monday", "half past eight on Monday = [2023-05-22T08:30:00Z, 2023-05-22T08:31:00Z) minute"},
			{"2023-05-08T14:30:00+02:00", "2023-05-08T14:30:00+02:00 = [2023-05-08T12:30:00Z, 2023-05-08T12:30:01Z) second"},
		},
		"several": {
			{
				"We moved in March 2019, sold it last year and left yesterday.",
				"March 2019 = [2019-03-01, 2019-04-01) month; last year = [2022-01-01, 2023-01-01) year; yesterday = [2023-05-24, 2023-05-25) day",
			},
		},
		"other languages": {
			{"Ich bin am 3. März 2019 umgezogen", "3. März 2019 = [2019-03-03, 2019-03-04) day"},
			{"Nous avons déménagé en mai 2021", "mai 2021 = [2021-05-01, 2021-06-01) month"},
			{"2021年5月8日に引っ越した", "2021年5月8日 = [2021-05-08, 2021-05-09) day"},
			{"2019년 3월에 이사했다", "2019년 3월 = [2019-03-01, 2019-04-01) month"},
			{"Budget 2024 mai Kyoto", ""},
			{"Me mudé el 5 de mayo de 2021", "5 de mayo de 2021 = [2021-05-05, 2021-05-06) day"},
			{"Переехал 5 мая 2021 года", "5 мая 2021 = [2021-05-05, 2021-05-06) day"},
		},
	}
	for family, cases := range tests {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			for _, c := range cases {
				if diff := cmp.Diff(c[1], describe(dates.Find(c[0], thursday))); diff != "" {
					t.Errorf("Find(%q) (-want +got):\n%s", c[0], diff)
				}
			}
		})
	}
}

func TestFindNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "May I ask why?", "It may rain", "They march in 5", "a second round", "the second time",
		"The sun will set", "I sat down", "leaves fall in love with spring", "present company", "now we know",
		"Tel: +86 138-2010-2015", "3/4 of a cup", "24/7 support", "score was 3-2", "version 2.0.1",
		"on the 5th floor", "deliver 2000 pieces", "in 2000 ways", "it costs $2019", "room 2016",
		"April said hello", "I told June about it", "Happy New Year!", "up-to-date", "day after day",
		"Is this a valid date? 32 - 2015", "2015-1-32", "June 31", "31/31/2020", "Budget 2024 Kyoto",
		"Latitude: 40.1693, 1666.90125", "This screen has a 4:3 aspect ratio.", "a one:one meeting",
	} {
		if found := dates.Find(text, thursday); len(found) != 0 {
			t.Errorf("Find(%q) = %v, want nothing", text, found)
		}
	}
}

func TestFindKinds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]dates.Kind{
		"for two weeks":       dates.Duration,
		"a 30-minute call":    dates.Duration,
		"every Monday":        dates.Recurring,
		"each two days":       dates.Recurring,
		"Tuesday afternoons":  dates.Recurring,
		"three times a week":  dates.Recurring,
		"it starts at 8:30pm": dates.Clock,
		"in the morning":      dates.Clock,
		"yesterday":           dates.Dated,
	} {
		found := dates.Find(text, thursday)
		if len(found) != 1 || found[0].Kind != want {
			t.Errorf("Find(%q) = %v, want one of kind %s", text, found, want)
		}
	}
}

func TestReaderOptions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		reader dates.Reader
		text   string
		want   string
	}{
		{dates.Reader{Prefer: dates.Future}, "on Friday", "Friday = [2023-05-26, 2023-05-27) day"},
		{dates.Reader{Prefer: dates.Future}, "May 5", "May 5 = [2024-05-05, 2024-05-06) day"},
		{dates.Reader{Prefer: dates.Future}, "since May 5", "since May 5 = [2023-05-05, …) day"},
		{dates.Reader{Prefer: dates.Future}, "over the weekend", "the weekend = [2023-05-27, 2023-05-29) weekend"},
		{dates.Reader{DayFirst: true}, "3/4/2021", "3/4/2021 = [2021-04-03, 2021-04-04) day"},
		{dates.Reader{}, "3/4/2021", "3/4/2021 = [2021-03-04, 2021-03-05) day"},
	}
	for _, tt := range tests {
		if got := describe(tt.reader.Find(tt.text, thursday)); got != tt.want {
			t.Errorf("%+v.Find(%q) = %s, want %s", tt.reader, tt.text, got, tt.want)
		}
	}
}

func TestFindKeepsTheLocationOfTheReference(t *testing.T) {
	t.Parallel()
	tokyo := time.FixedZone("Tokyo", 9*3600)
	ref := time.Date(2023, 5, 25, 1, 0, 0, 0, tokyo)
	found := dates.Find("yesterday at 2023-05-24T20:00:00Z", ref)
	if len(found) != 2 {
		t.Fatalf("found %v, want two expressions", found)
	}
	if want := time.Date(2023, 5, 24, 0, 0, 0, 0, tokyo); !found[0].Interval.Start.Equal(want) {
		t.Errorf("yesterday starts %v, want %v", found[0].Interval.Start, want)
	}
	if got := found[1].Interval.Start; got.Location() != tokyo || got.Hour() != 5 {
		t.Errorf("stamp starts %v, want 05:00 in Tokyo", got)
	}
}

func ExampleFind() {
	written := time.Date(2024, 3, 15, 9, 0, 0, 0, time.UTC)
	for _, e := range dates.Find("I moved to Lisbon last week, after six years in Paris.", written) {
		fmt.Printf("%s: %s %s, %s\n", e.Text, e.Interval, e.Granularity, e.Kind)
	}
	// Output:
	// last week: [2024-03-04, 2024-03-11) week, dated
	// six years: (…, …) unknown, duration
}

// A distance counted in months or years states no day.
func TestDistancesStateNoDay(t *testing.T) {
	t.Parallel()
	for _, tt := range [][2]string{
		{"two years ago", "[2021-01-01, 2022-01-01) year year"},
		{"two months ago", "[2023-03-01, 2023-04-01) month month"},
		{"a year and a half ago", "[2021-11-01, 2021-12-01) month month"},
		{"since three years ago", "[2020-01-01, …) year "},
		{"in two years", "[2025-01-01, 2026-01-01) year year"},
		{"two weeks ago", "[2023-05-11, 2023-05-12) day day"},
		{"last year", "[2022-01-01, 2023-01-01) year year"},
		{"in early March", "[2023-03-01, 2023-03-16) month month"},
		{"last weekend", "[2023-05-20, 2023-05-22) week week"},
	} {
		v := dates.Find(tt[0], thursday)[0].StatedAs()
		if got := fmt.Sprint(v.Interval, " ", v.From.Precision, " ", v.Until.Precision); got != tt[1] {
			t.Errorf("%q: got %s, want %s", tt[0], got, tt[1])
		}
	}
}
