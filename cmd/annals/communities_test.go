package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func (m *memory) communities(json bool, args ...string) string {
	m.t.Helper()
	var stdout, stderr bytes.Buffer
	config, err := readConfig(m.environ)
	if err != nil {
		m.t.Fatal(err)
	}
	a := &app{printer: printer{stdout: newScreen(&stdout, nil), stderr: newScreen(&stderr, nil), json: json}, config: config, group: "t"}
	root := &cobra.Command{Use: "annals"}
	root.AddCommand(communitiesCommand(a))
	root.SetArgs(append([]string{"communities"}, args...))
	if err := root.ExecuteContext(m.t.Context()); err != nil {
		m.t.Fatalf("annals communities %q: %v", args, err)
	}
	return stdout.String()
}

func TestCommunities(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.makeGroup("t")
	if got := strings.TrimSpace(m.communities(true)); got != "{\n  \"communities\": []\n}" {
		t.Errorf("before anything is there: %s", got)
	}
	for _, said := range [][2]string{{"Alice", "I work at Acme."}, {"Bob", "I work at Acme."}, {"Alice", "I live in Lisbon."}, {"Bob", "I live in Lisbon."}} {
		m.must("add", "--group", "t", "--actor", said[0], said[1])
	}
	if got := m.communities(false, "build"); !strings.HasPrefix(got, "Communities: 1, of 4 entities; 1 new,") || !strings.Contains(got, "offline rules") {
		t.Errorf("build says %q", got)
	}
	var again struct {
		Built struct{ Communities, Entities, Kept, New int }
	}
	if err := json.Unmarshal([]byte(m.communities(true, "build")), &again); err != nil || again.Built.Kept != 1 || again.Built.New != 0 {
		t.Errorf("build again says %+v (%v)", again, err)
	}
	var got struct {
		Communities []struct {
			ID, Name, Summary string
			Members           []struct{ ID, Name string }
		}
	}
	if err := json.Unmarshal([]byte(m.communities(true, "--limit", "5")), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Communities) != 1 || len(got.Communities[0].Members) != 4 || got.Communities[0].Members[0].Name != "Acme" ||
		got.Communities[0].Members[0].ID == "" || got.Communities[0].Summary == "" {
		t.Errorf("communities are %+v", got)
	}
	if table := m.communities(false); !strings.Contains(table, "4: Acme, Alice, Bob, Lisbon") {
		t.Errorf("the table is %q", table)
	}
}
