package locomo_test

import (
	"bufio"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/eval/locomo"
	"github.com/annalsdb/annals/internal/eval/ranking"
	"github.com/annalsdb/annals/internal/eval/retrieve"
)

// Two conversations with the same ids of turns, and every irregularity of the
// evidence.
const asked = `[
{"sample_id": "conv-x", "conversation": {
	"speaker_a": "Ann", "speaker_b": "Bo",
	"session_1_date_time": "1:56 pm on 8 May, 2024", "session_1": [
		{"speaker": "Ann", "dia_id": "D1:1", "text": "Look at my garden.", "blip_caption": "a photo of tulips"},
		{"speaker": "Bo", "dia_id": "D1:2", "text": "Lovely."}],
	"session_2_date_time": "9:05 am on 1 June, 2024", "session_2": [
		{"speaker": "Ann", "dia_id": "D2:2", "text": " "},
		{"speaker": "Bo", "dia_id": "D2:1", "text": "I bought a sailing boat."}]},
 "qa": [
	{"question": "Which flowers are the tulips in Ann's garden?", "answer": "tulips", "evidence": ["D1:1"], "category": 4},
	{"question": "When did Bo buy a boat and see tulips?", "answer": 2024, "evidence": ["D1:1; D2:01", "D:2:1", "D9:9"], "category": 1},
	{"question": "What is lost?", "answer": "all", "evidence": ["D9:9", "D", "D2:2"], "category": 3},
	{"question": "Nothing said?", "answer": "none", "evidence": [], "category": 2},
	{"question": "What did Bo plant?", "adversarial_answer": "tulips", "evidence": ["D1:1"], "category": 5}]},
{"sample_id": "conv-y", "conversation": {
	"speaker_a": "Cy", "speaker_b": "Di",
	"session_1_date_time": "1:56 pm on 8 May, 2024", "session_1": [
		{"speaker": "Cy", "dia_id": "D1:1", "text": "Tulips, tulips and a boat."},
		{"speaker": "Di", "dia_id": "D1:2", "text": "I keep bees."}]},
 "qa": [{"question": "What does Di keep?", "answer": "bees", "evidence": ["D1:2"], "category": 4}]}]`

func evaluate(t *testing.T, client *annals.Client, options retrieve.Options) retrieve.Report {
	t.Helper()
	conversations, err := locomo.Read(bufio.NewReader(strings.NewReader(asked)))
	if err != nil {
		t.Fatal(err)
	}
	report, err := locomo.Evaluate(t.Context(), client, conversations, "t", options, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	report := evaluate(t, client, retrieve.Options{Graph: true})
	if report.Questions != 6 || report.Scored != 3 || !cmp.Equal(report.Skipped, map[string]int{"adversarial": 1, "no usable evidence": 2}) {
		t.Errorf("%d questions, %d scored, skipped %v", report.Questions, report.Scored, report.Skipped)
	}
	gold := map[string]ranking.Gold{}
	for _, c := range report.Cases {
		gold[c.ID] = c.Gold
	}
	want := map[string]ranking.Gold{
		"conv-x:q0": {Turns: []string{"conv-x:D1:1"}, Sessions: []string{"conv-x:session_1"}},
		"conv-x:q1": {Turns: []string{"conv-x:D1:1", "conv-x:D2:1"}, Sessions: []string{"conv-x:session_1", "conv-x:session_2"}},
		"conv-y:q0": {Turns: []string{"conv-y:D1:2"}, Sessions: []string{"conv-y:session_1"}},
	}
	if diff := cmp.Diff(want, gold); diff != "" {
		t.Errorf("gold (-want +got):\n%s", diff)
	}
	methods := map[string]bool{}
	for _, row := range report.Table.Rows {
		methods[row.Method] = true
	}
	if len(methods) != 10 {
		t.Errorf("methods %v, want two baselines and two, two and four views of searches", methods)
	}
	for _, method := range []string{"turns, Okapi of stems", "episodes, bm25"} {
		row, there := report.Table.Row(method, ranking.Overall)
		if !there || row.N != 3 || row.Scores["turn R@5"] != 1 || row.Scores["session any@5"] != 1 {
			t.Errorf("%s finds not everything in three turns: %+v", method, row)
		}
	}
	for method, tokens := range map[string]float64{"context, default": 350, "context of facts + episodes, 100 hits of each": 350, "lines of episodes, default": 60} {
		row, _ := report.Contexts.Row(method, ranking.Overall)
		if row.N != 3 || row.Scores["evidence in 350 tokens"] != 1 || row.Scores["all of it in 1400"] != 1 || row.Scores["tokens of 350"] <= 20 || row.Scores["tokens of 350"] > tokens {
			t.Errorf("%s shows not everything that three turns say: %+v", method, row)
		}
	}
	if row, _ := report.Table.Row("episodes, default", "1 multi-hop"); row.N != 1 {
		t.Errorf("%+v, want one question of the first category", row)
	}
	again := evaluate(t, client, retrieve.Options{Graph: true})
	if diff := cmp.Diff(report.Cases, again.Cases); diff != "" {
		t.Errorf("a second run finds other things (-first +second):\n%s", diff)
	}
}
