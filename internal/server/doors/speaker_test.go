package doors_test

import (
	"slices"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/each"
)

// In a user's memory, a message of the role user is from that user, whatever name it gives. An
// assistant that only speaks becomes no entity.
func TestAUserIsOnePerson(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.must(t, nil, attempt{method: "POST", path: "/v1/users", body: `{"id": "eva", "first_name": "Eva", "last_name": "Roe"}`})
	s.must(t, nil, attempt{method: "POST", path: "/v1/users", body: `{"id": "eve", "first_name": "Eva", "last_name": "Roe"}`})
	s.must(t, nil, attempt{method: "POST", path: "/api/v2/users", body: `{"user_id": "eva", "first_name": "Eva", "last_name": "Roe"}`})
	s.must(t, nil, attempt{method: "POST", path: "/api/v2/threads", body: `{"thread_id": "chat-eva", "user_id": "eva"}`})
	s.must(t, nil, attempt{method: "POST", path: "/v1/groups/eva/threads/t/messages", body: `{"messages": [
		{"role": "user", "actor": "Eva", "content": "I live in Paris."}, {"role": "assistant", "actor": "Bot", "content": "Noted."}]}`})
	s.must(t, nil, attempt{method: "POST", path: "/api/v2/threads/chat-eva/messages", body: `{"messages": [
		{"role": "user", "name": "Eva", "content": "I live in Paris."}, {"role": "assistant", "name": "Bot", "content": "Noted."}]}`})
	s.must(t, nil, attempt{method: "POST", path: "/messages", body: `{"group_id": "eve", "messages": [
		{"role_type": "user", "role": "Eva", "content": "I live in Paris.", "timestamp": "2024-03-15T09:30:00Z"},
		{"role_type": "assistant", "role": "Bot", "content": "Noted.", "timestamp": "2024-03-15T09:31:00Z"}]}`})
	for _, group := range []string{"eva", "eve", project + "eva"} {
		if err := s.client.Process(t.Context(), group, nil); err != nil {
			t.Fatal(err)
		}
		entities, err := s.client.Entities(t.Context(), annals.EntityFilter{GroupID: group})
		if err != nil {
			t.Fatal(err)
		}
		names := each.Of(entities, func(e annals.Entity) string { return e.Name })
		slices.Sort(names)
		if !slices.Equal(names, []string{"Eva Roe", "Paris"}) {
			t.Errorf("%s has %q", group, names)
		}
		eva, err := s.client.Entity(t.Context(), group, "Eva Roe")
		if err != nil || !slices.Contains(eva.Aliases, "Eva") || eva.Summary == "" {
			t.Errorf("%s knows %+v, %v; want the alias Eva and a summary", group, eva, err)
		}
	}
}
