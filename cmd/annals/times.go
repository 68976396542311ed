package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/graph"
)

// parseTime reads a time in a flag: as [graph.ParseTime] does, or now.
func parseTime(flag, s string) (time.Time, error) {
	if s == "now" {
		return time.Now().UTC(), nil
	}
	return graph.ParseTime(flag, s)
}

// asOf holds the flags for another time, on either axis.
type asOf struct{ valid, known string }

func (t *asOf) flags(cmd *cobra.Command, validUsage string) {
	cmd.Flags().StringVar(&t.valid, "as-of", "", validUsage)
	t.knownFlag(cmd)
}

func (t *asOf) knownFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&t.known, "known-at", "", "as we believed it at this time")
}

func (t *asOf) parse() (validAt, knownAt time.Time, err error) {
	if validAt, err = parseTime("as-of", t.valid); err != nil {
		return
	}
	knownAt, err = parseTime("known-at", t.known)
	return
}
