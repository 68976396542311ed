package answer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/offline"
	"github.com/annalsdb/annals/internal/clienttest"
)

// Stories in everyday words, with questions asked later: an answer has nothing that was corrected,
// moved or given up, and of two people with the same name it has the right one.
func TestStoriesAreAnswered(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{Analyst: offline.New()})
	for group, tt := range map[string]struct {
		said  string // each line is a day and what Sam says
		asked string // each line is a question and its answer
	}{
		"corrected-place": {
			"2024-03-15 I moved to Porto last week.\n2024-03-20 Sorry, I meant Lisbon, not Porto.",
			"Where does Sam live? Sam moved to Lisbon in the week of 4 March 2024. (since the week of 4 March 2024)",
		},
		"corrected-number": {
			"2024-03-20 My phone number is 0171 555 1234.\n2024-03-22 Correction: it's 0171 555 4321.",
			"What is Sam's phone number? Sam's phone number is 0171 555 4321. (known since 20 March 2024)",
		},
		"moved": {
			"2024-07-04 I work at Norda.\n2024-07-05 My flight to Boston is on 20 July at 7am.\n2024-07-06 No wait, the flight is on the 21st.\n2024-07-06 Our team meeting is on 9 July.\n2024-07-07 The team meeting has been moved to 11 July.\n2024-07-07 The deadline for the report is 31 July.\n2024-07-08 The deadline got extended to 15 August.",
			"When is Sam's flight to Boston? The flight is on 21 July 2024. (known since 5 July 2024)\n" +
				"When is Sam's team meeting? The team meeting has been moved to 11 July 2024. (known since 7 July 2024)\n" +
				"When is the team meeting? The team meeting has been moved to 11 July 2024. (known since 7 July 2024)\n" +
				"When is the deadline for the report? The deadline for the report got extended to 15 August 2024. (known since 8 July 2024)",
		},
		"mine-and-hers": {
			"2024-01-05 Anna lives in Oslo.\n2024-02-05 I live in Vienna.",
			"Tell me where Anna lives? Anna lives in Oslo. (known since 5 January 2024)\n" +
				"Where do I live? Sam lives in Vienna. (known since 5 February 2024)",
		},
		"to-come": {
			"2024-07-04 I have a dentist appointment on 20 July.",
			"What happens on 20 July 2024? Sam has a dentist appointment on 20 July 2024. (was planned for 20 July 2024)\n" +
				"When is my dentist appointment? Sam has a dentist appointment on 20 July 2024. (was planned for 20 July 2024)",
		},
		"given-up": {
			"2024-01-05 I'm learning Japanese since September.\n2024-01-06 I gave up Japanese, too hard.\n2024-01-07 I bought a Tesla in 2020 and sold it last week.",
			"Is Sam learning Japanese? Sam is learning Japanese since September 2023. (from September 2023 until some time before 6 January 2024) Sam gave up Japanese, too hard. (some time before 6 January 2024)\n" +
				"Does Sam own a Tesla? Sam bought a Tesla in 2020. (from 2020 until the week of 25 December 2023) Sam sold the Tesla in the week of 25 December 2023. (in the week of 25 December 2023)",
		},
		"dead": {
			"2024-01-05 My grandfather Otto lives in Bonn.\n2024-01-05 My husband Tom works at Norda.\n2024-01-06 I have a dog called Rex and a parrot.\n2024-01-06 Kim lives in Rome.\n2024-01-09 Kim died.\n2024-01-10 Otto died yesterday.\n2024-01-11 Rex died last night.",
			"Where does Otto live? Sam's grandfather Otto lives in Bonn. (known from 5 January 2024 until 9 January 2024) Otto died on 9 January 2024. (since 9 January 2024)\n" +
				"Where does Kim live? Kim lives in Rome. (known from 6 January 2024 until 9 January 2024) Kim died. (known since 9 January 2024)\n" +
				"Where does Tom work? Sam's husband Tom works at Norda. (known since 5 January 2024)",
		},
		"left": {
			"2024-01-05 I work at Norda.\n2024-01-05 Lena works at Helix.\n2024-01-06 I start at Brask on 1 March.\n2024-01-08 I left the firm at six.\n2024-01-10 The offer was withdrawn.\n2024-01-10 Lena left the company yesterday.",
			"Where does Sam work? Sam works at Norda. (known since 5 January 2024)\n" +
				"Where does Lena work? Lena left the company on 9 January 2024. (on 9 January 2024)",
		},
		"two-jobs-left": {
			"2024-01-05 I work at Norda.\n2025-01-05 I quit Norda last month.\n2025-02-05 I started at Helix on Monday.\n2025-06-05 I quit Helix yesterday.",
			"Where does Sam work? Sam started at Helix on Monday, 3 February 2025. (from 3 February 2025 until 4 June 2025) Sam quit Helix on 4 June 2025. (on 4 June 2025)",
		},
		"of-one-name-at-once": {
			"2024-01-05 My sister Anna lives in Oslo and my colleague Anna lives in Madrid.\n2024-02-12 My sister Anna moved to Bergen on 1 February.",
			"Where does Sam's sister live? Sam's sister Anna moved to Bergen on 1 February 2024. (since 1 February 2024)\n" +
				"Where does Sam's colleague live? Sam's colleague Anna lives in Madrid. (known since 5 January 2024)",
		},
		"of-one-name": {
			"2024-01-05 My sister Anna lives in Oslo.\n2024-01-06 My colleague Anna lives in Madrid.\n2024-02-12 My sister Anna moved to Bergen on 1 February.\n2024-03-14 My colleague Anna moved to Lyon last week.",
			"Where does Sam's sister live? Sam's sister Anna moved to Bergen on 1 February 2024. (since 1 February 2024)\n" +
				"Where does Sam's sister Anna live? Sam's sister Anna moved to Bergen on 1 February 2024. (since 1 February 2024)\n" +
				"Where does Sam's colleague live? Sam's colleague Anna moved to Lyon in the week of 4 March 2024. (since the week of 4 March 2024)\n" +
				"Where did Sam's sister live in January 2024? Sam's sister Anna lives in Oslo. (known from 5 January 2024 until 1 February 2024)\n" +
				"Who is Sam's sister? Anna is Sam's sister. (known since 5 January 2024)",
		},
		"without-a-name": {
			"2024-05-01 I work at Norda.\n2024-05-02 I live in Cork.\n2024-05-03 My wife Clara is a nurse.\n2024-05-06 My mother lives in Leeds.\n2024-05-09 My brother Kim works at Philips.",
			"What does Sam's wife do? Sam's wife Clara is a nurse. (known since 3 May 2024)\n" +
				"Where does Sam live? Sam lives in Cork. (known since 2 May 2024)\n" +
				"Where does Sam's mother live? Sam's mother lives in Leeds. (known since 6 May 2024)\n" +
				"Where does Sam's brother Kim work? Sam's brother Kim works at Philips. (known since 9 May 2024)",
		},
	} {
		t.Run(group, func(t *testing.T) {
			var said []annals.Episode
			for line := range strings.Lines(tt.said) {
				day, content, _ := strings.Cut(strings.TrimSpace(line), " ")
				at, err := time.Parse(time.DateOnly, day)
				if err != nil {
					t.Fatal(err)
				}
				said = append(said, annals.Episode{GroupID: group, Actor: "Sam", Content: content, ThreadID: "t", OccurredAt: at.Add(10 * time.Hour)})
			}
			remember(t, client, group, said)
			for line := range strings.Lines(tt.asked) {
				question, want, _ := strings.Cut(strings.TrimSpace(line), "? ")
				got, err := client.Ask(t.Context(), annals.Question{Query: annals.Query{GroupID: group, Text: question + "?"}})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, strings.Join(sentences(got), " ")); diff != "" {
					t.Errorf("%s? (-want +got):\n%s", question, diff)
				}
			}
		})
	}
}
