package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/model/modeltest"
)

type reportJSON struct {
	Benchmark string
	Scored    int
	Limit     int
	Notes     []string
	Rows      []struct {
		Method, Category string
		N                int
		Scores           map[string]*float64
	}
	Answers []struct {
		Method, Category string
		N                int
		Scores           map[string]*float64
	}
	Cases []struct{ ID string }
}

const talk = `[{"sample_id": "c1", "conversation": {"speaker_a": "Ann", "speaker_b": "Bo",
	"session_1_date_time": "1:56 pm on 8 May, 2023",
	"session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "I live in Paris."}, {"speaker": "Bo", "dia_id": "D1:2", "text": "Nice!"}]},
	"qa": [{"question": "Where does Ann live?", "answer": "Paris", "evidence": ["D1:1"], "category": 4}]}]`

const haystack = `{"question_id": "q1", "question_type": "temporal-reasoning", "question": "When did I buy a kite?",
	"question_date": "2023/05/30 (Tue) 23:40", "answer": "May 20", "answer_session_ids": ["answer_1"],
	"haystack_dates": ["2023/05/20 (Sat) 07:34"], "haystack_session_ids": ["answer_1"],
	"haystack_sessions": [[{"role": "user", "content": "I bought a kite today.", "has_answer": true}, {"role": "assistant", "content": "Fine."}]]}`

const selfInstructed = `{"dialog": [{"text": "Hello.", "id": "Speaker 1"}],
	"previous_dialogs": [{"dialog": [{"text": "I like Taylor Swift."}], "time_back": "2 days ago"}],
	"metadata": {"initial_data_id": "valid_1"}, "self_instruct": {"B": "Which artist do you like?", "A": "Taylor Swift!"}}`

func TestEvalLocomo(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	file, out := m.file("locomo.json", talk), filepath.Join(t.TempDir(), "out.json")
	var printed, written reportJSON
	m.read(&printed, "eval", "locomo", "--file", file, "--sample", "c1", "--no-graph", "--limit", "7", "--out", out)
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &written); err != nil {
		t.Fatal(err)
	}
	if printed.Benchmark != "LoCoMo" || printed.Scored != 1 || printed.Limit != 7 || len(printed.Rows) != 12 || len(printed.Cases) != 0 {
		t.Errorf("printed %+v", printed)
	}
	if len(written.Rows) != 12 || len(written.Cases) != 1 || written.Cases[0].ID != "c1:q0" {
		t.Errorf("written %+v, want the table and the case", written)
	}
	if row := printed.Rows[4]; row.Method != "episodes, bm25" || row.N != 1 || *row.Scores["turn R@5"] != 1 {
		t.Errorf("words find %+v", row)
	}
	if got := m.must("eval", "locomo", "--file", file); !strings.Contains(got, "| facts + episodes, default | all | 1 |") {
		t.Errorf("with the graph:\n%s", got)
	}
	if o := m.run("", "eval", "locomo", "--file", file, "--sample", "c2"); o.code != exitFailed || !strings.Contains(o.stderr, "no conversation c2") {
		t.Errorf("an unknown sample: exit %d, %q", o.code, o.stderr)
	}
}

func TestEvalLongMemEval(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	file := m.file("lme.jsonl", haystack)
	var got reportJSON
	m.read(&got, "eval", "longmemeval", "--file", file, "--no-graph", "--corpus", "both")
	if got.Benchmark != "LongMemEval" || got.Scored != 1 || len(got.Rows) != 16 {
		t.Errorf("%+v, want four baselines, three searches and the threads of one, in one category and overall", got)
	}
	if o := m.run("", "eval", "longmemeval", "--file", file, "--corpus", "all"); o.code != exitFailed || !strings.Contains(o.stderr, `"all" is not one of`) {
		t.Errorf("an unknown corpus: exit %d, %q", o.code, o.stderr)
	}
}

