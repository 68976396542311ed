package skills_test

import (
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// The right procedure is the confirmed one at each time, one that broke falls within five
// failures, and nine of ten tasks in other words find their skill. The weights were chosen
// in the world of operations; that of an office was not looked at.
func TestWorlds(t *testing.T) {
	slow.Test(t)
	for _, name := range []string{"operations", "office"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := clienttest.Open(t, annals.Config{})
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
			t.Logf("%d runs, %d skills of %d tasks; right %d of %d; fell after %v; precision %.2f, recall %.2f, mistaken %d of %d",
				r.Runs, r.Skills, len(world.Tasks), r.Right, r.Checked, r.Fell, r.Precision(), r.Recall(), r.Mistaken, r.Strange)
			for _, wrong := range r.Wrong {
				t.Log(wrong)
			}
			if r.Right != r.Checked {
				t.Errorf("%d of %d procedures are the right ones", r.Right, r.Checked)
			}
			if r.Precision() < .9 || r.Recall() < .9 {
				t.Errorf("precision %.2f, recall %.2f; want at least .9", r.Precision(), r.Recall())
			}
			for task, failures := range r.Fell {
				if failures > 5 {
					t.Errorf("%s failed %d times before it fell", task, failures)
				}
			}
		})
	}
}
