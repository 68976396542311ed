package db

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
)

var kinds = []graph.Kind{graph.KindEpisode, graph.KindEntity, graph.KindFact, graph.KindCommunity}

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
		// With an argument, it is parsed as search's statements are.
		err := conn.QueryRow(t.Context(), "SELECT "+quoteLiteral(name)+", $1::text", pgx.QueryExecModeExec, "rest").Scan(&got, &rest)
		if err != nil || got != name || rest != "rest" {
			rt.Fatalf("%q became %q, %q: %v", name, got, rest, err)
		}
	})
}

func TestIndexNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		group, model := hostile(rt, "group"), hostile(rt, "model")
		kind := rapid.SampledFrom(kinds).Draw(rt, "kind")
		name := indexName(group, kind, model)
		if len(name) > 56 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			rt.Fatalf("%q is no plain name of at most 56 bytes", name)
		}
		if other := hostile(rt, "other"); other != group && indexName(other, kind, model) == name {
			rt.Fatalf("%q and %q have one index", group, other)
		}
	})
	if indexName("a", graph.KindFact, "bc") == indexName("ab", graph.KindFact, "c") {
		t.Error("where the group ends does not matter")
	}
}
