package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.printJSON(map[string]string{"version": version()})
			}
			fmt.Fprintln(a.stdout, "annals", version())
			return nil
		},
	}
}

// version returns the module's version, as the Go toolchain stamped it. A build without one has
// comingVersion, with the commit if it is known.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	if ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return comingVersion + "+" + s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	return comingVersion
}

// comingVersion is the next release: the newest in CHANGELOG.md.
const comingVersion = "0.1.0-dev"
