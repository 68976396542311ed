package main

import (
	"strconv"
	"strings"
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

// asOf holds the flags that take a reader to another time, on either axis.
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

// parseDays reads a length of time in a field: days and weeks, as in 30d and
// 2w, or what Go writes, as in 12h. Nothing written is none.
func parseDays(field, s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	for unit, days := range map[string]float64{"d": 1, "w": 7} {
		number, ends := strings.CutSuffix(s, unit)
		if n, err := strconv.ParseFloat(number, 64); ends && err == nil && n > 0 && n*days <= maxDays {
			return time.Duration(n * days * float64(24*time.Hour)), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return d, nil
	}
	return 0, graph.Invalid(field, "%q is no length of time up to 100 years; write 30d, 2w or 12h", s)
}

const maxDays = 36525
