package longmemeval_test

import (
	"bufio"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/corpora"
	"github.com/annalsdb/annals/internal/eval/longmemeval"
	"github.com/annalsdb/annals/internal/eval/ranking"
	"github.com/annalsdb/annals/internal/eval/retrieve"
)

const first = `{"question_id": "q1", "question_type": "multi-session", "question": "How many kites do I own?",
	"question_date": "2023/05/30 (Tue) 23:40", "answer": 2, "answer_session_ids": ["answer_1", "answer_2", "answer_3"],
	"haystack_dates": ["2023/05/20 (Sat) 07:34", "2023/05/21 (Sun) 10:00", "2023/06/02 (Fri) 10:00", "2023/05/22 (Mon) 10:00"],
	"haystack_session_ids": ["answer_1", "noise_1", "answer_2", "answer_3"],
	"haystack_sessions": [
		[{"role": "user", "content": "I own a red kite.", "has_answer": true}, {"role": "assistant", "content": "Kites are kites, kites, kites!"}],
		[{"role": "user", "content": "Tell me of soup."}, {"role": "assistant", "content": ""}],
		[{"role": "user", "content": "Hello."}, {"role": "user", "content": "My blue kite is new.", "has_answer": true}],
		[{"role": "user", "content": "So what?"}, {"role": "assistant", "content": "You own one kite.", "has_answer": true}]]}`

const second = `{"question_id": "q2", "question_type": "single-session-assistant", "question": "Which soup did you name?",
	"question_date": "2023/05/30 (Tue) 23:40", "answer": "leek", "answer_session_ids": ["answer_4"],
	"haystack_dates": ["2023/05/20 (Sat) 07:34", "2023/05/19 (Fri) 07:34"], "haystack_session_ids": ["answer_4", "noise_1"],
	"haystack_sessions": [
		[{"role": "user", "content": "A soup?"}, {"role": "assistant", "content": "Leek soup.", "has_answer": true}],
		[{"role": "user", "content": "Tell me of soup."}, {"role": "assistant", "content": ""}]]}`

var abstained = strings.NewReplacer(`"q2"`, `"q3_abs"`, `"answer_4"`, `"answer_5"`).Replace(second)

func read(t *testing.T, text string) []longmemeval.Question {
	t.Helper()
	questions, err := longmemeval.Read(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	return questions
}

// The published file is one array; excerpts are JSON lines.
func TestRead(t *testing.T) {
	t.Parallel()
	array := read(t, " [\n"+first+","+second+"]\n")
	lines := read(t, first+"\n"+second+"\n")
	if diff := cmp.Diff(array, lines); diff != "" {
		t.Errorf("array and lines differ (-array +lines):\n%s", diff)
	}
	q := array[0]
	if len(array) != 2 || q.Answer != "2" || !q.At.Equal(time.Date(2023, 5, 30, 23, 40, 0, 0, time.UTC)) || q.Abstention() ||
		len(q.Sessions) != 4 || q.Sessions[2].ID != "answer_2" || !q.Sessions[2].Turns[1].HasAnswer || q.Sessions[2].At.Month() != time.June {
		t.Errorf("read %+v", q)
	}
}

func TestBadFiles(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty":        "",
		"not JSON":     "hello",
		"cut":          "[" + first,
		"no haystack":  `{"question_id": "q", "question": "?", "question_date": "2023/05/30 (Tue) 23:40"}`,
		"no question":  `{"question_id": "q"}`,
		"no dates":     strings.Replace(first, `"2023/05/21 (Sun) 10:00", `, "", 1),
		"a bad date":   strings.Replace(first, "2023/05/21 (Sun)", "21.5.2023", 1),
		"a bad answer": strings.Replace(first, `"answer": 2`, `"answer": []`, 1),
		"asked never":  strings.Replace(first, "2023/05/30 (Tue)", "soon", 1),
	} {
		if _, err := longmemeval.Read(bufio.NewReader(strings.NewReader(text))); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	client := clienttest.Open(t, annals.Config{})
	questions := read(t, first+second+abstained)
	report, err := longmemeval.Evaluate(t.Context(), client, questions, longmemeval.Corpora, "t", retrieve.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Questions != 3 || report.Scored != 1 || !cmp.Equal(report.Skipped, map[string]int{"abstention": 1, "no labelled turn of the user": 1}) {
		t.Errorf("%d questions, %d scored, skipped %v", report.Questions, report.Scored, report.Skipped)
	}
	if want := "user: 4 sessions, 5 turns; both: 4 sessions, 7 turns; pooled: 6 sessions, 11 turns"; report.Corpus != want {
		t.Errorf("searched %s, want %s", report.Corpus, want)
	}
	user := ranking.Gold{Turns: []string{"answer_1:0", "answer_2:1"}, Sessions: []string{"answer_1", "answer_2"}}
	both := ranking.Gold{Turns: []string{"answer_1:0", "answer_2:1", "answer_3:1"}, Sessions: []string{"answer_1", "answer_2", "answer_3"}}
	var gold []ranking.Gold
	for _, c := range report.Cases {
		gold = append(gold, c.Gold)
	}
	if diff := cmp.Diff([]ranking.Gold{user, both, both}, gold); diff != "" {
		t.Errorf("gold of the corpora (-want +got):\n%s", diff)
	}
	for method, want := range map[string]float64{
		"user: episodes, bm25": 1, "user: sessions, Okapi of stems": 1, "both: episodes, bm25": 1, "pooled: turns, Okapi of stems": 1,
	} {
		row, there := report.Table.Row(method, "multi-session")
		if !there || row.N != 1 || row.Scores["session all@5"] != want {
			t.Errorf("%s: %+v, %v", method, row, there)
		}
	}
	if row, _ := report.Table.Row("user: sessions, plain Okapi", ranking.Overall); len(row.Scores) != 6 {
		t.Errorf("whole sessions have the scores %v, want those of sessions", row.Scores)
	}
}

func TestTheRealFile(t *testing.T) {
	t.Parallel()
	questions, err := longmemeval.Load(corpora.Path(t, "longmemeval/longmemeval_s_dev.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	sessions, turns, abstentions := 0, 0, 0
	for _, q := range questions {
		if q.Abstention() {
			abstentions++
		}
		sessions += len(q.Sessions)
		for _, s := range q.Sessions {
			turns += len(s.Turns)
		}
	}
	if got, want := fmt.Sprint(len(questions), abstentions, sessions, turns), "30 3 1451 14930"; got != want {
		t.Errorf("questions, abstentions, sessions, turns: %s, want %s", got, want)
	}
}
