package citus

import (
	"slices"
	"testing"
	"time"

	"github.com/annalsdb/annals"
)

// A search on a cluster takes at most 2.5 times as long as on one server of the same
// machine. Both are asked in turn, so that other work slows both.
func TestASearchCostsLittleMore(t *testing.T) {
	one, many := twins(t, func(address string) { fill(t, address) })
	single, cluster := open(t, one), open(t, many)
	known := time.Now()
	for name, q := range map[string]annals.Query{
		"facts": {Scopes: scopes[:1]}, "everything": {Scopes: scopes}, "as it comes": {},
		"of people": {Filter: filters["of people"]}, "metadata": {Filter: filters["metadata"]}, "said by Alice": {Filter: filters["said by Alice"]},
		"held then": {ValidAt: asked}, "known then": {KnownAt: known}, "by the graph too": {Methods: methods}, "in a phrase": {Text: `who met at the "café in Paris"`},
	} {
		q.GroupID, q.Limit = group, 10
		if q.Text == "" {
			q.Text = "Where does Alice live?"
		}
		took := map[*annals.Client][]time.Duration{}
		for i := range 34 {
			for _, client := range []*annals.Client{single, cluster} {
				begun := time.Now()
				if _, err := client.Search(t.Context(), q); err != nil {
					t.Fatal(err)
				}
				if i >= 4 { // the first make plans and connections
					took[client] = append(took[client], time.Since(begun))
				}
			}
		}
		median := func(client *annals.Client) time.Duration {
			slices.Sort(took[client])
			return took[client][len(took[client])/2]
		}
		times := float64(median(cluster)) / float64(median(single))
		t.Logf("%s: %v, on one server %v: %.2f times", name, median(cluster).Round(10*time.Microsecond), median(single).Round(10*time.Microsecond), times)
		if times > 2.5 {
			t.Errorf("%s takes %.2f times as long as on one server", name, times)
		}
	}
}
