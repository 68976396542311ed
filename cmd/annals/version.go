package main

import (
	"runtime/debug"

	"github.com/spf13/cobra"
)

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		RunE: func(*cobra.Command, []string) error {
			return a.tell(map[string]string{"version": version()}, "annals %s\n", version())
		},
	}
}

// version returns the module's version, as the Go toolchain stamped it. A build without one has
// comingVersion, with the commit if it is known.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	if commit := revision(); commit != "" {
		return comingVersion + "+" + commit[:min(len(commit), 12)]
	}
	return comingVersion
}

// revision returns the commit of the build, as the Go toolchain stamped it; empty if it did not.
func revision() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return ""
}

// comingVersion is the next release: the newest in CHANGELOG.md.
const comingVersion = "0.1.0-dev"
