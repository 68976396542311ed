// Command compare scores Annals' reader of time expressions beside two libraries. It is a
// separate program because go-dateparser takes 95 MB of memory at the start of any program that
// links it.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/annalsdb/annals/internal/eval/datetime"
)

func main() {
	file := flag.String("file", "", "cases of Recognizers-Text, JSON lines, gzipped or not")
	flag.Parse()
	if err := compare(*file); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func compare(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("read the cases: %w", err)
	}
	defer f.Close()
	table, err := datetime.Score(f, readers()...)
	if err != nil {
		return err
	}
	_, err = os.Stdout.WriteString(table.Markdown())
	return err
}
