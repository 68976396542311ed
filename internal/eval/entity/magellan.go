package entity

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/annalsdb/annals/engine/matching"
)

// readMagellan adds a file's labelled pairs to a set. A line holds record A,
// record B and a label (0 or 1), separated by tabs.
func (s *pairSet) readMagellan(r io.Reader) error {
	if s.same == nil {
		s.same = map[matching.Pair]bool{}
	}
	known := map[string]int{}
	for i := range s.records {
		known[recordText(s.records[i])] = i
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 3 {
			return fmt.Errorf("line %d has %d fields with tabs between, want 3: record, record, label", n, len(fields))
		}
		p := matching.Pair{A: s.intern(known, fields[0]), B: s.intern(known, fields[1])}
		s.pairs = append(s.pairs, p)
		if strings.TrimSpace(fields[2]) == "1" {
			s.same[p] = true
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read pairs: %w", err)
	}
	s.dropRepeated()
	return nil
}

// dropRepeated removes duplicates: parts of a set repeat some pairs.
func (s *pairSet) dropRepeated() {
	seen := map[matching.Pair]bool{}
	s.pairs = slices.DeleteFunc(s.pairs, func(p matching.Pair) bool {
		repeated := seen[p]
		seen[p] = true
		return repeated
	})
}

// intern returns the number of a record. Equal records share a number.
func (s *pairSet) intern(known map[string]int, text string) int {
	record := parseMagellan(text)
	id := recordText(record)
	if i, ok := known[id]; ok {
		return i
	}
	known[id] = len(s.records)
	s.records = append(s.records, record)
	s.keys = append(s.keys, key(record.Names[0]))
	return known[id]
}

func recordText(r matching.Record) string { return fmt.Sprint(r.Names, r.Attributes) }

var column = regexp.MustCompile(`(?:^|\s)COL (\S+) VAL`)

// parseMagellan reads "COL name VAL value COL name VAL value".
func parseMagellan(text string) matching.Record {
	record := matching.Record{Attributes: map[string]string{}, Names: []string{""}}
	found := column.FindAllStringSubmatchIndex(text, -1)
	for i, at := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		name, value := text[at[2]:at[3]], undoExport(text[at[1]:end])
		switch {
		case i == 0:
			record.Names[0] = value
		case name != "class": // numbers the gold clusters
			record.Attributes[name] = value
		}
	}
	return record
}

var possessive = regexp.MustCompile(`_s\b`)

// undoExport restores a value that the export changed: quotes around it,
// backslashes before apostrophes, HTML entities, an underscore for the
// apostrophe of a possessive.
func undoExport(s string) string {
	s = html.UnescapeString(s)
	s = strings.NewReplacer(`\ '`, "'", "\\ `", "'", "``", " ", "''", " ").Replace(s)
	s = possessive.ReplaceAllString(s, "'s")
	return strings.Trim(s, " `'")
}
