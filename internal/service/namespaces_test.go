package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// If creating a thread took a second connection, as many requests as there are connections would
// wait for each other.
func TestAThreadIsMadeOnOneConnection(t *testing.T) {
	t.Parallel()
	_, url := open(t)
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: url + "&pool_max_conns=1"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, group := range []string{"acme:alice", "acme:bob", "other:alice"} {
		if _, err := service.New(client).CreateUser(t.Context(), service.User{GroupID: group}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, test := range []struct {
		group string
		want  graph.Code
	}{{"acme:alice", ""}, {"acme:bob", annals.CodeConflict}, {"acme:alice", annals.CodeConflict}, {"acme:carol", annals.CodeNotFound}} {
		made, err := service.New(client).CreateThreadWithin(ctx, service.Within{Namespace: "acme"}, annals.NewThread{GroupID: test.group, ID: "chat"})
		if got := graph.CodeOf(err); err != nil && got != test.want || err == nil && (test.want != "" || made.ID != "chat") {
			t.Errorf("a thread of %s: %+v, %v, want %q", test.group, made, err, test.want)
		}
	}
	if _, err := service.New(client).CreateThreadWithin(ctx, service.Within{Namespace: "other"}, annals.NewThread{GroupID: "other:alice", ID: "chat"}); err != nil {
		t.Errorf("another namespace: %v", err)
	}
}
