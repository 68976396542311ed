package offline_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/prompts"
)

// Sentences of Thursday, 20 June 2024, each with a careful reader's facts.
func TestReadsTimeFromTheTextAlone(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 6, 20, 10, 0, 0, 0, time.UTC)
	for said, want := range map[string][]string{
		"I work at Initech.":                                            {"Eva WORKS_AT Initech [now, …)"},
		"I have been working at Globex since 1 May 2024.":               {"Eva WORKS_AT Globex [2024-05-01/day, …)"},
		"I moved to Porto in April 2024.":                               {"Eva LIVES_IN Porto [2024-04-01/month, …)"},
		"In April 2024 I moved to Porto.":                               {"Eva LIVES_IN Porto [2024-04-01/month, …)"},
		"I moved to Porto on 8 March 2024.":                             {"Eva LIVES_IN Porto [2024-03-08/day, …)"},
		"I work at Initech now.":                                        {"Eva WORKS_AT Initech [now, …)"},
		"Back in 2019 I lived in Oslo.":                                 {"Eva LIVES_IN Oslo [2019-01-01/year, 2020-01-01/year)"},
		"I have worked at Globex since March 2024.":                     {"Eva WORKS_AT Globex [2024-03-01/month, …)"},
		"From 2021 on I worked at Initech, before Globex.":              {"Eva WORKS_AT Initech [2021-01-01/year, now)"},
		"I still smoke.":                                                {"Eva HAS_HABIT smoking [now, …)"},
		"I quit smoking in March.":                                      {"Eva NO_LONGER_HAS_HABIT! smoking once [2024-03-01/month, 2024-04-01/month)"},
		"I no longer work at Initech.":                                  {"Eva NO_LONGER_WORKS_AT! Initech once […, now)"},
		"I am allergic to penicillin.":                                  {"Eva ALLERGIC_TO penicillin [now, …)"},
		"I ran the Porto marathon on 5 May.":                            {"Eva RUNS Porto marathon once [2024-05-05/day, 2024-05-06/day)"},
		"I met Tomas in January.":                                       {"Eva MEETS Tomas once [2024-01-01/month, 2024-02-01/month)"},
		"I visited Oslo last year.":                                     {"Eva VISITS Oslo once [2023-01-01/year, 2024-01-01/year)"},
		"I used to live in Oslo.":                                       {"Eva NO_LONGER_LIVES_IN! Oslo once […, now)"},
		"I have lived in Porto since 2022.":                             {"Eva LIVES_IN Porto [2022-01-01/year, …)"},
		"Porto is still my home.":                                       {"Eva LIVES_IN Porto [now, …)"},
		"I joined Globex in June 2020.":                                 {"Eva WORKS_AT Globex [2020-06-01/month, …)"},
		"I live in Bergen with Tomas.":                                  {"Eva LIVES_IN Bergen [now, …)", "Eva LIVES_WITH Tomas [now, …)", "Tomas LIVES_IN Bergen [now, …)"},
		"Tomas and I moved to Porto on 15 June.":                        {"Tomas LIVES_IN Porto [2024-06-15/day, …)", "Eva LIVES_IN Porto [2024-06-15/day, …)"},
		"I am moving to Oslo next month.":                               {"Eva LIVES_IN Oslo [2024-07-01/month, …)"},
		"I am moving to Oslo in February.":                              {"Eva LIVES_IN Oslo [2025-02-01/month, …)"},
		"I am moving to Oslo.":                                          {"Eva PLANS_TO_MOVE_TO Oslo [now, …)"},
		"The move to Oslo is off.":                                      nil,
		"I have been back in Brno since 1 June.":                        {"Eva LIVES_IN Brno [2024-06-01/day, …)"},
		"I am back in Brno.":                                            nil,
		"And in October I am moving on to Athens.":                      {"Eva LIVES_IN Athens [2024-10-01/month, …)"},
		"Since 1 June I have worked at Monarch, and Ruben at Aperture.": {"Eva WORKS_AT Monarch [2024-06-01/day, …)"},
		"I left Initech on 1 April.":                                    {"Eva NO_LONGER_WORKS_AT! Initech once [2024-04-01/day, 2024-04-02/day)"},
		"I am back at Initech since 1 June.":                            {"Eva WORKS_AT Initech [2024-06-01/day, …)"},
		"On weekends I also work at Umbrella.":                          {"Eva WORKS_AT Umbrella [now, …)"},
		"I work at Umbrella until the end of July.":                     {"Eva WORKS_AT Umbrella [now, 2024-08-01/month)"},
		"I start at Globex in September.":                               {"Eva WORKS_AT Globex [2024-09-01/month, …)"},
		"Starting on July 1st I will work at Globex.":                   {"Eva WORKS_AT Globex [2024-07-01/day, …)"},
		"I will work at Globex starting on July 1st.":                   {"Eva WORKS_AT Globex [2024-07-01/day, …)"},
		"I am joining Globex on 15 July.":                               {"Eva WORKS_AT Globex [2024-07-15/day, …)"},
		"I am joining Globex on the 25th.":                              {"Eva WORKS_AT Globex [2024-06-25/day, …)"},
		"I am joining Globex.":                                          {"Eva PLANS_TO_JOIN Globex [now, …)"},
		"I am leaving Globex in August.":                                {"Eva NO_LONGER_WORKS_AT! Globex once [2024-08-01/month, 2024-09-01/month)"},
		"I am leaving Globex.":                                          {"Eva PLANS_TO_LEAVE Globex [now, …)"},
		"Robert hired Tomas.":                                           {"Robert HIRES Tomas once […, now)"},
		"Robert lost his job.":                                          {"Robert NO_LONGER_WORKS_AT! job once […, now)"},
		"I broke my wrist in January.":                                  {"Eva BREAKS wrist once [2024-01-01/month, 2024-02-01/month)"},
		"Every Friday I swim with Tomas.":                               {"Eva SWIMS_WITH Tomas [now, …)"},
		"I played chess with Tomas every Friday in 2019.":               {"Eva PLAYS chess once [2019-01-01/year, 2020-01-01/year)", "Eva PLAYS_WITH Tomas once [2019-01-01/year, 2020-01-01/year)"},
		"I have worked at Globex for two months.":                       {"Eva WORKS_AT Globex [2024-04-01/month, …)"},
		"I work at a clinic called Avonside now.":                       {"Eva WORKS_AT Avonside [now, …)"},
		"I moved to a village called Aldbourne in May.":                 {"Eva LIVES_IN Aldbourne [2024-05-01/month, …)"},
		"I wanted to visit Rome.":                                       {"Eva WANTS_TO_VISIT Rome once […, now)"},
	} {
		entities, facts := extract(t, prompts.Episode{Source: "message", Speaker: "Eva", Content: said, OccurredAt: at})
		var got []string
		for _, f := range facts {
			got = append(got, inWordsAt(entities, f, at))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", said, diff)
		}
	}
}
