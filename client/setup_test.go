package client_test

import (
	"log/slog"
	"net/http/httptest"
	"testing"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/client"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
)

// both is one memory, used in this process and over REST.
type both struct {
	embedded *annals.Client
	served   *client.Client
	url      string
}

func open(t *testing.T) both {
	t.Helper()
	embedded, _ := clienttest.New(t)
	s := server.New(server.Options{Client: embedded, Log: slog.New(slog.DiscardHandler), RateLimit: 10000})
	rest.Mount(s, rest.Options{})
	listening := httptest.NewServer(s.Handler())
	t.Cleanup(listening.Close)
	key, _, err := service.New(embedded).CreateAPIKey(t.Context(), service.KeySpec{Admin: true})
	if err != nil {
		t.Fatal(err)
	}
	served, err := client.New(client.Config{URL: listening.URL, Key: key, Tries: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(served.Close)
	return both{embedded, served, listening.URL}
}

// process reads waiting episodes, as a worker does for a service.
func (b both) process(t *testing.T, group string) {
	t.Helper()
	if err := b.embedded.Process(t.Context(), group, func(p annals.Processed) {
		if p.Err != nil {
			t.Error(p.Err)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// each runs a test on both, each with a group of its own that knows where Alice lives,
// works and plays.
func (b both) each(t *testing.T, test func(t *testing.T, m client.Memory, group string)) {
	t.Helper()
	for name, m := range map[string]client.Memory{"embedded": b.embedded, "served": b.served} {
		t.Run(name, func(t *testing.T) {
			group := t.Name()[len("Test"):]
			group = groupName(group)
			for _, e := range []annals.Episode{
				clienttest.Alice("I live in Paris.", "2023-01-10"), clienttest.Alice("I work at Acme.", "2023-02-10"), clienttest.Alice("I moved to Lisbon.", "2024-03-15"),
			} {
				e.GroupID, e.ThreadID, e.Role = group, "chat/1", "user"
				if _, err := b.embedded.Add(t.Context(), e); err != nil {
					t.Fatal(err)
				}
			}
			b.process(t, group)
			test(t, m, group)
		})
	}
}

// groupName returns a test's name as a valid group id.
func groupName(name string) string {
	out := []rune{}
	for _, r := range name {
		if r == '/' || r == '#' {
			r = '-'
		}
		out = append(out, r)
	}
	return string(out)
}

// key creates a key that opens all groups.
func key(t *testing.T, b both) string {
	t.Helper()
	secret, _, err := service.New(b.embedded).CreateAPIKey(t.Context(), service.KeySpec{Admin: true})
	if err != nil {
		t.Fatal(err)
	}
	return secret
}