func TestEvalDMR(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	file := m.file("msc.jsonl", selfInstructed)
	var got reportJSON
	m.read(&got, "eval", "dmr", "--file", file, "--no-graph")
	if got.Benchmark != "DMR" || got.Scored != 1 || len(got.Rows) != 5 || *got.Rows[0].Scores["answer words in 1 hits"] != 1 {
		t.Errorf("%+v", got)
	}
}

// With a model, questions are answered and judged; repeating that costs nothing.
func TestEvalAnswers(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.answers["answer_question"] = func(r modeltest.Request) modeltest.Reply {
		text := "It is not there."
		if strings.Contains(r.User, "Ann: I live in Paris.") {
			text = "In Paris."
		}
		return modeltest.Reply{JSON: map[string]any{"text": text}}
	}
	s.answers["extend_summary"] = says(map[string]any{"text": "They talked."})
	s.answers["judge_answer"] = func(r modeltest.Request) modeltest.Reply {
		return modeltest.Reply{JSON: map[string]any{"reason": "as it is", "right": strings.Contains(r.User, "Response: In Paris.")}}
	}
	args := []string{"eval", "locomo", "--file", s.file("locomo.json", talk), "--no-graph", "--answers", "memory,full,recursive"}
	for range 2 {
		var got reportJSON
		s.read(&got, args...)
		right := map[string]float64{}
		for _, row := range got.Answers {
			if row.N != 1 {
				t.Errorf("%+v, want one question", row)
			}
			right[row.Method+" "+row.Category] = *row.Scores["right"]
		}
		want := map[string]float64{
			"memory 4 single-hop": 1, "memory all": 1, "full 4 single-hop": 1, "full all": 1, "recursive 4 single-hop": 0, "recursive all": 0,
		}
		if diff := cmp.Diff(want, right); diff != "" {
			t.Errorf("right (-want +got):\n%s", diff)
		}
	}
	if got := s.server.Chats(); got != 6 {
		t.Errorf("%d calls, want a summary, three answers and two verdicts: two answers are the same", got)
	}
	delete(s.answers, "judge_answer")
	if o := s.run("", append(args, "--prefix", "other")...); o.code != exitFailed || o.stdout != "" || !strings.Contains(o.stderr, "judge_answer") {
		t.Errorf("without a verdict: exit %d, %q, %q", o.code, o.stdout, o.stderr)
	}
	s.run("", append(args, "--answers", "guesses")...).failsWith(t, `"guesses" is not one of memory, full, summaries, recursive`)
}

// Offline rules are no language model, whatever name is given.
func TestAnswersNeedAModel(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	files := map[string]string{"locomo": m.file("locomo.json", talk), "longmemeval": m.file("lme.jsonl", haystack), "dmr": m.file("msc.jsonl", selfInstructed)}
	for benchmark, file := range files {
		for _, llm := range []string{"", "offline"} {
			m.environ["ANNALS_LLM"] = llm
			m.run("", "eval", benchmark, "--file", file, "--answers", "full").failsWith(t, "answers: need a language model, which the offline rules are not")
		}
	}
	for want, flags := range map[string][]string{
		"repeat: is 0":        {"--answers", "memory", "--repeat", "0"},
		"answer-tokens: is -": {"--answers", "memory", "--answer-tokens", "-1"},
		"answers: is not set": {"--repeat", "2"},
		"tokens: has 0":       {"--tokens", "350,0"},
		"tokens: is 1":        {"--tokens", "1"},
		"rerank: cross":       {"--rerank", "mmr,cross_encoder"},
		`rerank: "best"`:      {"--rerank", "best"},
	} {
		m.run("", append([]string{"eval", "dmr", "--file", files["dmr"]}, flags...)...).failsWith(t, want)
	}
}

