package dates_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/dates"
)

func TestForward(t *testing.T) {
	t.Parallel()
	for _, sentence := range []string{
		"Robert is joining Initech on 15 July.",
		"Eva starts at Globex in September.",
		"joining on 15 July",
		"starting in September",
		"Eva will move in July.",
		"Eva's going to move to Oslo in July.",
		"I'm gonna be there on the 25th.",
		"Tom plans to visit Rome in May.",
		"Tom is getting married in May.",
		"Eva begins her studies in October.",
		"The shop opens on 3 May.",
		"The exam is on the 25th.",
		"Eva works at Umbrella until the end of June.",
		"Eva got a job at Globex starting in September.",
		"Eva has an appointment with Dr. Lee on the 25th.",
		"Tom decided to move to Oslo in May.",
		"In July Eva will move to Oslo.",
		"She moved to Oslo and is starting at Globex in May.",
		"Robert, who joined in 2019, leaves on 3 July.",
		"Eva told me that she is moving in May.",
		"Tom booked a flight to Rome for 3 July.",
		"The meeting was postponed to Friday.",
		"Eva is looking forward to moving in May.",
		"Eva has to be in Rome by Friday.",
		"The wedding is planned for May.",
		"We're having a party on Friday.",
		"Please call me on Friday.",
		"Eva is joining Globex.",
		"Eva starts at Globex.",
		"Eva will live in Oslo.",
		"I also start at Globex in September.",
		"am moving in February",
		"Lukas shares a flat with Mina until October.",
		"I start working at Globex starting on April 1st.",
	} {
		if !dates.Forward(sentence) {
			t.Errorf("%q looks back", sentence)
		}
	}
	for _, sentence := range []string{
		"Dana works at Globex.",
		"Dana is married to Tom.",
		"Dana is working at Globex.",
		"The printing press uses ink.",
		"Dana has a dog.",
		"Samuel ran the Rhine run on Saturday.",
		"Eva was glad about the move in March.",
		"Eva enjoyed her stay in Rome in May.",
		"Eva moved in March.",
		"moved in March",
		"Robert joined Initech on 15 July.",
		"Eva has been at Globex since May.",
		"Eva has lived here since May.",
		"Eva is at Globex since May.",
		"Eva was in Rome in May.",
		"Eva's been working there since March.",
		"She got married in June.",
		"They were moving in June.",
		"Eva used to work there until May.",
		"Eva had to move in May.",
		"Eva would have moved in May.",
		"Eva is starting at Globex, she left Acme in May.",
		"In March Eva quit smoking.",
		"Eva finished moving in May.",
		"Eva was born in May.",
		"She didn't come on Friday.",
		"the trip in July",
		"Eva is happy that she moved in May.",
		"Eva started working at Globex in May.",
		"",
	} {
		if dates.Forward(sentence) {
			t.Errorf("%q looks ahead", sentence)
		}
	}
}

// Said on Thursday, 20 June 2024.
func TestByTense(t *testing.T) {
	t.Parallel()
	said := time.Date(2024, 6, 20, 9, 0, 0, 0, time.UTC)
	for _, tt := range [][2]string{
		{"Robert is joining on 15 July.", "15 July = [2024-07-15, 2024-07-16) day"},
		{"Robert joined on 15 July.", "15 July = [2023-07-15, 2023-07-16) day"},
		{"Eva is moving in July.", "July = [2024-07-01, 2024-08-01) month"},
		{"Eva is starting in September.", "starting in September = [2024-09-01, …) month"},
		{"starting in September", "starting in September = [2024-09-01, …) month"},
		{"The exam is on the 25th.", "the 25th = [2024-06-25, 2024-06-26) day"},
		{"The exam was on the 25th.", "the 25th = [2024-05-25, 2024-05-26) day"},
		{"moved in March", "March = [2024-03-01, 2024-04-01) month"},
		{"I moved in July and will start at Globex in September.", "July = [2023-07-01, 2023-08-01) month; September = [2024-09-01, 2024-10-01) month"},
		{"I work at Umbrella until the end of July.", "until the end of July = (…, 2024-08-01) month"},
		{"I booked a flight to Oslo on 3 August.", "3 August = [2024-08-03, 2024-08-04) day"},
		{"I booked a flight to Oslo on 3 June.", "3 June = [2024-06-03, 2024-06-04) day"},
		{"We booked the flights on Friday.", "Friday = [2024-06-14, 2024-06-15) day"},
		{"We booked the flights to Rome: 4 August to 11 August.", "4 August to 11 August = [2024-08-04, 2024-08-12) day"},
		{"I reserved a room in Lisbon from 4 August to 11 August.", "from 4 August to 11 August = [2024-08-04, 2024-08-12) day"},
		{"I bought tickets for a concert on 12 July.", "12 July = [2024-07-12, 2024-07-13) day"},
		{"I bought a car on 12 July.", "12 July = [2023-07-12, 2023-07-13) day"},
		{"I have lived in Oslo since July.", "since July = [2023-07-01, …) month"},
		{"Starting on July 1st I will work at Globex.", "Starting on July 1st = [2024-07-01, …) day"},
		{"We met on Friday. We meet again on Friday.", "Friday = [2024-06-14, 2024-06-15) day; Friday = [2024-06-21, 2024-06-22) day"},
	} {
		if got := describe(dates.Reader{Prefer: dates.ByTense}.Find(tt[0], said)); got != tt[1] {
			t.Errorf("%q:\n got %s\nwant %s", tt[0], got, tt[1])
		}
	}
}
