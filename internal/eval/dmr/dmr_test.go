package dmr_test

import (
	"bufio"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/corpora"
	"github.com/annalsdb/annals/internal/eval/dmr"
	"github.com/annalsdb/annals/internal/eval/ranking"
	"github.com/annalsdb/annals/internal/eval/retrieve"
)

const conversation = `{"dialog": [{"text": "Hello again.", "id": "Speaker 2"}, {"text": " ", "id": "Speaker 1"}],
	"previous_dialogs": [
		{"dialog": [{"text": "Which music do you like?"}, {"text": "I could get into Taylor Swift."}], "time_back": "7 days 8 hours ago"},
		{"dialog": [{"text": "I walked."}], "time_back": ""}],
	"metadata": {"initial_data_id": "valid_1", "session_id": 4},
	"self_instruct": {"B": "Which artist could you get into?", "A": "Taylor Swift, whom I could get into!"}}`

const recordings = `{"id": "dmr-0", "question": "Which artist?", "answer": "Taylor Swift!", "graphiti_response": "Taylor, I think.", "graphiti_score": 1, "graphiti_search_ms": 1500}
{"id": "dmr-1", "question": "How far?", "answer": "Three miles.", "graphiti_response": "I do not know.", "graphiti_score": 0, "graphiti_search_ms": 2500}
{"id": "dmr-2", "question": "Swift?", "answer": "Swift", "graphiti_response": "", "graphiti_score": 0, "graphiti_search_ms": 2000}`

func read(t *testing.T, text string) dmr.File {
	t.Helper()
	file, err := dmr.Read(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRead(t *testing.T) {
	t.Parallel()
	want := []dmr.Sample{{
		ID: "valid_1", Question: "Which artist could you get into?", Answer: "Taylor Swift, whom I could get into!",
		Sessions: []dmr.Session{
			{At: dmr.LastSession.Add(-(7*24 + 8) * time.Hour), Turns: []dmr.Turn{
				{"Speaker 1", "Which music do you like?"}, {"Speaker 2", "I could get into Taylor Swift."},
			}},
			{At: dmr.LastSession.Add(-24 * time.Hour), Turns: []dmr.Turn{{"Speaker 1", "I walked."}}},
			{At: dmr.LastSession, Turns: []dmr.Turn{{"Speaker 2", "Hello again."}, {"Speaker 1", " "}}},
		},
	}}
	file := read(t, conversation+"\n"+recordings)
	if diff := cmp.Diff(want, file.Samples); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
	if len(file.Recorded) != 3 || *file.Recorded[1].Response != "I do not know." || file.Recorded[1].SearchMS != 2500 {
		t.Errorf("recorded %+v", file.Recorded)
	}
	for _, bad := range []string{"hello", `{"dialog": []}`, `{"id": "dmr-0", "question": "Which?", "answer": "This."}`} {
		if _, err := dmr.Read(bufio.NewReader(strings.NewReader(bad))); err == nil {
			t.Errorf("%s: taken", bad)
		}
	}
}

func evaluate(t *testing.T, file dmr.File) retrieve.Report {
	t.Helper()
	client := clienttest.Open(t, annals.Config{})
	report, err := dmr.Evaluate(t.Context(), client, file, "t", retrieve.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	unsaid := strings.NewReplacer("Taylor Swift, whom I could get into!", "Beethoven").Replace(conversation)
	report := evaluate(t, read(t, conversation+unsaid))
	if report.Scored != 1 || report.Skipped["no word of the answer was said"] != 1 {
		t.Errorf("%d scored, skipped %v", report.Scored, report.Skipped)
	}
	row, there := report.Table.Row("episodes, bm25", ranking.Overall)
	if !there || row.N != 1 || row.Scores["answer words in 5 hits"] != 1 {
		t.Errorf("%+v, %v; want both words of the answer", row, there)
	}
	if row, _ := report.Contexts.Row("context, default", ranking.Overall); row.N != 1 || row.Scores["evidence in 350 tokens"] != 1 || row.Scores["all of it in 350"] != 1 {
		t.Errorf("%+v; want both words of the answer in the context", row)
	}
	if _, there := row.Scores["judged right"]; there {
		t.Error("an answer that nobody gave was judged")
	}
}

func TestRecordedAnswers(t *testing.T) {
	t.Parallel()
	report := evaluate(t, read(t, recordings))
	row, _ := report.Table.Row("answers recorded in the file", ranking.Overall)
	if row.N != 3 || row.Scores["judged right"] != 1.0/3 || row.Scores["answer words in 1 hits"] != 0.25 || row.Median != 2*time.Second {
		t.Errorf("%+v; want one of three right, one of two words in one of two answers, two seconds", row)
	}
}

func TestTheRealFiles(t *testing.T) {
	t.Parallel()
	dir := corpora.Path(t, "dmr")
	samples, err := dmr.Load(filepath.Join(dir, "msc_self_instruct_sample_dev.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(samples.Samples) != 3 || len(samples.Samples[0].Sessions) != 5 || samples.Samples[0].Answer != "Taylor Swift!" {
		t.Errorf("%d samples, the first %+v", len(samples.Samples), samples.Samples[0])
	}
	recorded, err := dmr.Load(filepath.Join(dir, "dmr_qa_dev.jsonl"))
	if err != nil || len(recorded.Recorded) != 250 {
		t.Errorf("%d recorded answers, %v; want 250", len(recorded.Recorded), err)
	}
}