// All benchmarks support answers: by one model, judged by another, and several times, each computed
// anew and cached.
func TestEvalAnswersSeveralTimes(t *testing.T) {
	t.Parallel()
	for benchmark, text := range map[string]string{"locomo": talk, "longmemeval": haystack, "dmr": selfInstructed} {
		t.Run(benchmark, func(t *testing.T) {
			t.Parallel()
			s := newScripted(t)
			judged := 0
			judge := modeltest.NewInProcess(t, func(r modeltest.Request) modeltest.Reply {
				judged++
				return modeltest.Reply{JSON: map[string]any{"reason": "as it comes", "right": judged != 2}}
			})
			h := httptest.NewServer(judge)
			t.Cleanup(h.Close)
			written := 0
			s.answers["answer_question"] = func(modeltest.Request) modeltest.Reply {
				written++
				return modeltest.Reply{JSON: map[string]any{"text": fmt.Sprintf("Answer %d.", written)}}
			}
			args := []string{
				"eval", benchmark, "--file", s.file("file", text), "--no-graph", "--answers", "memory", "--repeat", "3", "--answer-tokens", "200",
				"--judge", "openai:strict", "--judge-base-url", h.URL + "/v1",
			}
			if benchmark == "longmemeval" {
				args = append(args, "--corpus", "both")
			}
			for range 2 {
				var got reportJSON
				s.read(&got, args...)
				row := got.Answers[len(got.Answers)-1]
				if math.Abs(*row.Scores["right"]-2.0/3) > 1e-9 || math.Abs(*row.Scores["sd of right"]-math.Sqrt(1.0/3)) > 1e-9 || *row.Scores["context tokens"] > 200 {
					t.Errorf("%+v, want two of three right within 200 tokens", row)
				}
				if notes := strings.Join(got.Notes, " "); !strings.Contains(notes, "judged by openai:strict") || !strings.Contains(notes, "by openai:scripted") {
					t.Errorf("it does not say who judged: %s", notes)
				}
			}
			if written != 3 || judged != 3 {
				t.Errorf("%d answers and %d verdicts, want three of each in two runs", written, judged)
			}
			s.run("", append(args, "--judge", "offline")...).failsWith(t, `judge: "offline" is no language model`)
		})
	}
}

// One command measures on all data sets in a folder, and records the results with what was measured.
func TestEvalAll(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	data, records := t.TempDir(), filepath.Join(t.TempDir(), "benchmarks")
	m.run("", "eval", "all", "--dir", data).failsWith(t, "has no data of a benchmark: no file is called locomo*.json, longmemeval*.jsonl or msc*.jsonl")
	for name, text := range map[string]string{"a/locomo2.json": talk, "b/LongMemEval_s.jsonl": haystack, "msc_dev.jsonl": selfInstructed, "b/questions.jsonl": "?"} {
		path := filepath.Join(data, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"eval", "all", "--dir", data, "--no-graph", "--tokens", "200,500", "--record", records}
	m.run("", args...).failsWith(t, "record: needs to know what was measured, and this build does not say; give --commit")
	printed := m.must(append(args, "--commit", "c0ffee")...)
	at := -1
	for _, benchmark := range []string{"LoCoMo", "LongMemEval", "DMR"} {
		next := strings.Index(printed, benchmark+": ")
		if next <= at {
			t.Errorf("%s is not printed, or too early:\n%s", benchmark, printed)
		}
		at = next
		kept, err := os.ReadFile(filepath.Join(records, strings.ToLower(benchmark)+"-offline-hash-1-384.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"# " + benchmark + ", vectors by offline:hash-1-384", " at commit c0ffee:", "    annals eval all --dir " + filepath.Base(data) + " --no-graph --tokens 200,500\n",
			"context, default | all | 1 |", "evidence in 200 tokens | evidence in 500 tokens | all of it in 200",
		} {
			if !strings.Contains(string(kept), want) {
				t.Errorf("%s: the record lacks %q:\n%s", benchmark, want, kept)
			}
		}
		if strings.Contains(string(kept), "ms p50") || strings.Contains(string(kept), data) {
			t.Errorf("%s: the record has times or folders of this machine:\n%s", benchmark, kept)
		}
	}
}
