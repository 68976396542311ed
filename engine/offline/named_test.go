package offline_test

import (
	"testing"
	"time"

	"github.com/annalsdb/annals/prompts"
)

// The message before says whose name "her name" is, if it speaks of only one person who fits.
func TestWhoseNameItIs(t *testing.T) {
	t.Parallel()
	for before, want := range map[string]string{
		"I have a daughter.":                    "Eva HAS_DAUGHTER Leila",
		"I have a sister and a brother.":        "Eva HAS_SISTER Leila",
		"We adopted a cat.":                     "Eva HAS_CAT Leila",
		"I have a daughter and a friend.":       "",
		"I have a brother.":                     "",
		"My daughter Mia has a friend.":         "",
		"I have a daughter called Mia.":         "",
		"Tom has a daughter.":                   "",
		"My brother has a daughter.":            "",
		"I have a friend who has a daughter.":   "",
		"My wife has a cat.":                    "",
		"I have a car. It is blue and a beauty": "",
	} {
		at := time.Date(2024, 6, 10, 10, 0, 0, 0, time.UTC)
		e := prompts.Episode{Source: "message", Speaker: "Eva", Content: "Her name is Leila.", OccurredAt: at}
		e.Previous = []prompts.Message{{Speaker: "Eva", Content: before, OccurredAt: at.AddDate(0, 0, -1)}}
		got := ""
		entities, facts := extract(t, e)
		for _, f := range facts {
			got += entities[f.Source-1].Name + " " + f.Predicate + " " + entities[f.Target-1].Name
		}
		if got != want {
			t.Errorf("%q: %q, want %q", before, got, want)
		}
	}
}
