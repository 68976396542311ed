package dates_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/markusmobius/go-dateparser"
	"github.com/markusmobius/go-dateparser/date"

	"github.com/annalsdb/annals/internal/dates"
)

// TestForeignMonths reads each form of each month in each language, and compares the result with
// go-dateparser's if that knows the form.
func TestForeignMonths(t *testing.T) {
	t.Parallel()
	parser := &dateparser.Parser{}
	known, all := 0, 0
	for _, language := range slices.Sorted(maps.Keys(dates.MonthNames)) {
		months := strings.Split(dates.MonthNames[language], "|")
		if len(months) != 12 {
			t.Fatalf("%s has %d months", language, len(months))
		}
		for m, forms := range months {
			for form := range strings.FieldsSeq(forms) {
				for _, phrase := range []string{"7 %s 2021", "%s 2021", "%s 7, 2021", "7. %s 2021", "7-%s-2021"} {
					text := fmt.Sprintf(phrase, form)
					all++
					if sameAsDateparser(t, parser, language, text, time.Month(m+1)) {
						known++
					}
				}
			}
		}
	}
	t.Logf("go-dateparser reads %d of %d phrases", known, all)
	if known < all*4/5 {
		t.Errorf("go-dateparser reads %d of %d phrases: it is no measure any more", known, all)
	}
}

// seven is September in short and the number in French, for which go-dateparser takes it.
var seven = regexp.MustCompile(`\bsept\b`)

// sameAsDateparser reports whether go-dateparser reads a text. It fails the test if the month is
// wrong, or if both readers differ.
func sameAsDateparser(t *testing.T, parser *dateparser.Parser, language, text string, month time.Month) bool {
	t.Helper()
	found := dates.Find(text, thursday)
	if len(found) != 1 || found[0].Interval.Start.Month() != month {
		t.Errorf("%s: Find(%q) = %s, want one in %s", language, text, describe(found), month)
		return false
	}
	d, err := parser.Parse(&dateparser.Configuration{
		Languages: []string{language}, CurrentTime: thursday, DefaultTimezone: time.UTC,
		PreferredDayOfMonth: dateparser.First, RequiredParts: []string{"month", "year"},
	}, text)
	if err != nil || d.Period != date.Day && d.Period != date.Month || language == "fr" && seven.MatchString(text) {
		return false
	}
	if got, want := found[0].Interval.Start, d.Time; !strings.HasPrefix(want.Format(time.DateTime), got.Format(time.DateOnly)) {
		t.Errorf("%s: Find(%q) begins on %s, go-dateparser says %s", language, text, got.Format(time.DateOnly), want.Format(time.DateOnly))
	}
	return true
}

func TestForeignDates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1er janvier 2021":                       "1er janvier 2021 = [2021-01-01, 2021-01-02) day",
		"Nascido em 1º de maio de 2021":          "1º de maio de 2021 = [2021-05-01, 2021-05-02) day",
		"mayo del 2021":                          "mayo del 2021 = [2021-05-01, 2021-06-01) month",
		"dell'8 maggio 2021":                     "8 maggio 2021 = [2021-05-08, 2021-05-09) day",
		"w maju 2021":                            "maju 2021 = [2021-05-01, 2021-06-01) month",
		"Переехал в мае 2021":                    "мае 2021 = [2021-05-01, 2021-06-01) month",
		"5-го мая 2021":                          "5-го мая 2021 = [2021-05-05, 2021-05-06) day",
		"у березні 2021 року":                    "березні 2021 = [2021-03-01, 2021-04-01) month",
		"5 MAYIS 2021":                           "5 MAYIS 2021 = [2021-05-05, 2021-05-06) day",
		"ΜΆΙΟΣ 2021":                             "ΜΆΙΟΣ 2021 = [2021-05-01, 2021-06-01) month",
		"ב-5 במרץ 2021":                          "5 במרץ 2021 = [2021-03-05, 2021-03-06) day",
		"5 मार्च 2021":                           "5 मार्च 2021 = [2021-03-05, 2021-03-06) day",
		"del 5 al 8 de mayo de 2021":             "8 de mayo de 2021 = [2021-05-08, 2021-05-09) day",
		"Mai 2021 und 3. Juni 2022":              "Mai 2021 = [2021-05-01, 2021-06-01) month; 3. Juni 2022 = [2022-06-03, 2022-06-04) day",
		"Covid-19 mars 2020":                     "mars 2020 = [2020-03-01, 2020-04-01) month",
		"31 février 2021":                        "février 2021 = [2021-02-01, 2021-03-01) month",
		"Mai, in Berlin, 2021":                   "",
		"Ich wohne seit dem 1. Juni 2020 dort":   "seit dem 1. Juni 2020 = [2020-06-01, …) day",
		"seit 2021":                              "seit 2021 = [2021-01-01, …) year",
		"ab Ende 2021":                           "ab Ende 2021 = [2021-09-01, …) year",
		"Wohnt bis Mai 2021 in Graz":             "bis Mai 2021 = (…, 2021-06-01) month",
		"depuis le 5 mai 2021":                   "depuis le 5 mai 2021 = [2021-05-05, …) day",
		"Ich arbeite ab 1. Mai bei Velo":         "ab 1. Mai = [2024-05-01, …) day",
		"Seit Juni wohnt Tom in Graz":            "Seit Juni = [2022-06-01, …) month",
		"Ich fahre am 3. Mai nach Graz":          "3. Mai = [2023-05-03, 2023-05-04) day",
		"Gestern war ich in Graz":                "Gestern = [2023-05-24, 2023-05-25) day",
		"Tom ist letzten Monat umgezogen":        "letzten Monat = [2023-04-01, 2023-05-01) month",
		"Mai Ling heißt so":                      "",
		"mayo - junio - y luego - nada 2021":     "",
		"जन 2021":                                "",
		strings.Repeat("5 mai ", 30000) + "2021": "5 mai 2021 = [2021-05-05, 2021-05-06) day",
		strings.Repeat("й", 200000) + " 2021":    "",
	} {
		if diff := cmp.Diff(want, describe(dates.Find(text, thursday))); diff != "" {
			t.Errorf("Find(%.60q) (-want +got):\n%s", text, diff)
		}
	}
}
