package locomo_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/corpora"
	"github.com/annalsdb/annals/internal/eval/datafile"
	"github.com/annalsdb/annals/internal/eval/locomo"
)

const sample = `[{"sample_id": "conv-x", "conversation": {
	"speaker_a": "Ann", "speaker_b": "Bo",
	"session_2_date_time": "9:05 am on 1 June, 2024", "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "", "blip_caption": "a sunrise"}],
	"session_1_date_time": "1:56 pm on 8 May, 2024", "session_1": [
		{"speaker": "Ann", "dia_id": "D1:1", "text": "Look at my garden.", "blip_caption": "a photo of tulips"},
		{"speaker": "Bo", "dia_id": "D1:2", "text": "Lovely."}]},
	"qa": [
		{"question": "What grows in Ann's garden?", "answer": "tulips", "evidence": ["D1:1"], "category": 4},
		{"question": "When did they speak?", "answer": 2024, "evidence": ["D1:1; D2:1", "D:1:02", "D"], "category": 2},
		{"question": "What did Bo plant?", "adversarial_answer": "tulips", "evidence": ["D1:1"], "category": 5}]}]`

func ExampleConvert() {
	conversations, err := locomo.Read(bufio.NewReader(strings.NewReader(sample)))
	if err != nil {
		fmt.Println(err)
		return
	}
	lines, err := locomo.Convert(conversations[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range lines {
		fmt.Println(l.OccurredAt.Format("2006-01-02 15:04:05"), l.ExternalID, l.Actor+":", l.Content)
	}
	// Output:
	// 2024-05-08 13:56:00 conv-x:D1:1 Ann: Look at my garden. [shares a photo: a photo of tulips]
	// 2024-05-08 13:56:10 conv-x:D1:2 Bo: Lovely.
	// 2024-06-01 09:05:00 conv-x:D2:1 Bo: [shares a photo: a sunrise]
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	conversations, err := locomo.Read(bufio.NewReader(strings.NewReader(sample)))
	if err != nil {
		t.Fatal(err)
	}
	want := []locomo.Question{
		{Text: "What grows in Ann's garden?", Category: locomo.SingleHop, Answer: "tulips", Evidence: []string{"D1:1"}},
		{Text: "When did they speak?", Category: locomo.Temporal, Answer: "2024", Evidence: []string{"D1:1", "D2:1", "D1:2"}},
		{Text: "What did Bo plant?", Category: locomo.Adversarial, Evidence: []string{"D1:1"}},
	}
	if diff := cmp.Diff(want, conversations[0].Questions); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
	if got, want := conversations[0].Speakers, [2]string{"Ann", "Bo"}; got != want {
		t.Errorf("speakers %q, want %q", got, want)
	}
}

// The output has the format of `annals add --file`, for gzipped input or not.
func TestWrite(t *testing.T) {
	t.Parallel()
	var zipped bytes.Buffer
	zipper := gzip.NewWriter(&zipped)
	if _, err := zipper.Write([]byte(sample)); err != nil {
		t.Fatal(err)
	}
	if err := zipper.Close(); err != nil {
		t.Fatal(err)
	}
	unzipped, err := datafile.Unzipped(&zipped)
	if err != nil {
		t.Fatal(err)
	}
	conversations, err := locomo.Read(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := locomo.Convert(conversations[0])
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := locomo.Write(&out, lines); err != nil {
		t.Fatal(err)
	}
	const want = `{"content":"Look at my garden. [shares a photo: a photo of tulips]","occurred_at":"2024-05-08T13:56:00Z",` +
		`"source":"message","actor":"Ann","thread_id":"conv-x:session_1","external_id":"conv-x:D1:1",` +
		`"metadata":{"dia_id":"D1:1","session":1}}`
	got := strings.Split(out.String(), "\n")
	if len(got) != 4 || got[0] != want {
		t.Errorf("%d lines, the first\n%s\nwant 4 (the last empty) and\n%s", len(got), got[0], want)
	}
}

func TestATurnMustSaySomething(t *testing.T) {
	t.Parallel()
	_, err := locomo.Convert(locomo.Conversation{Sessions: []locomo.Session{{Turns: []locomo.Turn{{DiaID: "D1:1"}}}}})
	if err == nil {
		t.Error("a silent turn is taken")
	}
}

func TestBadFiles(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"not JSON": "hello",
		"no date":  `[{"sample_id": "c", "conversation": {"session_1": []}}]`,
		"bad date": `[{"sample_id": "c", "conversation": {"session_1": [], "session_1_date_time": "yesterday"}}]`,
		"nobody":   `[{"sample_id": "c", "conversation": {}}]`,
		"category": `[{"sample_id": "c", "conversation": {"speaker_a": "A", "speaker_b": "B"}, "qa": [{"category": 6}]}]`,
		"answer":   `[{"sample_id": "c", "conversation": {"speaker_a": "A", "speaker_b": "B"}, "qa": [{"category": 1, "answer": []}]}]`,
		"cut gzip": "\x1f\x8b\x08",
	} {
		if _, err := locomo.Read(bufio.NewReader(strings.NewReader(text))); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestTheRealFile(t *testing.T) {
	t.Parallel()
	conversations, err := locomo.Load(corpora.Path(t, "locomo/locomo5_dev.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	total, questions, usual, lost := 0, 0, 0, 0
	seen := map[string]bool{}
	for _, c := range conversations {
		lines, err := locomo.Convert(c)
		if err != nil {
			t.Fatal(err)
		}
		total += len(lines)
		if c.SampleID == "conv-26" && len(lines) != 419 {
			t.Errorf("conv-26 has %d turns, want 419", len(lines))
		}
		for i, l := range lines {
			if seen[l.ExternalID] {
				t.Errorf("%s twice", l.ExternalID)
			}
			seen[l.ExternalID] = true
			if i > 0 && !lines[i-1].OccurredAt.Before(l.OccurredAt) {
				t.Errorf("%s is not after the turn before it", l.ExternalID)
			}
		}
	}
	for _, c := range conversations {
		questions += len(c.Questions)
		for _, q := range c.Questions {
			if q.Category != locomo.Adversarial {
				usual++
			}
			for _, id := range q.Evidence {
				if !seen[c.SampleID+":"+id] {
					lost++
				}
			}
		}
	}
	if questions != 1020 || usual != 788 || lost > 2 {
		t.Errorf("%d questions, %d not adversarial, %d ids of no turn; want 1,020 and 788 and at most 2", questions, usual, lost)
	}
	if len(conversations) != 5 || total != 2960 {
		t.Errorf("%d conversations, %d turns; want 5 and 2,960", len(conversations), total)
	}
}
