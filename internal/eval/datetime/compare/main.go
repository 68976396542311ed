// Command compare scores Annals' reader of time expressions beside two libraries. It is a
// program of its own because go-dateparser takes 95 MB as soon as a program starts that has it.
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
	return table.Markdown(os.Stdout)
}
