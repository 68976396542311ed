package rest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
)

type user struct {
	ID, Email string
	FirstName string `json:"first_name"`
	Metadata  map[string]any
}

func TestUsers(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	var u user
	s.must(201, &u, "POST", "/v1/users", `{"id":"acme:alice","first_name":"Alice","email":"alice@example.com","metadata":{"plan":"pro"}}`)
	if u.ID != "acme:alice" || u.FirstName != "Alice" || u.Metadata["plan"] != "pro" {
		t.Errorf("made is %+v", u)
	}
	s.must(409, nil, "POST", "/v1/users", `{"id":"acme:alice"}`)
	s.must(422, nil, "POST", "/v1/users", `{"id":"acme:bob","email":"none"}`)
	s.must(200, &u, "PATCH", "/v1/users/acme:alice", `{"first_name":"Alicia"}`)
	if u.FirstName != "Alicia" || u.Email != "alice@example.com" {
		t.Errorf("changed is %+v", u)
	}
	if _, err := s.client.CreateThread(t.Context(), annals.NewThread{GroupID: "acme:alice", ID: "chat"}); err != nil {
		t.Fatal(err)
	}
	var threads struct{ Threads []struct{ ID string } }
	s.must(200, &threads, "GET", "/v1/users/acme:alice/threads", "")
	if len(threads.Threads) != 1 || threads.Threads[0].ID != "chat" {
		t.Errorf("the conversations are %+v", threads)
	}
	var certificate struct{ Certificate *struct{ Scope string } }
	s.must(200, &certificate, "DELETE", "/v1/users/acme:alice", "")
	if certificate.Certificate == nil {
		t.Error("there is no certificate of the erasure")
	}
	s.must(404, nil, "GET", "/v1/users/acme:alice", "")
	s.must(409, nil, "POST", "/v1/users", `{"id":"acme:alice"}`)
	s.must(201, nil, "POST", "/v1/users", `{"id":"acme:alice","force":true}`)
}

// A key of a namespace creates and sees the namespace's users only.
func TestUsersOfANamespace(t *testing.T) {
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	key := func(groups ...string) *running {
		secret, _, err := service.New(s.client).CreateAPIKey(t.Context(), service.KeySpec{Groups: groups})
		if err != nil {
			t.Fatal(err)
		}
		return s.as(secret)
	}
	one, two := key("one:*"), key("two:*")
	for _, own := range []*running{one, two} {
		id := map[*running]string{one: "one:alice", two: "two:alice"}[own]
		own.must(201, nil, "POST", "/v1/users", `{"id":"`+id+`"}`)
		var listed struct {
			Users []user
			Total int
		}
		own.must(200, &listed, "GET", "/v1/users", "")
		if listed.Total != 1 || listed.Users[0].ID != id {
			t.Errorf("%s sees the users %+v", id, listed)
		}
		own.must(202, nil, "POST", "/v1/groups/"+id+"/threads/chat/messages", `{"messages":[{"content":"I live in Paris.","actor":"Alice"}]}`)
		var groups struct{ Groups []struct{ ID string } }
		own.must(200, &groups, "GET", "/v1/groups", "")
		if len(groups.Groups) != 1 || groups.Groups[0].ID != id {
			t.Errorf("%s sees the groups %+v", id, groups)
		}
	}
	for _, path := range []string{"/v1/users/two:alice", "/v1/users/two:alice/threads", "/v1/groups/two:alice/facts", "/v1/users/two"} {
		one.must(404, nil, "GET", path, "")
	}
	one.must(404, nil, "PATCH", "/v1/users/two:alice", `{"first_name":"Mallory"}`)
	one.must(404, nil, "DELETE", "/v1/users/two:alice", "")
	one.must(404, nil, "POST", "/v1/users", `{"id":"two:bob"}`)

	mixed := key("one:*", "bob")
	for _, id := range []string{"bob", "one"} { // a namespace has its shared group
		mixed.must(201, nil, "POST", "/v1/users", `{"id":"`+id+`"}`)
	}
	for own, want := range map[*running]string{mixed: "bob one one:alice", one: "one one:alice", two: "two:alice"} {
		var users struct{ Users []user }
		var groups struct{ Groups []struct{ ID string } }
		own.must(200, &users, "GET", "/v1/users", "")
		own.must(200, &groups, "GET", "/v1/groups", "")
		var ids, of []string
		for _, u := range users.Users {
			ids = append(ids, u.ID)
		}
		for _, g := range groups.Groups {
			of = append(of, g.ID)
		}
		slices.Sort(ids)
		if strings.Join(ids, " ") != want || strings.Join(of, " ") != want {
			t.Errorf("a key sees the users %q and the groups %q, want %q", ids, of, want)
		}
	}
}
