package embeddings

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/annalsdb/annals/graph"
)

var kinds = []graph.Kind{graph.KindEpisode, graph.KindEntity, graph.KindFact, graph.KindCommunity}

// hostile draws names of groups and models that try to end the literal.
func hostile(t *rapid.T, label string) string {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"'", "''", `\`, `\'`, `\\`, `"`, "--", "/*", "*/", ";", "$$", "$1", "E'", "%s", "@x", "\n", "\x01", "''; DROP TABLE annals.groups; --"}),
		rapid.String())
	return strings.ReplaceAll(strings.Join(rapid.SliceOf(piece).Draw(t, label), ""), "\x00", "")
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
