package reading_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/eval/reading"
	"github.com/annalsdb/annals/internal/eval/truth"
)

// The files contain no field that the reader ignores, and enough questions in
// words that the messages do not use.
func TestQuestionsAreSound(t *testing.T) {
	t.Parallel()
	var memories []reading.Memory
	for _, load := range []func() ([]reading.Memory, error){
		func() ([]reading.Memory, error) { return reading.LoadCases(truthCases, questions) },
		func() ([]reading.Memory, error) { return reading.LoadCases(cases, casesQuestions) },
		func() ([]reading.Memory, error) { return reading.LoadStories(stories) },
	} {
		found, err := load()
		if err != nil {
			t.Fatal(err)
		}
		memories = append(memories, found...)
	}
	asked, otherWords := 0, 0
	for _, m := range memories {
		last := slices.MaxFunc(m.Messages, func(a, b truth.Message) int { return a.At.Compare(b.At) }).At
		for _, q := range m.Questions {
			asked++
			if q.At.Before(last) {
				t.Errorf("%s: %q is asked before all was said", m.ID, q.Ask)
			}
			if inOtherWords(q.Ask, m.Messages) {
				otherWords++
			}
		}
	}
	if asked < 650 || otherWords < 200 {
		t.Errorf("%d questions, %d of them in words that nobody used", asked, otherWords)
	}
}

var words = regexp.MustCompile(`\p{L}+`)

// smallWords are function words, which questions share with any text.
const smallWords = " about after also and any are before can did does for from had has have her his how into its many " +
	"may much must not now our over she that the their them then there they this until was were what when where which " +
	"while who whom whose why will with would you your still since be been "

// inOtherWords reports whether a question shares no word with the messages,
// apart from names and function words. Words are equal if their first five
// letters are.
func inOtherWords(ask string, messages []truth.Message) bool {
	var said strings.Builder
	for _, m := range messages {
		said.WriteString(" " + strings.ToLower(m.Text))
	}
	for _, word := range words.FindAllString(ask, -1) {
		name := strings.ToUpper(word[:1]) == word[:1]
		small := len(word) < 3 || strings.Contains(smallWords, " "+strings.ToLower(word)+" ")
		stem := strings.ToLower(word[:min(len(word), 5)])
		if !name && !small && strings.Contains(said.String(), " "+stem) {
			return false
		}
	}
	return true
}

func TestNothingIsPassedOver(t *testing.T) {
	t.Parallel()
	for path, line := range map[string]func() any{
		questions:      func() any { return new(reading.Question) },
		casesQuestions: func() any { return new(reading.Question) },
		cases:          func() any { return new(truth.Case) },
		stories:        func() any { return new(reading.Story) },
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for l := range bytes.Lines(text) {
			decoder := json.NewDecoder(bytes.NewReader(l))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(line()); err != nil {
				t.Errorf("%s: %v: %s", path, err, l)
			}
		}
	}
}

const (
	aCase     = `{"id": "move", "messages": [{"at": "2025-01-15T10:00:00Z", "text": "I live in Ghent."}], "expect": [{"at": "2025-01-15T10:00:00Z"}]}`
	aQuestion = `{"case": "move", "ask": "Where?", "at": "2025-02-15T10:00:00Z", "tells": [["Ghent"]]}`
	aStory    = `{"id": "move", "messages": [{"at": "2025-01-15T10:00:00Z", "text": "I live in Ghent."}], "questions": [` + aQuestion + `]}`
)

func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	casesFile := write("cases", aCase)
	for what, bad := range map[string][2]string{
		"another case":      {`"case": "move"`, `"case": "stay"`},
		"no question":       {`"ask": "Where?"`, `"ask": ""`},
		"no time":           {`"at": "2025-02-15T10:00:00Z", `, ``},
		"nothing expected":  {`[["Ghent"]]`, `[]`},
		"no expression":     {`"Ghent"`, `"(Ghent"`},
		"empty words":       {`"tells"`, `"never": [""], "tells"`},
		"no list of claims": {`"tells"`, `"first": [["a"], "tells"`},
	} {
		path := write("questions", strings.Replace(aQuestion, bad[0], bad[1], 1))
		if _, err := reading.LoadCases(casesFile, path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, bad := range map[string][2]string{
		"no id":        {`"id": "move"`, `"id": ""`},
		"no text":      {`"I live in Ghent."`, `""`},
		"no questions": {aQuestion, ``},
		"no question":  {`"ask": "Where?"`, `"ask": ""`},
	} {
		path := write("stories", strings.Replace(aStory, bad[0], bad[1], 1))
		if _, err := reading.LoadStories(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, files := range [][2]string{{"nowhere", casesFile}, {casesFile, "nowhere"}} {
		if _, err := reading.LoadCases(files[0], files[1]); err == nil || !strings.Contains(err.Error(), "nowhere") {
			t.Errorf("%v: %v", files, err)
		}
	}
}
