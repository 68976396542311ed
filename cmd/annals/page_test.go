package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/annalsdb/annals/internal/input"
)

var update = flag.Bool("update", false, "write docs/cli.md anew")

// docs/cli.md shows the help of every command.
func TestCommandPage(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "cli.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- commands -->\n", "<!-- /commands -->\n"
	before, rest, begun := strings.Cut(string(text), begin)
	_, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		t.Fatalf("%s has no part <!-- commands --> … <!-- /commands -->", path)
	}
	page := before + begin + commandPage((&app{}).command()) + end + after
	if *update {
		if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if page != string(text) {
		t.Errorf("%s is stale; write it anew with go test ./cmd/annals -run TestCommandPage -update", path)
	}
}

var shownTime = regexp.MustCompile(`--(as-of|(?:[a-z]+-)*at) ("[^"]+"|[^\s"]+)`)

// The commands accept the times in their examples.
func TestExamplesShowTimes(t *testing.T) {
	t.Parallel()
	shown := 0
	var look func(*cobra.Command)
	look = func(cmd *cobra.Command) {
		for _, m := range shownTime.FindAllStringSubmatch(cmd.Example, -1) {
			if given := cmd.Flag(m[1]); given == nil || given.Value.Type() != "string" {
				continue
			}
			shown++
			if _, err := input.Time(m[1], strings.Trim(m[2], `"`)); err != nil {
				t.Errorf("%s: %v", cmd.CommandPath(), err)
			}
		}
		for _, below := range cmd.Commands() {
			look(below)
		}
	}
	look((&app{}).command())
	if shown < 5 {
		t.Errorf("only %d times are looked at", shown)
	}
}

// commandPage returns a table of the commands by chapter, and a section for each.
func commandPage(root *cobra.Command) string {
	var table, parts strings.Builder
	table.WriteString("\n| | |\n|---|---|\n")
	root.InitDefaultCompletionCmd()
	for _, chapter := range append(root.Groups(), &cobra.Group{Title: "Others"}) {
		var links []string
		for _, cmd := range root.Commands() {
			if cmd.GroupID == chapter.ID && !cmd.Hidden && cmd.Name() != "help" {
				links = append(links, fmt.Sprintf("[%[1]s](#%[1]s)", cmd.Name()))
				writeCommand(&parts, cmd, "##")
			}
		}
		fmt.Fprintf(&table, "| %s | %s |\n", chapter.Title, strings.Join(links, ", "))
	}
	return table.String() + parts.String()
}

// writeCommand writes the section of a command and of its subcommands.
func writeCommand(page *strings.Builder, cmd *cobra.Command, heading string) {
	fmt.Fprintf(page, "\n%s %s\n\n%s.\n", heading, strings.TrimPrefix(cmd.CommandPath(), "annals "), strings.TrimSuffix(cmd.Short, "."))
	fmt.Fprintf(page, "\n```\n%s\n```\n", cmd.UseLine())
	if cmd.Long != "" {
		fmt.Fprintf(page, "\n```text\n%s\n```\n", cmd.Long)
	}
	if cmd.Example != "" {
		fmt.Fprintf(page, "\n```sh\n%s\n```\n", strings.TrimRight(strings.ReplaceAll(strings.TrimPrefix(cmd.Example, "  "), "\n  ", "\n"), "\n"))
	}
	var flags strings.Builder
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		name := "`--" + strings.TrimSpace(f.Name+" "+kind) + "`"
		if f.Shorthand != "" {
			name += ", `-" + f.Shorthand + "`"
		}
		if usual := f.DefValue; usual != "" && usual != "0" && usual != "false" && usual != "[]" {
			usage += fmt.Sprintf("; default %s", usual)
		}
		usage = strings.Join(append([]string{usage}, f.Annotations[limitsOf]...), "; ")
		fmt.Fprintf(&flags, "| %s | %s |\n", name, strings.ReplaceAll(usage, "|", "\\|"))
	})
	if flags.Len() > 0 {
		fmt.Fprintf(page, "\n| flag | |\n|---|---|\n%s", flags.String())
	}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			writeCommand(page, sub, "###")
		}
	}
}
