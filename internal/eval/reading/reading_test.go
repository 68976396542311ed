package reading_test

import (
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/corpora"
	"github.com/annalsdb/annals/internal/eval/reading"
	"github.com/annalsdb/annals/internal/eval/truth"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

const (
	cases          = "testdata/cases.jsonl"
	casesQuestions = "testdata/cases_questions.jsonl"
	truthCases     = "../truth/testdata/truth.jsonl"
	questions      = "testdata/questions.jsonl"
	stories        = "testdata/stories.jsonl"
)

// open opens a client with an analyst; nil: the offline rules.
func open(t *testing.T, analyst *truth.Analyst) *annals.Client {
	t.Helper()
	config := annals.Config{DatabaseURL: pgtest.New(t)}
	if analyst != nil {
		config.Analyst = analyst
	}
	client, err := annals.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// ask fills memories and judges their contexts.
func ask(t *testing.T, analyst *truth.Analyst, memories []reading.Memory, err error) reading.Report {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	client := open(t, analyst)
	report, err := reading.Run(t.Context(), client, analyst, memories, reading.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if groups, err := client.Groups(t.Context(), annals.GroupFilter{}); err != nil || len(groups) > 0 {
		t.Errorf("%d groups are left (%v)", len(groups), err)
	}
	return report
}

func askCases(t *testing.T, cases, questions string) reading.Report {
	t.Helper()
	memories, err := reading.LoadCases(cases, questions)
	return ask(t, truth.NewAnalyst(), memories, err)
}

func askStories(t *testing.T, stories string) reading.Report {
	t.Helper()
	memories, err := reading.LoadStories(stories)
	return ask(t, nil, memories, err)
}

func TestReading(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(*testing.T) reading.Report{
		"the cases of truth": func(t *testing.T) reading.Report {
			slow.Test(t)
			return askCases(t, truthCases, questions)
		},
		"own cases": func(t *testing.T) reading.Report { return askCases(t, cases, casesQuestions) },
		"stories": func(t *testing.T) reading.Report {
			slow.Test(t)
			return askStories(t, stories)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := run(t)
			for _, wrong := range report.Wrong() {
				t.Error(wrong)
			}
			if n := len(report.Wrong()); n > 0 {
				t.Errorf("%d of %d questions fall short", n, report.Asked())
			}
		})
	}
}

// Questions about truth cases must be asked of a right graph.
func TestOwnCasesAreBelieved(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	all, err := truth.Load(cases)
	if err != nil {
		t.Fatal(err)
	}
	analyst := truth.NewAnalyst()
	report, err := truth.Run(t.Context(), open(t, analyst), analyst, all, truth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range report.Cases {
		if !result.Right() {
			t.Error(result)
		}
	}
}

// Questions written by others, not in the repository: 42 of 44 must be right,
// and no line may state something past as if it still held.
func TestQuestionsOfOthers(t *testing.T) {
	t.Parallel()
	const enough = 42
	reports := []reading.Report{
		askCases(t, corpora.Path(t, "truth/truth_dev.jsonl"), corpora.Path(t, "reading/reading_dev.jsonl")),
		askStories(t, corpora.Path(t, "reading/stories_dev.jsonl")),
	}
	asked, wrong := 0, 0
	for _, r := range reports {
		asked, wrong = asked+r.Asked(), wrong+len(r.Wrong())
		for _, q := range r.Wrong() {
			t.Log(q)
		}
		if stale := r.Stale(); stale > 0 {
			t.Errorf("%d lines state what is over, and do not say so", stale)
		}
	}
	if right := asked - wrong; right < enough {
		t.Errorf("%d of %d questions are right; %d must be", right, asked, enough)
	}
}
