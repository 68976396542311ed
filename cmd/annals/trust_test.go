package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/annalsdb/annals/graph"
)

// A policy can be set before the first message, which it withholds.
func TestTrustIsSetBeforeTheFirstMessage(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("trust", "set", "--documents", "-g", "new")
	m.must("add", "-g", "new", "--actor", "Ann", "--source", "text", "Alice likes chess.")
	if got := m.must("facts", "-g", "new", "--trust", "candidate"); !strings.Contains(got, "chess") {
		t.Errorf("what waits: %q", got)
	}
}

// Facts from a document wait until it is released or they are confirmed. What one person believes
// is distinguished from what all believe.
func TestTrustAndWhoTells(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("add", "-g", "t", "--actor", "Sam", "Alice likes opera.")
	if got := m.must("trust", "-g", "t"); !strings.Contains(got, "nothing") {
		t.Errorf("by default: %s", got)
	}
	if got := m.must("trust", "set", "--documents", "-g", "t"); !strings.Contains(got, "documents") {
		t.Errorf("set: %s", got)
	}
	m.must("add", "-g", "t", "--actor", "Ann", "--source", "text", "Alice likes chess.")
	list := func(args ...string) string {
		var got struct{ Facts []graph.FactJSON }
		m.read(&got, append([]string{"facts", "-g", "t"}, args...)...)
		var all []string
		for _, f := range got.Facts {
			all = append(all, f.Fact+" "+string(f.Trust))
		}
		return strings.Join(all, " ")
	}
	expect := func(want string, args ...string) {
		t.Helper()
		if got := list(args...); got != want {
			t.Errorf("facts %v: %q, want %q", args, got, want)
		}
	}
	expect("Alice likes opera. believed")
	expect("Alice likes chess. candidate", "--trust", "candidate")
	var waiting struct{ Facts []graph.FactJSON }
	m.read(&waiting, "facts", "-g", "t", "--trust", "candidate")
	id := waiting.Facts[0].ID.String()
	if got := m.must("search", "-g", "t", "--trust", "candidate", "What does Alice like?"); !strings.Contains(got, "not confirmed") || strings.Contains(got, "opera") {
		t.Errorf("a search for candidates: %s", got)
	}
	if got := m.must("search", "-g", "t", "What does Alice like?"); strings.Contains(got, "chess") {
		t.Errorf("a search: %s", got)
	}
	m.must("facts", "confirm", id, "-g", "t")
	expect("", "--trust", "candidate")
	expect("Alice likes chess. believed", "--told-by", "Ann")
	expect("Alice likes opera. believed", "--told-by", "Sam")
	if got := m.must("context", "-g", "t", "--told-by", "Sam", "What does Alice like?"); strings.Contains(got, "chess") || !strings.Contains(got, "opera") {
		t.Errorf("what Sam tells: %s", got)
	}
	m.must("facts", "confirm", id, "--undo", "-g", "t")
	expect("Alice likes chess. candidate", "--trust", "candidate")
	if got := m.must("trust", "release", "--all", "-g", "t"); got != "Released: 1\n" {
		t.Errorf("release says %q", got)
	}
	expect("", "--trust", "candidate")
	m.run("", "facts", "-g", "t", "--trust", "rejected").failsWith(t, "annals facts rejected")
	m.run("", "trust", "release", "-g", "t").failsWith(t, "name episodes, a thread, or all")
}

// The help says that everything in quarantine can be released, not only documents.
func TestHelpSaysWhatIsReleased(t *testing.T) {
	t.Parallel()
	release, _, err := (&app{}).command().Find([]string{"trust", "release"})
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := (&app{}).command().Find([]string{"trust", "set"})
	if err != nil {
		t.Fatal(err)
	}
	set.Flags().VisitAll(func(f *pflag.Flag) {
		name := map[string]string{"documents": "documents", "door": "by a door", "role": "from a role", "source": "from a source", "relation": "of a relation"}[f.Name]
		if strings.Contains(f.Usage, "in quarantine") && name == "" && f.Name != "thread-id" {
			t.Errorf("--%s keeps something in quarantine: say so in the help of release", f.Name)
		}
		if text := strings.Join(strings.Fields(release.Long), " "); !strings.Contains(text, name) {
			t.Errorf("the help of release says nothing of what --%s holds: %s", f.Name, text)
		}
	})
	release.Flags().VisitAll(func(f *pflag.Flag) {
		if strings.Contains(strings.ToLower(f.Usage), "document") {
			t.Errorf("--%s speaks of documents alone: %s", f.Name, f.Usage)
		}
	})
}
