package answer_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/eval/answer"
	"github.com/annalsdb/annals/internal/eval/ranking"
	"github.com/annalsdb/annals/internal/eval/retrieve"
)

// scripted answers as the test says and records its prompts.
type scripted struct {
	write func(answer.Prompt) (string, error)
	asked []answer.Prompt
}

func (s *scripted) Name() string { return "scripted" }

func (s *scripted) Write(_ context.Context, p answer.Prompt) (string, error) {
	s.asked = append(s.asked, p)
	return s.write(p)
}

// Judge accepts every answer that contains the gold.
func (s *scripted) Judge(_ context.Context, p answer.Prompt) (bool, error) {
	s.asked = append(s.asked, p)
	_, response, _ := strings.Cut(p.User, "Response: ")
	_, gold, _ := strings.Cut(p.User, "answer: ")
	gold, _, _ = strings.Cut(gold, "\n")
	return strings.Contains(response, gold), nil
}

func (s *scripted) names() []string {
	var names []string
	for _, p := range s.asked {
		names = append(names, p.Name)
	}
	return names
}

func examiner(model *scripted, kinds ...answer.Kind) *answer.Examiner {
	return answer.New(answer.Settings{Model: model, Judge: model, Kinds: kinds})
}

var at = time.Date(2024, 3, 15, 9, 30, 0, 0, time.UTC)

