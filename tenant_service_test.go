package annals_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/worker"
)

// aboutAll has the methods about all groups, which a bound client may not call.
var aboutAll = map[string]func(context.Context, *annals.Client) error{
	"AddInstructions": func(ctx context.Context, c *annals.Client) error {
		return service.New(c).AddInstructions(ctx, service.Scope{GroupID: "own"}, service.PurposeGraph, nil)
	},
	"AddToBatch": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).AddToBatch(ctx, "own", uuid.New(), nil)
		return err
	},
	"InheritSettings": func(ctx context.Context, c *annals.Client) error {
		return service.New(c).InheritSettings(ctx, "own", "own")
	},
	"Batch": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).Batch(ctx, "own", uuid.New())
		return err
	},
	"BatchItems": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).BatchItems(ctx, "own", uuid.New(), service.BatchItemList{})
		return err
	},
	"Batches": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).Batches(ctx, "own", "", 0, 1)
		return err
	},
	"Clone": func(ctx context.Context, c *annals.Client) error { return c.Clone(ctx, "other", "own") },
	"CreateBatch": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).CreateBatch(ctx, "own", service.Batch{})
		return err
	},
	"CreateThreadWithin": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).CreateThreadWithin(ctx, service.Within{}, annals.NewThread{GroupID: "own", ID: "thread"})
		return err
	},
	"DeleteBatch": func(ctx context.Context, c *annals.Client) error {
		return service.New(c).DeleteBatch(ctx, "own", uuid.New())
	},
	"DeleteInstructions": func(ctx context.Context, c *annals.Client) error {
		return service.New(c).DeleteInstructions(ctx, service.Scope{GroupID: "own"}, service.PurposeGraph, nil)
	},
	"Graphs": func(ctx context.Context, c *annals.Client) error {
		_, _, err := service.New(c).Graphs(ctx, service.Page{})
		return err
	},
	"GroupOf": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).GroupOf(ctx, service.Within{}, graph.KindFact, uuid.New())
		return err
	},
	"GroupOfThread": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).GroupOfThread(ctx, service.Within{}, "thread")
		return err
	},
	"GroupOfUUID": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).GroupOfUUID(ctx, service.Within{}, uuid.New())
		return err
	},
	"GroupsFilledBy": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).GroupsFilledBy(ctx, service.Within{}, "graphiti", 10)
		return err
	},
	"SetInstructions": func(ctx context.Context, c *annals.Client) error {
		return service.New(c).SetInstructions(ctx, service.Scope{GroupID: "own"}, service.PurposeGraph, nil)
	},
	"ThreadOfUUID": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).ThreadOfUUID(ctx, service.Within{}, uuid.New())
		return err
	},
	"Instructions": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).Instructions(ctx, service.Scope{GroupID: "own"}, service.PurposeGraph)
		return err
	},
	"BatchEpisodes": func(ctx context.Context, c *annals.Client) error {
		_, _, err := service.New(c).BatchEpisodes(ctx, "own", uuid.New())
		return err
	},
	"EndBatch": func(ctx context.Context, c *annals.Client) error {
		return service.New(c).EndBatch(ctx, "own", uuid.New(), nil)
	},
	"ProcessBatch": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).ProcessBatch(ctx, "own", uuid.New())
		return err
	},
	"SetNamespaceOntology": func(ctx context.Context, c *annals.Client) error {
		return service.New(c).SetNamespaceOntology(ctx, "own", annals.Ontology{})
	},
	"ThreadsWithin": func(ctx context.Context, c *annals.Client) error {
		_, _, err := service.New(c).ThreadsWithin(ctx, service.Page{})
		return err
	},
	"WaitingByGroup": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).WaitingByGroup(ctx)
		return err
	},
	"Users": func(ctx context.Context, c *annals.Client) error {
		_, _, err := service.New(c).Users(ctx, service.Page{})
		return err
	},
	"CreateAPIKey": func(ctx context.Context, c *annals.Client) error {
		_, _, err := service.New(c).CreateAPIKey(ctx, service.KeySpec{Admin: true})
		return err
	},
	"Health": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).Health(ctx)
		return err
	},
	"APIKeys": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).APIKeys(ctx)
		return err
	},
	"FinishErasures": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).FinishErasures(ctx)
		return err
	},
	"Mend": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).Mend(ctx)
		return err
	},
	"Rebuild": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).Rebuild(ctx, "own", false)
		return err
	},
	"Verify": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).Verify(ctx, "own", false)
		return err
	},
	"Queue": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).Queue(ctx)
		return err
	},
	"Work": func(ctx context.Context, c *annals.Client) error { return worker.Run(ctx, c, worker.Options{}) },
	"RevokeAPIKey": func(ctx context.Context, c *annals.Client) error {
		_, err := service.New(c).RevokeAPIKey(ctx, "annals_AAAAAAAA")
		return err
	},
	"RotateAPIKey": func(ctx context.Context, c *annals.Client) error {
		_, _, err := service.New(c).RotateAPIKey(ctx, "annals_AAAAAAAA", 0, time.Time{})
		return err
	},
}

// ownOnly are the methods that return only its own group to a bound client.
var ownOnly = []string{"Authenticate"}

func TestBoundClientsServeNobodyElse(t *testing.T) {
	t.Parallel()
	client, url := clienttest.New(t)
	for _, group := range []string{"own", "other"} {
		if _, err := client.Add(t.Context(), annals.Episode{GroupID: group, Content: "I live in Paris.", Actor: "Alice"}); err != nil {
			t.Fatal(err)
		}
	}
	secret, _, err := service.New(client).CreateAPIKey(t.Context(), service.KeySpec{Groups: []string{"own"}})
	if err != nil {
		t.Fatal(err)
	}
	bound, err := client.ForTenant(t.Context(), "own")
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range aboutAll {
		if err := call(t.Context(), bound); graph.CodeOf(err) != graph.CodeForbidden {
			t.Errorf("%s: %v, want it forbidden", name, err)
		}
	}
	if key, err := service.New(client).Authenticate(t.Context(), secret); err != nil || !slices.Equal(key.Groups, []string{"own"}) {
		t.Errorf("the key opens %q (%v)", key.Groups, err)
	}
	if _, err := service.New(bound).Authenticate(t.Context(), secret); !errors.Is(err, service.ErrNoAPIKey) {
		t.Errorf("a bound client knows a key: %v", err)
	}
	groups, err := bound.Groups(t.Context(), annals.GroupFilter{})
	if err != nil || len(groups) != 1 || groups[0].ID != "own" {
		t.Errorf("it sees the groups %v (%v)", groups, err)
	}
	keysAreInvisible(t, url)
}

// keysAreInvisible checks that a tenant cannot see the keys, even in SQL.
func keysAreInvisible(t *testing.T, url string) {
	t.Helper()
	conn := clienttest.Dial(t, url)
	for _, group := range []string{"own", ""} {
		if _, err := conn.Exec(t.Context(), "SELECT set_config('role', 'annals_tenant', false), set_config('annals.group_id', $1, false)", group); err != nil {
			t.Fatal(err)
		}
		var keys int
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM annals_internal.api_keys").Scan(&keys); err != nil || keys != 0 {
			t.Errorf("the tenant %q sees %d keys (%v)", group, keys, err)
		}
		if _, err := conn.Exec(t.Context(), `INSERT INTO annals_internal.api_keys (id, prefix, hash, admin)
			VALUES (gen_random_uuid(), 'annals_AAAAAAAA', sha256('x'), true)`); err == nil {
			t.Errorf("the tenant %q made itself a key", group)
		}
	}
}
