package retrieve

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/eval/ranking"
)

// Record is a report to keep in the repository, with the commit, the time, and
// the command that repeats the measurement.
type Record struct {
	Report  Report
	At      time.Time
	Commit  string
	Command string
}

// File returns the record's file name, made from the benchmark and the embedder.
func (r Record) File() string {
	return strings.ToLower(slug(r.Report.Benchmark) + "-" + strings.ReplaceAll(slug(r.Report.Embedder), ":", "-") + ".md")
}

// Markdown writes the record without cases and without times, which depend on
// the machine. A repeated measurement then differs only if the results do.
func (r Record) Markdown(w io.Writer) error {
	report := r.Report
	report.Cases = nil
	report.Table = report.Table.Untimed()
	for _, table := range []**ranking.Table{&report.Contexts, &report.Answers} {
		if *table != nil {
			untimed := (*table).Untimed()
			*table = &untimed
		}
	}
	_, err := fmt.Fprintf(w, "# %s, vectors by %s\n\nMeasured on %s at commit %s:\n\n    %s\n\n%s",
		report.Benchmark, report.Embedder, r.At.UTC().Format(time.DateOnly), r.Commit, r.Command, report.Markdown())
	return err
}
