package truth_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/eval/truth"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/slow"
)

// files returns all files of cases.
func files(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(all) == 0 {
		t.Fatalf("no files of cases (%v)", err)
	}
	return all
}

func cases(t *testing.T) (all []truth.Case) {
	t.Helper()
	for _, file := range files(t) {
		some, err := truth.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

// someOf returns all cases, or in a fast run every third.
func someOf(all []truth.Case) (some []truth.Case) {
	for i := 0; i < len(all); i += slow.Of(3, 1, 1) {
		some = append(some, all[i])
	}
	return some
}

func offlineOf(all []truth.Case) []truth.Case {
	return slices.DeleteFunc(slices.Clone(all), func(c truth.Case) bool { return !c.Offline })
}

func anyOrder(all []truth.Case) []truth.Case {
	return slices.DeleteFunc(slices.Clone(all), func(c truth.Case) bool { return !c.AnyOrder() })
}

// run runs cases with their own answers, or with the offline rules.
func run(t *testing.T, all []truth.Case, analyst *truth.Analyst, options truth.Options) truth.Report {
	t.Helper()
	config := annals.Config{DatabaseURL: pgtest.New(t), Window: options.Window}
	if analyst != nil {
		config.Analyst = analyst
	}
	client, err := annals.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	report, err := truth.Run(t.Context(), client, analyst, all, options)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := client.Groups(t.Context(), annals.GroupFilter{Limit: annals.MaxRows})
	if kept := options.Keep && len(groups) == len(all); err != nil || len(groups) > 0 && !kept {
		t.Errorf("%d groups of %d cases are left (%v)", len(groups), len(all), err)
	}
	return report
}

func TestTruth(t *testing.T) {
	t.Parallel()
	all := someOf(cases(t))
	for _, c := range []struct {
		name    string
		cases   []truth.Case
		analyst *truth.Analyst
		options truth.Options
	}{
		{"answered by the cases", all, truth.NewAnalyst(), truth.Options{Window: 1, Keep: true}},
		{"and removed", all[:5], truth.NewAnalyst(), truth.Options{Window: 1}},
		{"read together", all, truth.NewAnalyst(), truth.Options{Window: 4}},
		{"read by the offline rules", offlineOf(all), nil, truth.Options{Window: 1, Keep: true}}, // erasing takes as long as reading
		{"in reverse order", anyOrder(all), truth.NewAnalyst(), truth.Options{Reverse: true}},
		{"in reverse order by the offline rules", anyOrder(offlineOf(all)), nil, truth.Options{Reverse: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.options.Window != 1 { // in other ways than as they were said
				slow.Test(t)
			}
			t.Parallel()
			report := run(t, c.cases, c.analyst, c.options)
			for _, result := range report.Cases {
				if result.Judged == 0 && c.options.Window <= 1 {
					t.Errorf("%s: nothing was judged", result.ID)
				}
				if !result.Right() {
					t.Error(result)
				}
			}
		})
	}
}

// A long conversation with other people and places, written before its first
// run. Nearly all expectations must hold.
func TestConversation(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	const enough = 95 // in 100
	all, err := truth.Load("testdata/long/conversation.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	result := run(t, all, truth.NewAnalyst(), truth.Options{}).Cases[0]
	if result.Judged < 100 {
		t.Fatalf("%d expectations were judged:\n%s", result.Judged, result)
	}
	right := result.Judged - len(result.Failures)
	t.Logf("%d of %d expectations hold", right, result.Judged)
	for _, f := range result.Failures {
		t.Log(f.What, f.Graph)
	}
	if right*100 < enough*result.Judged {
		t.Errorf("fewer than %d in 100 hold", enough)
	}
}

// The sentences in the relations of a case must be stated by then, and the
// files contain no field that the reader ignores.
func TestCasesAreSound(t *testing.T) {
	t.Parallel()
	var text []byte
	for _, file := range files(t) {
		some, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, some...)
	}
	n, offline, reversed := 0, 0, 0
	for line := range bytes.Lines(text) {
		var c truth.Case
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&c); err != nil {
			t.Fatalf("case %d: %v", n+1, err)
		}
		n++
		if c.Offline {
			offline++
		}
		if c.AnyOrder() {
			reversed++
		}
		stated := map[string]bool{"": true}
		for i, m := range c.Messages {
			own := map[string]bool{"": true}
			for _, f := range m.Facts {
				own[f.Fact], stated[f.Fact] = true, true
			}
			for _, r := range m.Relations {
				if !own[r.Fact] {
					t.Errorf("%s: message %d does not state %q", c.ID, i+1, r.Fact)
				}
				for _, s := range append(slices.Concat(r.Contradicts, r.Retracts), r.Repeats) {
					if !stated[s] {
						t.Errorf("%s: nothing stated %q by message %d", c.ID, s, i+1)
					}
				}
			}
		}
	}
	if n < 250 || offline < 120 || reversed < 150 {
		t.Errorf("%d cases, %d for the offline rules, %d in any order", n, offline, reversed)
	}
}

const wrongCase = `{"id": "wrong", "rule": "It is wrong.", "messages": [
	{"at": "2025-03-03T10:00:00Z", "actor": "Nadia", "role": "user", "text": "I live in Ghent.",
	"entities": [{"name": "Nadia", "type": "Person"}, {"name": "Ghent", "type": "Place"}],
	"facts": [{"source": "Nadia", "predicate": "LIVES_IN", "target": "Ghent", "fact": "Nadia lives in Ghent.", "kind": "state"}]}],
	"expect": [{"at": "2025-03-04T10:00:00Z", "holds": [["Nadia", "LIVES_IN", "Turin"]], "not": [["nadia", "lives_in", "ghent"]]}],
	"happened": [{"fact": ["Nadia", "LIVES_IN", "Ghent"], "from": "2025-03-03", "to": "2025-03-04T00:00:00Z"}]}`

func TestWhatFailsIsTold(t *testing.T) {
	t.Parallel()
	all, err := truth.Read(bufio.NewReader(strings.NewReader(wrongCase)))
	if err != nil {
		t.Fatal(err)
	}
	report := run(t, all, truth.NewAnalyst(), truth.Options{Keep: true})
	if report.Right != 0 || report.Failed() != 1 || report.Cases[0].Judged != 3 {
		t.Errorf("%d right, %d failed, %d judged", report.Right, report.Failed(), report.Cases[0].Judged)
	}
	told := report.Markdown()
	for _, want := range []string{
		"wrong fails. It is wrong.", "1. 2025-03-03 10:00, Nadia: I live in Ghent.",
		"Nadia LIVES_IN Turin must hold at 2025-03-04 10:00, and does not.", "no fact Nadia LIVES_IN Turin was ever in the graph",
		"nadia lives_in ghent must not hold at 2025-03-04 10:00, but does.",
		`Nadia LIVES_IN Ghent, state [2025-03-03T10:00:00Z, …), start said, end unknown: "Nadia lives in Ghent."`,
		"Nadia LIVES_IN Ghent must have happened in [2025-03-03, 2025-03-04).", "It is in the group eval-truth-", "| the cases | 0 of 1 | 0 of 3 |",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("it does not tell %q:\n%s", want, told)
		}
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for what, bad := range map[string][2]string{
		"no id":            {`"id": "wrong"`, `"id": ""`},
		"another kind":     {`"kind": "state"`, `"kind": "habit"`},
		"nobody listed":    {`"target": "Ghent"`, `"target": "Turin"`},
		"no time":          {`"at": "2025-03-03T10:00:00Z", `, ``},
		"another message":  {`"expect": [{`, `"expect": [{"known_at_message": 2, `},
		"a time of no day": {`"from": "2025-03-03"`, `"from": "2025-03-33"`},
		"twice":            {"\n\t\"expect\"", "\n\t\"expect\""},
	} {
		text := strings.Replace(wrongCase, bad[0], bad[1], 1)
		if what == "twice" {
			text += "\n" + wrongCase
		}
		if _, err := truth.Read(bufio.NewReader(strings.NewReader(text))); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
	if _, err := truth.Load("nowhere"); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a file that is not there: %v", err)
	}
}
