package dates_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/temporal"
)

// Said on Wednesday, 8 May 2024, at ten in the morning.
var saidInMay = time.Date(2024, 5, 8, 10, 0, 0, 0, time.UTC)

var resolvedCases = [][2]string{
	// Days.
	{"Eva met Tom yesterday.", "Eva met Tom on 7 May 2024."},
	{"Yesterday Eva met Tom.", "On 7 May 2024 Eva met Tom."},
	{"Eva meets Tom tomorrow.", "Eva meets Tom on 9 May 2024."},
	{"Eva must finish by tomorrow.", "Eva must finish by 9 May 2024."},
	{"Eva was ill from last Monday to yesterday.", "Eva was ill from Monday, 6 May 2024 to 7 May 2024."},
	{"Eva met Tom last Friday.", "Eva met Tom on Friday, 3 May 2024."},
	{"Eva met Tom on Friday.", "Eva met Tom on Friday, 3 May 2024."},
	{"Eva meets Tom on Friday.", "Eva meets Tom on Friday, 10 May 2024."},
	{"Eva meets Tom next Friday.", "Eva meets Tom on Friday, 17 May 2024."},
	{"Eva has been ill since last Friday.", "Eva has been ill since Friday, 3 May 2024."},
	{"The day before yesterday Eva called.", "On 6 May 2024 Eva called."},
	{"Eva will call the day after tomorrow.", "Eva will call on 10 May 2024."},
	{"Eva moved on 3 March.", "Eva moved on 3 March 2024."},
	{"Eva moves on July 3rd.", "Eva moves on 3 July 2024."},
	{"The exam is on the 25th.", "The exam is on 25 May 2024."},
	{"Yesterday was great.", "7 May 2024 was great."},
	{"Eva said that yesterday was great.", "Eva said that 7 May 2024 was great."},
	{"The man Eva met yesterday was kind.", "The man Eva met on 7 May 2024 was kind."},
	{"Eva spent yesterday in bed.", "Eva spent 7 May 2024 in bed."},
	{"Eva is taking tomorrow off.", "Eva is taking 9 May 2024 off."},
	{"Eva liked yesterday's meeting.", "Eva liked the meeting of 7 May 2024."},
	{"Eva liked last week's team meeting with Tom.", "Eva liked the team meeting in the week of 29 April 2024 with Tom."},
	{"Last year's trip was fun.", "The trip of 2023 was fun."},
	{"Eva met Tom yesterday at 8pm.", "Eva met Tom on 7 May 2024 at 8pm."},
	{"Eva met Tom at 8pm yesterday.", "Eva met Tom at 8pm on 7 May 2024."},
	{"The plans for tomorrow are set.", "The plans for 9 May 2024 are set."},

	// Numbers, rates and last days, which are no dates.
	{"Eva takes 10 mg Ramipril a day from tomorrow.", "Eva takes 10 mg Ramipril a day from 9 May 2024."},
	{"The plan costs 20 euros a month from 1 June.", ""},
	{"The plan cost 20 euros a month before April.", ""},
	{"Eva works three days a week from 1 June.", "Eva works three days a week from 1 June 2024."},
	{"The lease runs for two years from 1 June.", "The lease runs for two years from 1 June 2024."},
	{"Eva will be 40 next month.", "Eva will be 40 in June 2024."},
	{"The price rises from 49 to 59 next month.", "The price rises from 49 to 59 in June 2024."},
	{"The team grows to 12 next month.", "The team grows to 12 in June 2024."},
	{"Eva's last day at Norda is 31 May.", "Eva's last day at Norda is on 31 May 2024."},
	{"The last day of the trial is 31 May.", "The last day of the trial is on 31 May 2024."},
	{"It is her last year at school.", ""},

	// Parts of the day.
	{"Eva ran this morning.", "Eva ran on the morning of 8 May 2024."},
	{"Eva danced last night.", "Eva danced on the night of 7 May 2024."},
	{"Eva is going out tonight.", "Eva is going out on the evening of 8 May 2024."},
	{"Eva ran yesterday morning.", "Eva ran on the morning of 7 May 2024."},
	{"Eva danced on Friday night.", "Eva danced on the night of Friday, 3 May 2024."},
	{"Last night was fun.", "The night of 7 May 2024 was fun."},

	// Weeks, months, seasons, years.
	{"Eva moved last week.", "Eva moved in the week of 29 April 2024."},
	{"Eva is busy this week.", "Eva is busy in the week of 6 May 2024."},
	{"Eva was in Rome during last week.", "Eva was in Rome during the week of 29 April 2024."},
	{"Next week is busy.", "The week of 13 May 2024 is busy."},
	{"Eva hiked last weekend.", "Eva hiked on the weekend of 4 May 2024."},
	{"Eva hiked this weekend.", "Eva hiked on the weekend of 4 May 2024."},
	{"Eva is hiking this weekend.", "Eva is hiking on the weekend of 11 May 2024."},
	{"Eva is away between 3 and 12 of September.", "Eva is away between 3 and 12 September 2024."},
	{"Eva hiked over the weekend.", "Eva hiked over the weekend of 4 May 2024."},
	{"Two weekends ago Eva hiked.", "On the weekend of 27 April 2024 Eva hiked."},
	{"Eva is moving next month.", "Eva is moving in June 2024."},
	{"Eva stays until next month.", "Eva stays until June 2024."},
	{"Eva moved in March.", "Eva moved in March 2024."},
	{"Eva is moving in March.", "Eva is moving in March 2025."},
	{"Eva moved last March.", "Eva moved in March 2024."},
	{"Eva moved in early March.", "Eva moved in early March 2024."},
	{"Eva moved early last month.", "Eva moved early in April 2024."},
	{"Eva moves at the end of next month.", "Eva moves at the end of June 2024."},
	{"Eva works there until the end of June.", "Eva works there until the end of June 2024."},
	{"Eva moves by the end of the year.", "Eva moves by the end of 2024."},
	{"Eva moves later this month.", "Eva moves later in May 2024."},
	{"Eva moved earlier this year.", "Eva moved earlier in 2024."},
	{"Eva was there the first week of April.", "Eva was there the first week of April 2024."},
	{"Eva moved last year.", "Eva moved in 2023."},
	{"Eva has lived in Oslo since last year.", "Eva has lived in Oslo since 2023."},
	{"It is better than last year.", "It is better than in 2023."},
	{"Eva visited Rome last summer.", "Eva visited Rome in the summer of 2023."},
	{"Eva is going to Rome this summer.", "Eva is going to Rome in the summer of 2024."},
	{"Sales fell last quarter.", "Sales fell in the first quarter of 2024."},
	{"Sales fell in Q1.", "Sales fell in Q1 2024."},
	{"Eva saw him last Christmas.", "Eva saw him at Christmas 2023."},
	{"In the last decade Eva travelled.", "In the 2010s Eva travelled."},

	// Distances.
	{"Two weeks ago Eva moved.", "On 24 April 2024 Eva moved."},
	{"Eva moved two weeks ago on a Friday.", "Eva moved on Friday, 26 April 2024."},
	{"Eva moved three days ago.", "Eva moved on 5 May 2024."},
	{"Eva moved two months ago.", "Eva moved in March 2024."},
	{"Eva moved two years ago.", "Eva moved in 2022."},
	{"Eva moved about two years ago.", "Eva moved around 2022."},
	{"Eva moved a year and a half ago.", "Eva moved around November 2022."},
	{"Eva moved a few years ago.", "Eva moved a few years before 2024."},
	{"A couple of weeks ago Eva moved.", "A couple of weeks before 8 May 2024 Eva moved."},
	{"Eva moves in two weeks.", "Eva moves on 22 May 2024."},
	{"Eva moves in a few days.", "Eva moves a few days after 8 May 2024."},
	{"Eva moves two months from now.", "Eva moves in July 2024."},
	{"Eva has been ill for the last three weeks.", "Eva has been ill for the three weeks up to 8 May 2024."},
	{"Eva has read four books in the past year.", "Eva has read four books in the year up to May 2024."},
	{"Eva left two hours ago.", "Eva left on 8 May 2024."},
	{"Eva left last week and Tom the week before.", "Eva left in the week of 29 April 2024 and Tom in the week of 22 April 2024."},

	// Unchanged sentences.
	{"Eva moved on 8 March 2023.", ""},
	{"Eva has lived in Oslo since 2016.", ""},
	{"Eva moved in May 2021.", ""},
	{"Eva grew up in the 90s.", ""},
	{"Eva swims every Friday.", ""},
	{"Eva swims on Fridays.", ""},
	{"Eva works from Monday to Friday every week.", ""},
	{"Eva trained for two weeks.", ""},
	{"Eva loves hiking in summer.", ""},
	{"Eva's birthday is on 12 May.", ""},
	{`Eva sang "Yesterday" and "See you next week".`, ""},
	{"Eva sang Yesterday by the Beatles.", ""},
	{"Eva was born on a Friday.", ""},
	{"Eva teaches Sunday school.", ""},
	{"Eva visits them at Christmas.", ""},
	{"She told Eva at the last minute.", ""},
	{"Eva zog gestern nach Berlin.", ""},
	{"Ik ging in april naar Oslo.", ""},
	{"Eva may march on.", ""},
	{"Eva runs the marathon at 8pm.", ""},
	{"", ""},
}

