package main

import (
	"time"

	"github.com/annalsdb/annals/graph"
)

// parseTime reads a time in a flag: as [graph.ParseTime] does, or now.
func parseTime(flag, s string) (time.Time, error) {
	if s == "now" {
		return time.Now().UTC(), nil
	}
	return graph.ParseTime(flag, s)
}
