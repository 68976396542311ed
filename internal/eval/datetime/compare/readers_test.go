package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/annalsdb/annals/internal/corpora"
	"github.com/annalsdb/annals/internal/eval/datetime"
)

// margin is the lead that Annals' reader must have over each library.
const margin = 0.15

func TestReaderBeatsTheLibraries(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(corpora.Path(t, "datetime"), "datetime_en_*.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("there are no cases of Recognizers-Text in the folder datetime")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			table := score(t, file)
			t.Logf("%d cases\n%s", table.Cases, table.Markdown())
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
	table, err := datetime.Score(f, readers()...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}
