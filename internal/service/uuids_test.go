package service_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// Groups and threads are found by their UUIDs, within their namespace only. A group or thread
// without a name has its UUID as its name.
func TestGroupsAndThreadsAreFoundByUUID(t *testing.T) {
	t.Parallel()
	c, _ := open(t)
	s := service.New(c)
	nameless := service.NewNameless()
	given := uuid.NewString() // the application's own name, which looks like a UUID
	for _, name := range []string{"alice", "ålice+2F", nameless, given} {
		group := "acme:" + strings.Replace(name, "å", "a", 1)
		if _, err := c.CreateGroup(t.Context(), annals.Group{ID: group}); err != nil {
			t.Fatal(err)
		}
		id := service.GroupUUID(group)
		for namespace, want := range map[string]string{"acme": group, "": group, "other": ""} {
			if got, err := s.GroupOfUUID(t.Context(), service.Within{Namespace: namespace}, id); err != nil || got != want {
				t.Errorf("%s in %q is found as %q: %v", group, namespace, got, err)
			}
		}
		for _, thread := range []string{"chat", "a/b:c ü", nameless, "a:" + nameless, "a/" + nameless} {
			if _, err := c.CreateThread(t.Context(), annals.NewThread{GroupID: group, ID: name + thread}); err != nil {
				t.Fatal(err)
			}
			got, err := s.ThreadOfUUID(t.Context(), service.Within{Namespace: "acme"}, service.ThreadUUID(group, name+thread))
			if err != nil || got.GroupID != group || got.ID != name+thread {
				t.Errorf("%s of %s is found as %+v: %v", thread, group, got, err)
			}
		}
	}
	if got := service.GroupUUID("acme:" + nameless).String(); got != nameless || !service.IsNameless(nameless) {
		t.Errorf("the UUID of what has no name is %s, not %s", got, nameless)
	}
	for _, own := range []string{"team:" + nameless, "team/" + nameless, "acme:" + nameless, nameless + "0", ""} {
		if service.IsNameless(own) {
			t.Errorf("a conversation called %q is taken for one without a name", own)
		}
	}
	if !service.IsNamelessGroup("acme:"+nameless) || !service.IsNamelessGroup(nameless) || service.IsNamelessGroup("acme:a:"+nameless) {
		t.Error("groups without a name are not told from others")
	}
	if service.IsNameless(given) || service.GroupUUID("acme:"+given).String() == given {
		t.Errorf("%s was given, but taken for none", given)
	}
	if got, err := s.ThreadOfUUID(t.Context(), service.Within{Namespace: "acme"}, uuid.New()); err != nil || got.ID != "" {
		t.Errorf("a UUID of nothing finds %+v: %v", got, err)
	}
}
