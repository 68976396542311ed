package entity

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"

	"github.com/annalsdb/annals/engine/matching"
)

// readFEBRL reads persons. Records with the same number in rec_id are the same
// person: rec-7-org, rec-7-dup-0.
func readFEBRL(name string, r io.Reader) (*pairSet, error) {
	reader := csv.NewReader(r)
	reader.TrimLeadingSpace = true
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read persons: %w", err)
	}
	if len(rows) == 0 || len(rows[0]) < 4 || rows[0][0] != "rec_id" {
		return nil, fmt.Errorf("read persons: the first line must name the columns, rec_id first")
	}
	s := &pairSet{name: name, same: map[matching.Pair]bool{}}
	members := map[string][]int{}
	for i, row := range rows[1:] {
		record := person(rows[0], row)
		s.records = append(s.records, record)
		s.keys = append(s.keys, key(record.Names[0]))
		id := strings.Split(row[0], "-")
		if len(id) < 3 {
			return nil, fmt.Errorf("read persons: line %d: rec_id %q is not like rec-7-org", i+2, row[0])
		}
		for _, j := range members[id[1]] {
			s.same[matching.Pair{A: j, B: i}] = true
		}
		members[id[1]] = append(members[id[1]], i)
	}
	return s, nil
}

func person(columns, row []string) matching.Record {
	r := matching.Record{Labels: []string{"Person"}, Attributes: map[string]string{}}
	name := ""
	for i, c := range columns[1:] {
		value := strings.TrimSpace(row[i+1])
		switch c {
		case "given_name", "surname":
			name = strings.TrimSpace(name + " " + value)
		default:
			r.Attributes[c] = value
		}
	}
	r.Names = []string{name}
	return r
}
