package dates_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/dates"
)

// whatIsStated formats the validity that the first date of a text states, with its precision.
func whatIsStated(found []dates.Expression) string {
	for _, e := range found {
		if e.Kind == dates.Dated {
			v := e.StatedAs()
			return fmt.Sprintf("%s %s/%s", v.Interval, v.From.Precision, v.Until.Precision)
		}
	}
	return ""
}

func TestTheEndOfAPeriodIsItsLastDays(t *testing.T) {
	t.Parallel()
	for _, tt := range [][2]string{
		{"at the end of the week", "[2023-05-26, 2023-05-29) week/week"},
		{"at the end of last week", "[2023-05-19, 2023-05-22) week/week"},
		{"at the end of the month", "[2023-05-25, 2023-06-01) month/month"},
		{"at the end of next month", "[2023-06-24, 2023-07-01) month/month"},
		{"at the end of October 2024", "[2024-10-25, 2024-11-01) month/month"},
		{"at the end of 2024", "[2024-12-25, 2025-01-01) month/month"},
		{"at the end of the year", "[2023-12-25, 2024-01-01) month/month"},
		{"by EOY", "(…, 2024-01-01) /year"},
		{"EOM", "[2023-05-25, 2023-06-01) month/month"},
		{"at the end of Q3 2024", "[2024-09-24, 2024-10-01) month/month"},
		{"at the end of summer 2024", "[2024-08-01, 2024-09-01) month/month"},
		{"at the end of the 1990s", "[1999-01-01, 2000-01-01) year/year"},
		{"since the end of May 2022", "[2022-05-25, …) month/"},
		{"until the end of May 2022", "(…, 2022-06-01) /month"},
		{"from the end of May 2022 to 3 July 2022", "[2022-05-25, 2022-07-04) month/day"},
		{"in late May 2022", "[2022-05-16, 2022-06-01) month/month"},

		{"Ende Mai 2024", "[2024-05-25, 2024-06-01) month/month"},
		{"Ende 2024", "[2024-12-25, 2025-01-01) month/month"},
		{"Anfang 2024", "[2024-01-01, 2024-05-01) year/year"},
		{"fin mai 2024", "[2024-05-25, 2024-06-01) month/month"},
		{"mi-mai 2024", "[2024-05-10, 2024-05-21) month/month"},
		{"a finales de mayo de 2024", "[2024-05-25, 2024-06-01) month/month"},
		{"a fines de 2024", "[2024-12-25, 2025-01-01) month/month"},
		{"alla fine di maggio 2024", "[2024-05-25, 2024-06-01) month/month"},
		{"no final de maio de 2024", "[2024-05-25, 2024-06-01) month/month"},
		{"eind mei 2024", "[2024-05-25, 2024-06-01) month/month"},
		{"im Mai 2024", "[2024-05-01, 2024-06-01) month/month"},
	} {
		if got := whatIsStated(dates.Find(tt[0], thursday)); got != tt[1] {
			t.Errorf("%s\n got %s\nwant %s", tt[0], got, tt[1])
		}
	}
}

func TestTheTenseChoosesThePeriod(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 9, 10, 10, 0, 0, 0, time.UTC)
	for _, tt := range [][2]string{
		{"Eva is leaving at the end of the year.", "[2024-12-25, 2025-01-01) month/month"},
		{"Eva left at the end of the year.", "[2023-12-25, 2024-01-01) month/month"},
		{"Eva is leaving at the end of the month.", "[2024-09-24, 2024-10-01) month/month"},
		{"Eva left at the end of the month.", "[2024-08-25, 2024-09-01) month/month"},
		{"Eva starts at the beginning of the year.", "[2025-01-01, 2025-07-01) year/year"},
		{"Eva started at the beginning of the year.", "[2024-01-01, 2024-07-01) year/year"},
		{"Eva is leaving in the middle of November.", "[2024-11-10, 2024-11-21) month/month"},
		{"Eva left in the middle of November.", "[2023-11-10, 2023-11-21) month/month"},
	} {
		if got := whatIsStated(dates.Reader{Prefer: dates.ByTense}.Find(tt[0], at)); got != tt[1] {
			t.Errorf("%s\n got %s\nwant %s", tt[0], got, tt[1])
		}
	}
}

func TestNothingAnnouncedBeginsBeforeItWasSaid(t *testing.T) {
	t.Parallel()
	said := time.Date(2024, 9, 20, 10, 0, 0, 0, time.UTC)
	for _, tt := range [][2]string{
		{"this month", "[2024-09-20T10:00:00Z, 2024-10-01)"},
		{"this year", "[2024-09-20T10:00:00Z, 2025-01-01)"},
		{"today", "[2024-09-20, 2024-09-21)"},
		{"next month", "[2024-10-01, 2024-11-01)"},
		{"last month", "[2024-08-01, 2024-09-01)"},
	} {
		if got := dates.NotBefore(dates.Find(tt[0], said)[0].StatedAs(), said).String(); got != tt[1] {
			t.Errorf("%s: %s, want %s", tt[0], got, tt[1])
		}
	}
}