func TestResolved(t *testing.T) {
	t.Parallel()
	for _, tt := range resolvedCases {
		want := tt[1]
		if want == "" {
			want = tt[0]
		}
		got := dates.Resolved(tt[0], saidInMay, temporal.Interval{})
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", tt[0], got, want)
		}
		if again := dates.Resolved(got, saidInMay.AddDate(1, 2, 3), temporal.Interval{}); again != got {
			t.Errorf("%s\nthen %s\nthen %s", tt[0], got, again)
		}
	}
}

func BenchmarkResolved(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		dates.Resolved(resolvedCases[i%len(resolvedCases)][0], saidInMay, temporal.Interval{})
	}
}

// The known validity decides between two years.
func TestResolvedAs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ sentence, from, to, want string }{
		{"From 1 May Eva's rent is 800 euros.", "2024-05-01", "", "From 1 May 2024 Eva's rent is 800 euros."},
		{"From 1 May Eva's rent is 800 euros.", "2025-05-01", "", "From 1 May 2025 Eva's rent is 800 euros."},
		{"From 1 May Eva's rent is 800 euros.", "2024-02-01", "", "From 1 May 2025 Eva's rent is 800 euros."},
		{"As of 1 May Eva's rent is 800 euros, and Tom moved in March.", "2024-05-01", "", "As of 1 May 2024 Eva's rent is 800 euros, and Tom moved in March 2024."},
		{"Eva has a job until 1 May.", "", "2025-05-02", "Eva has a job until 1 May 2025."},
		{"Eva moved in March.", "2024-03-01", "2024-04-01", "Eva moved in March 2024."},
		{"The plan has two seats since May.", "2024-05-01", "", "The plan has two seats since May."},
		{"Eva moved yesterday.", "2024-03-01", "", "Eva moved on 7 May 2024."},
	} {
		var holds temporal.Interval
		for at, s := range map[*time.Time]string{&holds.Start: c.from, &holds.End: c.to} {
			if s != "" {
				*at, _ = time.Parse(time.DateOnly, s)
			}
		}
		if got := dates.Resolved(c.sentence, saidInMay, holds); got != c.want {
			t.Errorf("%q from %s to %s:\n got %q\nwant %q", c.sentence, c.from, c.to, got, c.want)
		}
	}
}
