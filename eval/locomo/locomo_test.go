package locomo_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/annalsdb/annals/eval/locomo"
)

const sample = `[{"sample_id": "conv-x", "conversation": {
	"speaker_a": "Ann", "speaker_b": "Bo",
	"session_2_date_time": "9:05 am on 1 June, 2024", "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "Morning!"}],
	"session_1_date_time": "1:56 pm on 8 May, 2024", "session_1": [
		{"speaker": "Ann", "dia_id": "D1:1", "text": "Look at my garden.", "blip_caption": "a photo of tulips"},
		{"speaker": "Bo", "dia_id": "D1:2", "text": "Lovely."}]}}]`

func ExampleConvert() {
	conversations, err := locomo.Read(strings.NewReader(sample))
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
	// 2024-06-01 09:05:00 conv-x:D2:1 Bo: Morning!
}

func TestBadFiles(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"not JSON": "hello",
		"no date":  `[{"sample_id": "c", "conversation": {"session_1": []}}]`,
		"bad date": `[{"sample_id": "c", "conversation": {"session_1": [], "session_1_date_time": "yesterday"}}]`,
	} {
		if _, err := locomo.Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestTheRealFile(t *testing.T) {
	t.Parallel()
	const path = "../../../shared/data/locomo/locomo5_dev.json.gz"
	if _, err := os.Stat(path); err != nil {
		t.Skip("LoCoMo is not on this machine")
	}
	conversations, err := locomo.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
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
	if len(conversations) != 5 || total != 2960 {
		t.Errorf("%d conversations, %d turns; want 5 and 2,960", len(conversations), total)
	}
}
