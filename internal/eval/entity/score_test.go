package entity_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/internal/corpora"
	"github.com/annalsdb/annals/internal/eval/entity"
)

// A wrong merge is worse than a missed one. On every data set at least 97 of
// 100 matched pairs must be right, and the matcher must find more than equal
// names do.
func TestPrecision(t *testing.T) {
	t.Parallel()
	table, err := entity.Score(t.Context(), corpora.Path(t, "entity"))
	if err != nil {
		t.Fatal(err)
	}
	exact := map[string]entity.Result{}
	for _, r := range table.Results {
		if r.Method == entity.ExactName {
			exact[r.Dataset] = r
		}
	}
	if len(exact) < 5 {
		t.Errorf("%d data sets, want 5", len(exact))
	}
	for _, r := range table.Results {
		if r.Method != entity.Matcher {
			continue
		}
		if r.Precision < 0.97 || r.Recall < exact[r.Dataset].Recall+0.1 {
			t.Errorf("%s: precision %.3f, recall %.3f; equal names have recall %.3f", r.Dataset, r.Precision, r.Recall, exact[r.Dataset].Recall)
		}
	}
}

// write writes files into a folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if strings.HasSuffix(name, ".gz") {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			if _, err := z.Write([]byte(content)); err != nil {
				t.Fatal(err)
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			content = b.String()
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	restaurants = "COL name VAL ` masa \\ 's ' COL phone VAL 415/989 -7154 COL class VAL 1 \tCOL name VAL ` masa \\ 's & co. ' COL phone VAL 415-989-7154 COL class VAL 1 \t1\n" +
		"COL name VAL palisades COL phone VAL 404/350 -6755 COL class VAL 7 \tCOL name VAL ` the rainbow room ' COL phone VAL 212-632-5000 COL class VAL 7 \t0\n"
	persons = `rec_id, given_name, surname, date_of_birth, soc_sec_id
rec-0-org, kayla, harrington, 19150612, 9004242
rec-1-org, luke, purdon, 19831024, 8099933
rec-0-dup-0, kalya, harrington, 19150612, 9004242
`
	dialogue = `{"episodes": [{"scenes": [{"utterances": [{
	"tokens": [["Rachel", ",", "I", "met", "Dr", ".", "Geller", "and", "a", "man", "."], ["Rach", "!", "Man", "!"], ["Rachel", "and", "Ross", "and", "man"]],
	"character_entities": [
		[[0, 1, "Rachel Green"], [2, 3, "Monica Geller"], [6, 7, "Ross Geller"], [9, 10, "Man 1"]],
		[[0, 1, "Rachel Green"], [2, 3, "Man 1"]],
		[[0, 1, "Rachel Green"], [2, 3, "#OTHER#"], [2, 3, "Ross Geller", "Ben Geller"]]]}]}]}]}`
)

func TestScore(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{
		"magellan_Food_train.tsv":                      restaurants,
		"magellan_Food_test.tsv":                       restaurants,
		"febrl_small.csv.gz":                           persons,
		"friends_character_identification_dev.json.gz": dialogue,
		"README.md":                                    "not a data set",
	})
	table, err := entity.Score(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Dataset, Method                string
		Right, Wrong, Missed, Mentions int
	}
	var got []row
	for _, r := range table.Results {
		got = append(got, row{r.Dataset, r.Method, r.TruePositives, r.FalsePositives, r.FalseNegatives, r.Mentions})
	}
	want := []row{
		{"FEBRL small", entity.Matcher, 1, 0, 0, 0},
		{"FEBRL small", entity.ExactName, 0, 0, 1, 0},
		{"FEBRL small", entity.JaroWinkler, 1, 0, 0, 0},
		{"Friends dev", entity.Matcher, 3, 0, 0, 4},
		{"Friends dev", entity.ExactName, 1, 0, 2, 4},
		{"Friends dev", entity.JaroWinkler, 3, 0, 0, 4},
		{"Food", entity.Matcher, 1, 0, 0, 0},
		{"Food", entity.ExactName, 0, 0, 1, 0},
		{"Food", entity.JaroWinkler, 1, 0, 0, 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	checkWriting(t, table)
}

func checkWriting(t *testing.T, table entity.Table) {
	t.Helper()
	if s := table.Markdown(); !strings.Contains(s, "| Food | matcher | 1.000 | 1.000 | 1.000 | 1 | 0 | 0 | 2 | – |") ||
		!strings.Contains(s, "4 names were linked; 5 mentions are no names") {
		t.Errorf("got\n%s", s)
	}
	data, err := json.Marshal(table)
	if err != nil {
		t.Fatal(err)
	}
	var read entity.Table
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(table, read); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestScoreFailures(t *testing.T) {
	t.Parallel()
	tests := []struct{ about, file, content, want string }{
		{"nothing to measure", "notes.txt", "", "has no data set"},
		{"a line without a label", "magellan_Food_test.tsv", "COL name VAL a\tCOL name VAL b\n", "line 1 has 2 fields"},
		{"no columns", "febrl_x.csv", "a,b,c,d\n", "the first line must name the columns"},
		{"a record without a number", "febrl_x.csv", "rec_id,given_name,surname,state\nx,a,b,c\n", "is not like rec-7-org"},
		{"no JSON", "friends_character_identification_x.json", "{", "read dialogue"},
		{
			"a mention of nobody", "friends_character_identification_x.json",
			`{"episodes": [{"scenes": [{"utterances": [{"character_entities": [[[0, 1]]]}]}]}]}`, "want [start, end, person]",
		},
		{"no gzip", "febrl_x.csv.gz", "", ""},
	}
	for _, tt := range tests {
		dir := write(t, map[string]string{tt.file: tt.content})
		if tt.about == "no gzip" {
			tt.want = "open gzip"
			if err := os.WriteFile(filepath.Join(dir, tt.file), []byte("plain text"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := entity.Score(t.Context(), dir); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.about, err, tt.want)
		}
	}
	if _, err := entity.Score(t.Context(), filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no folder: no error")
	}
}
