package annals_test

import (
	"slices"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
)

func TestCommunities(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	var episodes []annals.Episode
	for _, who := range [][3]string{{"Alice", "Acme", "Lisbon"}, {"Bob", "Acme", "Lisbon"}, {"Xavier", "Initech", "Graz"}, {"Yara", "Initech", "Graz"}} {
		episodes = append(episodes,
			annals.Episode{GroupID: "t", Actor: who[0], Content: "I work at " + who[1] + "."},
			annals.Episode{GroupID: "t", Actor: who[0], Content: "I live in " + who[2] + "."})
	}
	clienttest.AddAndProcess(t, client, episodes...)
	first, err := client.BuildCommunities(t.Context(), "t")
	if want := (annals.Built{Communities: 2, Entities: 8, New: 2}); err != nil || first != want {
		t.Fatalf("built %+v (%v), want %+v", first, err, want)
	}
	second, err := client.BuildCommunities(t.Context(), "t")
	if want := (annals.Built{Communities: 2, Entities: 8, Kept: 2}); err != nil || second != want {
		t.Errorf("built again %+v (%v), want %+v", second, err, want)
	}
	communities, err := client.Communities(t.Context(), annals.CommunityFilter{GroupID: "t"})
	if err != nil {
		t.Fatal(err)
	}
	var together [][]string
	for _, c := range communities {
		if c.Name == "" || c.Summary == "" || c.GroupID != "t" || c.CreatedAt.IsZero() {
			t.Errorf("community %+v lacks something", c.Community)
		}
		var names []string
		for _, m := range c.Members {
			names = append(names, m.Name)
		}
		together = append(together, names)
	}
	slices.SortFunc(together, slices.Compare[[]string])
	want := [][]string{{"Acme", "Alice", "Bob", "Lisbon"}, {"Graz", "Initech", "Xavier", "Yara"}}
	if !slices.EqualFunc(together, want, slices.Equal[[]string]) {
		t.Errorf("communities %v, want %v", together, want)
	}
	if few, err := client.Communities(t.Context(), annals.CommunityFilter{GroupID: "t", Limit: 1}); err != nil || len(few) != 1 {
		t.Errorf("%d communities with a limit of 1 (%v)", len(few), err)
	}
	if _, err := client.Communities(t.Context(), annals.CommunityFilter{GroupID: "t", Limit: -1}); annals.CodeOf(err) != annals.CodeInvalid {
		t.Errorf("a negative limit: error %v", err)
	}
}
