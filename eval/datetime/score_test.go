package datetime_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals/eval/datetime"
)

// margin is by how much Annals' reader must be right more often than either library.
const margin = 0.15

func TestReaderBeatsTheLibraries(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../shared/data/datetime/datetime_en_*.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("the cases of Recognizers-Text are not on this machine")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			table := score(t, file)
			var report bytes.Buffer
			if err := table.Markdown(&report); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d cases\n%s", table.Cases, report.String())
			ours := table.Rows[0]
			for _, other := range table.Rows[1:] {
				if ours.Share() < other.Share()+margin {
					t.Errorf("right in %.1f %%, %s in %.1f %%", 100*ours.Share(), other.Reader, 100*other.Share())
				}
			}
			if ours.FalsePositives != 0 {
				t.Errorf("found something in %d of %d sentences that say nothing", ours.FalsePositives, table.Negatives)
			}
		})
	}
}

func score(t *testing.T, file string) datetime.Table {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := datetime.Score(f)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Both notations of the set, a case that is ambiguous, one that is unresolved and a negative.
const sample = `
{"spec":"DateTimeModel","input":"I met her last Friday","reference":"2024-05-16T00:00:00","results":[{"TypeName":"datetimeV2.date","Resolution":{"values":[{"timex":"2024-05-10","type":"date","value":"2024-05-10"}]}}]}
{"spec":"DateParser","input":"the party was on 5 May","reference":"2024-03-01T00:00:00","results":[{"Type":"date","Value":{"Timex":"XXXX-05-05","FutureResolution":{"date":"2024-05-05"},"PastResolution":{"date":"2023-05-05"}}}]}
{"spec":"DateTimeModel","input":"sales of the fiscal year","reference":"2024-05-16T00:00:00","results":[{"TypeName":"datetimeV2.daterange","Resolution":{"values":[{"timex":"FYXXXX","type":"daterange","value":"not resolved"}]}}]}
{"spec":"DateTimeModel","input":"you may go","reference":"2024-05-16T00:00:00","results":[]}
`

func ExampleScore() {
	table, err := datetime.Score(strings.NewReader(sample))
	if err != nil {
		fmt.Println(err)
		return
	}
	ours := table.Rows[0]
	fmt.Printf("%s: %d of %d right, %d false alarms in %d\n", ours.Reader, ours.Both, ours.N, ours.FalsePositives, table.Negatives)
	// Output: annals: 2 of 2 right, 0 false alarms in 1
}

func TestMalformedFile(t *testing.T) {
	t.Parallel()
	if _, err := datetime.Score(strings.NewReader("{not json")); err == nil {
		t.Error("a malformed line is taken")
	}
}
