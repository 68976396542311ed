package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// counting finds a number before a plural in a format, as in "%d facts"; what is said
// of a limit, of at least two things or of a measurement is no count.
var counting = regexp.MustCompile(`%d [a-z]{2,}s\b`)

// What is printed says "1 fact" and "2 facts": numbers are put into words by each.Count.
func TestWhatIsCountedIsEnglish(t *testing.T) {
	t.Parallel()
	except := []string{
		"default:", "limit", "cases fail", "questions fall short", "of %d users", // of which there are many
		"the %d episodes before it", "%d episodes could not be read", // the case of one is said by itself
		"ANNALS_EMBEDDING_DIM says",
	}
	for _, pattern := range []string{"*.go", "../../internal/server/mcp/*.go", "../../engine/upkeep/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(source)) {
				excepted := strings.Contains(line, "most is")
				for _, e := range except {
					excepted = excepted || strings.Contains(line, e)
				}
				if counting.MatchString(line) && !excepted {
					t.Errorf("%s counts by itself: %s", file, strings.TrimSpace(line))
				}
			}
		}
	}
}

// A model that takes its time, within what ANNALS_LLM_TIMEOUT grants it, is not broken,
// and one that is slow takes no time from the others.
func TestDoctorWaitsForSlowModels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context) error {
			select {
			case <-time.After(119 * time.Second): // a try has 120 s where nothing is set
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		began := time.Now()
		for _, check := range askModels(t.Context(), []modelAsked{{"ANNALS_LLM", "a", slow}, {"ANNALS_SMALL_LLM", "b", slow}, {"ANNALS_EMBEDDER", "c", slow}}) {
			if check.State != checkFine {
				t.Errorf("%+v", check)
			}
		}
		if took := time.Since(began); took > 2*time.Minute {
			t.Errorf("they were asked one after another, for %s", took)
		}
	})
}
