package db

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/internal/pgtest"
)

// hostile draws names of groups and models that try to end the literal.
func hostile(t *rapid.T, label string) string {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"'", "''", `\`, `\'`, `\\`, `"`, "--", "/*", "*/", ";", "$$", "$1", "E'", "%s", "@x", "\n", "\x01", "''; DROP TABLE annals.groups; --"}),
		rapid.String())
	return strings.ReplaceAll(strings.Join(rapid.SliceOf(piece).Draw(t, label), ""), "\x00", "")
}

func TestQuotedLiteralsStandForThemselves(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	rapid.Check(t, func(rt *rapid.T) {
		name := hostile(rt, "name")
		conforming := rapid.SampledFrom([]string{"on", "off"}).Draw(rt, "standard_conforming_strings")
		if _, err := conn.Exec(t.Context(), "SET standard_conforming_strings = "+conforming); err != nil {
			rt.Fatal(err)
		}
		var got, rest string
		// With an argument, the statement is parsed as those of a search are.
		err := conn.QueryRow(t.Context(), "SELECT "+QuoteLiteral(name)+", $1::text", pgx.QueryExecModeExec, "rest").Scan(&got, &rest)
		if err != nil || got != name || rest != "rest" {
			rt.Fatalf("%q became %q, %q: %v", name, got, rest, err)
		}
	})
}
