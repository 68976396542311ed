package temporal_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/temporal"
)

func TestPhrase(t *testing.T) {
	t.Parallel()
	said := time.Date(2024, 5, 20, 10, 0, 0, 0, time.UTC)
	reading := time.Date(2024, 8, 1, 0, 0, 0, 0, time.UTC)
	state := func(words string) temporal.Validity {
		v := dates.Find(words, said)[0].StatedAs()
		return v
	}
	since := func(words string) temporal.Validity {
		v := state(words)
		v.End, v.Until = time.Time{}, temporal.Bound{}
		return v
	}
	ending := func(v temporal.Validity, at time.Time, basis temporal.Basis, p temporal.Precision) temporal.Validity {
		v.End, v.Until = at, temporal.Bound{Basis: basis, Precision: p}
		return v
	}
	planned := func(v temporal.Validity) temporal.Validity {
		v.From.Basis = temporal.Planned
		return v
	}
	first := func(y int, m time.Month) time.Time { return time.Date(y, m, 1, 0, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		state temporal.Validity
		want  string
	}{
		{temporal.Validity{}, "at an unknown time"},
		{since("in 2021"), "since 2021"},
		{since("on 5 May 2024"), "since 5 May 2024"},
		{since("in April 2024"), "since April 2024"},
		{since("last week"), "since the week of 13 May 2024"},
		{since("in the 1990s"), "since the 1990s"},
		{since("in spring 2023"), "since spring 2023"},
		{since("in winter 2022"), "since the winter of 2022/23"},
		{since("in Q2 2023"), "since the second quarter of 2023"},
		{temporal.SaidSince(said), "known since 20 May 2024"},
		{temporal.OverBy(said), "until some time before 20 May 2024"},
		{state("until May 2024"), "until May 2024"},
		{state("in 2019"), "in 2019"},
		{state("from March 2021 to May 2022"), "from March 2021 until May 2022"},
		{ending(since("in 2021"), first(2024, time.April), temporal.Inferred, temporal.ToTheMonth), "from 2021 until April 2024"},
		{ending(temporal.SaidSince(said), first(2024, time.July), temporal.Inferred, temporal.ToTheDay), "known from 20 May 2024 until 1 July 2024"},
		{ending(temporal.Validity{}, first(2024, time.May), temporal.Inferred, temporal.ToTheDay), "until 1 May 2024"},
		{since("from 15 September 2024"), "planned from 15 September 2024"},
		{planned(since("from 15 April 2024")), "was planned from 15 April 2024"},
		{planned(state("April 2024")), "was planned for April 2024"},
	} {
		if got := tt.state.Phrase(reading); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.state, got, tt.want)
		}
	}
	for _, tt := range []struct {
		event temporal.Validity
		want  string
	}{
		{state("on 5 May 2024"), "on 5 May 2024"},
		{state("in January 2024"), "in January 2024"},
		{state("last year"), "in 2023"},
		{state("last week"), "in the week of 13 May 2024"},
		{state("in summer 2023"), "in summer 2023"},
		{state("in the third quarter of 2023"), "in the third quarter of 2023"},
		{state("from 3 May to 5 May 2024"), "from 3 May 2024 to 5 May 2024"},
		{temporal.OverBy(said), "some time before 20 May 2024"},
		{state("before 2019"), "by 2018"},
		{temporal.Validity{}, "at an unknown time"},
		{state("15 September 2024"), "planned for 15 September 2024"},
		{planned(state("on 15 September 2024")), "planned for 15 September 2024"},
		{planned(state("on 15 July 2024")), "was planned for 15 July 2024"},
		{planned(state("from 3 July to 5 July 2024")), "was planned from 3 July 2024 to 5 July 2024"},
	} {
		if got := tt.event.PhraseOfEvent(reading); got != tt.want {
			t.Errorf("event %+v: %q, want %q", tt.event, got, tt.want)
		}
	}
}
