package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals/graph"
)

// explainFlag improves an error about a flag: what its value should be, not how Go parsed it, and
// which flag an unknown one may stand for.
func explainFlag(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := nearest(unknown.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
		return err
	}
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
