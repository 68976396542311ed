package retrieval_test

import (
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/temporal"
)

func TestDatesOfFacts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name           string
		from, until    time.Time
		figures, words string
	}{
		{
			"nothing known",
			time.Time{},
			time.Time{},
			"unknown – present", "since an unknown date",
		},
		{
			"it still holds", date(2024, 3, 8),
			time.Time{},
			"2024-03-08 – present", "since 8 March 2024",
		},
		{
			"only its end is known",
			time.Time{},
			date(2024, 3, 8),
			"unknown – 2024-03-08", "until 8 March 2024",
		},
		{
			"both are known", date(2021, 5, 17), date(2024, 3, 8),
			"2021-05-17 – 2024-03-08", "from 17 May 2021 until 8 March 2024",
		},
		{
			"a year was said, or a day", date(2019, 1, 1),
			time.Time{},
			"2019-01-01 – present", "since 1 January 2019",
		},
		{
			"a month was said, or a day", date(2021, 5, 1), date(2024, 3, 1),
			"2021-05-01 – 2024-03-01", "from 1 May 2021 until 1 March 2024",
		},
		{
			"with clock time", time.Date(2024, 3, 8, 9, 5, 59, 0, time.UTC), time.Date(2024, 3, 8, 17, 0, 0, 0, time.UTC),
			"2024-03-08 09:05 – 2024-03-08 17:00", "from 8 March 2024, 09:05 until 8 March 2024, 17:00",
		},
		{
			"midnight elsewhere", time.Date(2024, 3, 8, 0, 0, 0, 0, time.FixedZone("", -5*60*60)),
			time.Time{},
			"2024-03-08 05:00 – present", "since 8 March 2024, 05:00",
		},
		{
			"midnight here, said elsewhere", time.Date(2024, 3, 8, 1, 0, 0, 0, time.FixedZone("", 60*60)),
			time.Time{},
			"2024-03-08 – present", "since 8 March 2024",
		},
		{
			"long ago", date(79, 8, 24), date(1969, 12, 31),
			"0079-08-24 – 1969-12-31", "from 24 August 79 until 31 December 1969",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			found := retrieval.Result{Facts: []retrieval.FactHit{
				{Fact: graph.Fact{Fact: "It rains.", Valid: temporal.Interval{Start: tt.from, End: tt.until}}},
			}}
			for _, form := range []struct {
				words bool
				want  string
			}{{false, "(date range: " + tt.figures + ")"}, {true, "(" + tt.words + ")"}} {
				got, err := retrieval.Construction{Words: form.words}.Construct(found)
				if err != nil || !strings.Contains(got, "- It rains. "+form.want+"\n") {
					t.Errorf("words %t: error %v, want %s in\n%s", form.words, err, form.want, got)
				}
			}
		})
	}
}
