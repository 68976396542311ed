package datetime_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/eval/datetime"
)

// Cases in both notations of the set, an ambiguous one, an unresolved one and a negative.
const sample = `
{"spec":"DateTimeModel","input":"I met her last Friday","reference":"2024-05-16T00:00:00","results":[{"TypeName":"datetimeV2.date","Resolution":{"values":[{"timex":"2024-05-10","type":"date","value":"2024-05-10"}]}}]}
{"spec":"DateParser","input":"the party was on 5 May","reference":"2024-03-01T00:00:00","results":[{"Type":"date","Value":{"Timex":"XXXX-05-05","FutureResolution":{"date":"2024-05-05"},"PastResolution":{"date":"2023-05-05"}}}]}
{"spec":"DateTimeModel","input":"sales of the fiscal year","reference":"2024-05-16T00:00:00","results":[{"TypeName":"datetimeV2.daterange","Resolution":{"values":[{"timex":"FYXXXX","type":"daterange","value":"not resolved"}]}}]}
{"spec":"DateTimeModel","input":"you may go","reference":"2024-05-16T00:00:00","results":[]}
`

func ExampleScore() {
	table, err := datetime.Score(strings.NewReader(sample), datetime.Annals())
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
	if _, err := datetime.Score(strings.NewReader("{not json"), datetime.Annals()); err == nil {
		t.Error("a malformed line is taken")
	}
}