func memory(t *testing.T) *retrieve.Memory {
	t.Helper()
	client := clienttest.Open(t, annals.Config{})
	m, err := retrieve.Fill(t.Context(), client, retrieve.Haystack{Group: "g", Turns: []retrieve.Turn{
		{ID: "1", Session: "a", Speaker: "Nora", Text: "I live in Lisbon.", At: at},
		{ID: "2", Session: "b", Speaker: "Ben", Text: "I keep bees.", At: at.Add(24 * time.Hour)},
	}}, retrieve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var asks = answer.Task{Category: "easy", Question: retrieve.Question{Text: "Where does Nora live?", At: at}, Gold: "Lisbon", Rule: answer.Generous}

// Each kind of context has the described content, and an answer that the
// context does not contain is wrong.
func TestContexts(t *testing.T) {
	t.Parallel()
	model := &scripted{}
	model.write = func(p answer.Prompt) (string, error) {
		switch {
		case p.Name == "summarise_session" && strings.Contains(p.User, "Session of 2024-03-15 09:30\nNora: I live in Lisbon. (2024-03-15 09:30)\n"):
			return "Nora lives somewhere.", nil
		case p.Name == "summarise_session":
			return "Ben keeps bees.", nil
		case p.Name == "extend_summary":
			before, _, _ := strings.Cut(p.User, "\n\nNext session:")
			return strings.TrimPrefix(before, "Summary so far:\n") + "more ", nil
		case strings.Contains(p.User, "Lisbon"):
			return "In Lisbon.", nil
		}
		return "I do not know.", nil
	}
	e := examiner(model, answer.Kinds...)
	desk, err := e.Open(t.Context(), memory(t))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"summarise_session", "summarise_session", "extend_summary", "extend_summary"}; !cmp.Equal(model.names(), want) {
		t.Errorf("asked %q, want %q", model.names(), want)
	}
	model.asked = nil
	if err := desk.Ask(t.Context(), asks); err != nil {
		t.Fatal(err)
	}
	shown := map[int]string{
		0: "<EPISODES>", 2: "Session of 2024-03-16 09:30\nBen: I keep bees.",
		4: "Session of 2024-03-15 09:30\nNora lives somewhere.\n\nSession of 2024-03-16 09:30\nBen keeps bees.", 6: "Context:\nmore more \n",
	}
	for i, want := range shown {
		p := model.asked[i]
		if p.Name != "answer_question" || p.Group != "g" || !strings.Contains(p.User, want) || !strings.HasSuffix(p.User, "Where does Nora live?\nAsked on: 2024-03-15 09:30") {
			t.Errorf("question %d: %+v; want it to show %q", i, p, want)
		}
		if model.asked[i+1].Name != "judge_answer" {
			t.Errorf("nobody judged answer %d", i)
		}
	}
	var report retrieve.Report
	e.Report(&report)
	got := map[string]float64{}
	for _, row := range report.Answers.Rows {
		if row.N != 1 || row.Scores["context tokens"] <= 0 {
			t.Errorf("%+v; want one question and what its context takes", row)
		}
		got[row.Method+" "+row.Category] = row.Scores["right"]
	}
	want := map[string]float64{
		"memory easy": 1, "memory all": 1, "full easy": 1, "full all": 1, "summaries easy": 0, "summaries all": 0, "recursive easy": 0, "recursive all": 0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("right (-want +got):\n%s", diff)
	}
	if len(report.Notes) != 1 || !strings.Contains(report.Notes[0], "scripted") {
		t.Errorf("notes %q do not say who answered and judged", report.Notes)
	}
}

// A failing model ends the run; it does not count as a wrong answer.
func TestFailuresAreNoAnswers(t *testing.T) {
	t.Parallel()
	broken := errors.New("no more money")
	model := &scripted{write: func(answer.Prompt) (string, error) { return "", broken }}
	m := memory(t)
	if _, err := examiner(model, answer.Recursive).Open(t.Context(), m); !errors.Is(err, broken) {
		t.Errorf("prepared with %v", err)
	}
	e := examiner(model, answer.Full)
	desk, err := e.Open(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if err := desk.Ask(t.Context(), asks); !errors.Is(err, broken) {
		t.Errorf("asked with %v", err)
	}
	var report retrieve.Report
	e.Report(&report)
	if len(report.Answers.Rows) != 0 {
		t.Errorf("counted %+v", report.Answers.Rows)
	}
}

func TestNobodyIsExamined(t *testing.T) {
	t.Parallel()
	var e *answer.Examiner
	desk, err := e.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := desk.Ask(t.Context(), asks); err != nil {
		t.Error(err)
	}
	var report retrieve.Report
	e.Report(&report)
	if report.Answers != nil {
		t.Errorf("answers %+v", report.Answers)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	model := &scripted{write: func(answer.Prompt) (string, error) { return "Nothing is said of it.", nil }}
	desk, err := examiner(model, answer.Full).Open(t.Context(), memory(t))
	if err != nil {
		t.Fatal(err)
	}
	for word, rule := range map[string]answer.Rule{
		"same topic": answer.Generous, "intermediate steps": answer.Contains, "off by one": answer.Counted, "older information": answer.Updated,
		"every point": answer.Preferred, "cannot be answered": answer.Abstained,
	} {
		task := asks
		task.Rule = rule
		if err := desk.Ask(t.Context(), task); err != nil {
			t.Fatal(err)
		}
		judged := model.asked[len(model.asked)-1]
		if !strings.Contains(judged.System, word) || !strings.Contains(judged.User, "Lisbon") || !strings.HasSuffix(judged.User, "Response: Nothing is said of it.") {
			t.Errorf("%s: judged by %+v", word, judged)
		}
	}
}

func TestCorporaAreKeptApart(t *testing.T) {
	t.Parallel()
	model := &scripted{write: func(answer.Prompt) (string, error) { return "Lisbon", nil }}
	e := examiner(model, answer.Full)
	desk, err := e.Open(t.Context(), memory(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, corpus := range []string{"user", "pooled", "pooled"} {
		task := asks
		task.Corpus, task.Category = corpus, ""
		if err := desk.Ask(t.Context(), task); err != nil {
			t.Fatal(err)
		}
	}
	var report retrieve.Report
	e.Report(&report)
	if row, _ := report.Answers.Row("pooled: full", ranking.Overall); row.N != 2 || len(report.Answers.Rows) != 2 {
		t.Errorf("%+v", report.Answers.Rows)
	}
}

// Each repetition is asked separately, and the report shows their spread.
func TestRepetitions(t *testing.T) {
	t.Parallel()
	model := &scripted{}
	model.write = func(p answer.Prompt) (string, error) {
		if p.Repetition == 2 || strings.Contains(p.User, "Question: Who keeps bees?") {
			return "Nobody said.", nil
		}
		return "In Lisbon.", nil
	}
	e := answer.New(answer.Settings{Model: model, Judge: model, Kinds: []answer.Kind{answer.Memory, answer.Full}, Repeat: 4})
	desk, err := e.Open(t.Context(), memory(t))
	if err != nil {
		t.Fatal(err)
	}
	other := answer.Task{Category: "hard", Question: retrieve.Question{Text: "Who keeps bees?", At: at}, Gold: "Ben", Rule: answer.Generous}
	for _, task := range []answer.Task{asks, other} {
		if err := desk.Ask(t.Context(), task); err != nil {
			t.Fatal(err)
		}
	}
	if len(model.asked) != 2*2*4*2 || model.asked[5].Name != "judge_answer" || model.asked[5].Repetition != 2 {
		t.Errorf("%d prompts, the sixth %+v; want an answer and a verdict of two questions from two contexts, four times", len(model.asked), model.asked[5])
	}
	var report retrieve.Report
	e.Report(&report)
	for category, want := range map[string][2]float64{
		"easy": {0.75, 0.5}, // 1, 1, 0, 1
		"hard": {0, 0},
		"all":  {0.375, 0.25}, // 0.5, 0.5, 0, 0.5
	} {
		row, _ := report.Answers.Row("memory", category)
		if math.Abs(row.Scores["right"]-want[0]) > 1e-9 || math.Abs(row.Scores["sd of right"]-want[1]) > 1e-9 {
			t.Errorf("%s: %+v, want %v right", category, row, want)
		}
	}
	if note := report.Notes[0]; !strings.Contains(note, "4 times each") {
		t.Errorf("%q does not say how often", note)
	}
}

// judge is a model that judges every answer right.
type judge struct{ asked int }

func (j *judge) Name() string { return "a lenient judge" }

func (j *judge) Judge(context.Context, answer.Prompt) (bool, error) {
	j.asked++
	return true, nil
}

func TestAnotherModelJudgesAndContextsAreBounded(t *testing.T) {
	t.Parallel()
	model, lenient := &scripted{write: func(answer.Prompt) (string, error) { return "Nobody said.", nil }}, &judge{}
	m := memory(t)
	whole, err := m.Context(t.Context(), asks.Question, 0)
	if err != nil {
		t.Fatal(err)
	}
	most := retrieve.Tokens(whole) - 1
	e := answer.New(answer.Settings{Model: model, Judge: lenient, Kinds: []answer.Kind{answer.Memory}, Tokens: most})
	desk, err := e.Open(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if err := desk.Ask(t.Context(), asks); err != nil {
		t.Fatal(err)
	}
	var report retrieve.Report
	e.Report(&report)
	row, _ := report.Answers.Row("memory", ranking.Overall)
	_, spread := row.Scores["sd of right"]
	if lenient.asked != 1 || len(model.asked) != 1 || row.Scores["right"] != 1 || spread || row.Scores["context tokens"] > float64(most) {
		t.Errorf("%+v; want one answer within %d tokens that the judge takes, and no spread of one", row, most)
	}
	for _, want := range []string{"by scripted, judged by a lenient judge", "once each", fmt.Sprintf("at most %d tokens", most)} {
		if !strings.Contains(report.Notes[0], want) {
			t.Errorf("%q does not say %q", report.Notes[0], want)
		}
	}
}
