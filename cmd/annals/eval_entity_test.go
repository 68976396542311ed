package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEvalEntity(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	persons := `rec_id, given_name, surname, date_of_birth, soc_sec_id
rec-0-org, kayla, harrington, 19150612, 9004242
rec-1-org, luke, purdon, 19831024, 8099933
rec-0-dup-0, kalya, harrington, 19150612, 9004242
`
	if err := os.WriteFile(filepath.Join(dir, "febrl_small.csv"), []byte(persons), 0o600); err != nil {
		t.Fatal(err)
	}
	m := &memory{t: t, environ: map[string]string{}}
	table := m.must("eval", "entity", "--dir", dir)
	for _, want := range []string{"| FEBRL small |", "Jaro–Winkler"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table does not say %q:\n%s", want, table)
		}
	}
	var got struct {
		Results []struct {
			Dataset, Method string
			Right           int `json:"true_positives"`
			Wrong           int `json:"false_positives"`
			Missed          int `json:"false_negatives"`
		}
	}
	m.read(&got, "eval", "entity", "--dir", dir)
	if len(got.Results) != 3 {
		t.Errorf("results %+v, want the matcher's and two baselines'", got.Results)
	}
	for _, r := range got.Results {
		// Kayla and Kalya are the same person, which equal names do not show; no others are.
		if r.Dataset != "FEBRL small" || r.Right+r.Missed != 1 || r.Wrong != 0 || (r.Method == "exact name") != (r.Missed == 1) {
			t.Errorf("result %+v, want the pair found, but by equal names", r)
		}
	}
	m.run("", "eval", "entity", "--dir", t.TempDir()).failsWith(t, "has no data set")
	m.run("", "eval", "entity", "--dir", "nowhere").failsWith(t, "nowhere")
	if o := m.run("", "eval", "entity"); o.code != exitUsage || !strings.Contains(o.stderr, `"dir" not set`) {
		t.Errorf("without a folder: exit %d, %q", o.code, o.stderr)
	}
}
