package skills_test

import (
	"os"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/onnx"
)

// The right procedure is confirmed at each time, a broken one is dropped within five
// failures, and nine of ten reworded tasks find their skill. The weights were chosen in
// the world operations; the world office was not used for that. ANNALS_EMBEDDER and
// ANNALS_ONNXRUNTIME select a model whose vectors also compare tasks.
func TestWorlds(t *testing.T) {
	slow.Test(t)
	var config annals.Config
	if folder, ok := strings.CutPrefix(os.Getenv("ANNALS_EMBEDDER"), "onnx:"); ok {
		e, err := onnx.Open(t.Context(), onnx.Config{Model: folder, Library: os.Getenv("ANNALS_ONNXRUNTIME"), CacheDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		config.Embedder = model.NewCachedEmbedder(e, 10_000)
	}
	for _, name := range []string{"operations", "office"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := clienttest.Open(t, config)
			if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "world"}); err != nil {
				t.Fatal(err)
			}
			if err := service.New(client).SetTrustPolicy(t.Context(), "world", graph.TrustPolicy{SkillProof: 3}); err != nil {
				t.Fatal(err)
			}
			world, err := readWorld(name)
			if err != nil {
				t.Fatal(err)
			}
			r, err := live(t.Context(), client, world, 7)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d runs, %d skills of %d tasks; right %d of %d; fell after %v; precision %.2f, recall %.2f, far %d of %d, mistaken %d of %d",
				r.Runs, r.Skills, len(world.Tasks), r.Right, r.Checked, r.Fell, r.Precision(), r.Recall(), r.Far, len(world.Tasks), r.Mistaken, r.Strange)
			for _, wrong := range r.Wrong {
				t.Log(wrong)
			}
			if r.Right != r.Checked {
				t.Errorf("%d of %d procedures are the right ones", r.Right, r.Checked)
			}
			if r.Precision() < .9 || r.Recall() < .9 {
				t.Errorf("precision %.2f, recall %.2f; want at least .9", r.Precision(), r.Recall())
			}
			if config.Embedder != nil && r.Far < 10 {
				t.Errorf("%d of %d tasks far from all words find their skill; want at least 10", r.Far, len(world.Tasks))
			}
			for task, failures := range r.Fell {
				if failures > 5 {
					t.Errorf("%s failed %d times before it fell", task, failures)
				}
			}
		})
	}
}
