package main

import (
	"time"

	"github.com/annalsdb/annals/graph"
)

// parseTime parses a time in a flag: now, or as [graph.ParseTime] does.
func parseTime(flag, s string) (time.Time, error) {
	if s == "now" {
		return time.Now().UTC(), nil
	}
	return graph.ParseTime(flag, s)
}
