package citus

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/migrations"
)

// A memory distributed before the newest migrations is upgraded: migrate, then
// distribute again. It then equals one that was distributed with all migrations.
func TestMigratingWhatIsDistributed(t *testing.T) {
	whole := distributed(t)
	name := fmt.Sprintf("annals_%d", time.Now().UnixNano())
	t.Cleanup(func() { drop(t, name) })
	former := newCluster(t, name)
	script, err := migrations.SQL(1, migrations.Newest()-1, 0)
	if err != nil {
		t.Fatal(err)
	}
	exec(t, former, "BEGIN;"+script+";COMMIT")
	distribute(t, former)
	if _, err := annals.Open(t.Context(), annals.Config{DatabaseURL: former}); annals.CodeOf(err) != annals.CodeConflict {
		t.Fatalf("before the newest migration: %v", err)
	}
	steps, err := migrations.Up(t.Context(), former, migrations.Options{})
	if err != nil || len(steps) != 1 {
		t.Fatalf("%d migrations: %v", len(steps), err)
	}
	pool, err := db.Open(t.Context(), former)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if c, err := db.ClusterOf(t.Context(), pool); err != nil || c.Unshown == 0 {
		t.Errorf("before distributing again: %+v, %v", c, err)
	}
	distribute(t, former)
	if c, err := db.ClusterOf(t.Context(), pool); err != nil || len(c.Undistributed)+c.Unplannable+c.Unshown > 0 {
		t.Errorf("after distributing again: %+v, %v", c, err)
	}
	for n, node := range nodes(t, name) {
		for _, what := range []string{objects, shown} {
			if diff := cmp.Diff(listed(t, nodes(t, connect(t, whole).Config().Database)[n], what), listed(t, node, what)); diff != "" {
				t.Errorf("server %d (-distributed at once +migrated):\n%.3000s", n, diff)
			}
		}
	}
	client := open(t, former)
	tell(t, client, group, 1, 10)
	found, err := client.Search(t.Context(), annals.Query{GroupID: group, Text: "Where does Alice live?"})
	if err != nil || len(found.Facts) == 0 {
		t.Errorf("found %d facts: %v", len(found.Facts), err)
	}
}
