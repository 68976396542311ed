package main

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals/graph"
)

// explainFlag says of the value of a flag what it should be, not how Go read it.
func explainFlag(_ *cobra.Command, err error) error {
	kinds := map[string]string{
		"int": "is no whole number", "int32": "is no whole number", "int64": "is no whole number", "float64": "is no number",
		"bool": "is neither true nor false", "duration": "is no length of time, as 90s, 5m or 1h30m are", "intSlice": "are no whole numbers, as 350,750 are",
	}
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	flag := invalid.GetFlag()
	is, known := kinds[flag.Value.Type()]
	if !known {
		return err
	}
	if errors.Is(err, strconv.ErrRange) {
		is = "is too large"
	}
	return graph.Invalid(flag.Name, "%q %s", invalid.GetValue(), is)
}
