package citus

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// group is the group that statements ask for.
const group = "g1"

var (
	people = []string{"Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi"}
	cities = []string{"Paris", "Lisbon", "Berlin", "Oslo", "Madrid", "Vienna", "Prague", "Rome", "Athens"}
	firms  = []string{"Acme", "Globex", "Initech", "Umbrella", "Hooli"}
)

// story is a group's conversation: people who move, change their work and meet.
func story(groupID string, seed, episodes int) []annals.Episode {
	told := make([]annals.Episode, episodes)
	for i := range told {
		n := i*7 + seed*3
		who, other := people[n%len(people)], people[(n+1+i%5)%len(people)]
		said := []string{
			fmt.Sprintf("I moved to %s last month.", cities[(n+i/3)%len(cities)]),
			fmt.Sprintf("I work at %s since 2021.", firms[(n+i)%len(firms)]),
			fmt.Sprintf("%s is my friend and lives in %s.", other, cities[(n+2*i)%len(cities)]),
			fmt.Sprintf("Yesterday I met %s at the café in %s, we talked about hiking.", other, cities[(n+i)%len(cities)]),
			fmt.Sprintf("I no longer work at %s.", firms[(n+i-4+len(firms)*4)%len(firms)]),
		}[i%5]
		told[i] = annals.Episode{
			GroupID: groupID, Actor: who, Role: "user", Content: said, ThreadID: fmt.Sprint("talk-", i/10), ExternalID: fmt.Sprint("line-", i),
			OccurredAt: time.Date(2023, 1, 1+i*5, 9, seed%60, 0, 0, time.UTC), Metadata: []byte(fmt.Sprintf(`{"line": %d, "mood": "%s"}`, i, []string{"good", "bad"}[i%2])),
		}
	}
	return told
}

func open(t testing.TB, address string) *annals.Client {
	t.Helper()
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: address, Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// tell adds the story of a group and reads it.
func tell(t testing.TB, client *annals.Client, groupID string, seed, episodes int) {
	t.Helper()
	if _, err := client.AddAll(t.Context(), story(groupID, seed, episodes)); err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), groupID, nil); err != nil {
		t.Fatalf("%s: %v", groupID, err)
	}
}

// fill writes data of every kind into a memory: groups with graphs and
// communities, edits, a withdrawn fact, an erased episode, a user, keys, webhooks,
// a batch, an agent, trust and standing answers.
func fill(t testing.TB, address string) {
	t.Helper()
	client := open(t, address)
	for n := range 4 {
		tell(t, client, fmt.Sprint("g", n), n, 30)
	}
	for _, d := range beliefs {
		if err := d.do(t.Context(), client); err != nil {
			t.Fatalf("%s: %v", d.name, err)
		}
	}
	memory := service.New(client)
	for _, do := range []func(context.Context) error{
		func(ctx context.Context) error { _, err := client.BuildCommunities(ctx, group); return err },
		func(ctx context.Context) error {
			_, err := client.AddTriple(ctx, annals.Triple{GroupID: group, Source: graph.TripleEnd{Name: "Alice"}, Target: graph.TripleEnd{Name: "Zeta"}, Predicate: "WORKS_AT", Fact: "Alice works at Zeta.", ValidAt: time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC)})
			return err
		},
		func(ctx context.Context) error { return withdraw(ctx, client) },
		func(ctx context.Context) error { return forget(ctx, client) },
		func(ctx context.Context) error {
			_, err := memory.CreateUser(ctx, service.User{GroupID: "app:u1"})
			return err
		},
		func(ctx context.Context) error {
			_, _, err := memory.CreateAPIKey(ctx, service.KeySpec{Name: "app", Groups: []string{"app"}})
			return err
		},
		func(ctx context.Context) error {
			_, _, err := memory.CreateWebhook(ctx, service.WebhookSpec{GroupID: group, URL: "https://example.com/hook"})
			return err
		},
		func(ctx context.Context) error {
			_, err := memory.CreateBatch(ctx, "app", service.Batch{ID: uuid.New()})
			return err
		},
		func(ctx context.Context) error {
			_, err := memory.CreateTemplate(ctx, group, service.Template{ID: "short", Template: "%{facts}"})
			return err
		},
		func(ctx context.Context) error {
			_, err := agent.New(client, agent.Options{}).Create(ctx, agent.Spec{GroupID: group, Name: "sam", Blocks: agent.DefaultBlocks()})
			return err
		},
		func(ctx context.Context) error {
			_, err := client.CreateThread(ctx, annals.NewThread{GroupID: group, ID: "empty"})
			return err
		},
		func(ctx context.Context) error {
			return client.SetRetention(ctx, group, annals.Retention{MaxEpisodes: 1000})
		},
		func(ctx context.Context) error {
			return memory.AddInstructions(ctx, service.Scope{GroupID: group}, "graph", []service.Instruction{{Name: "tone", Text: "Be short."}})
		},
	} {
		if err := do(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// withdraw withdraws the first fact of the group.
func withdraw(ctx context.Context, client *annals.Client) error {
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: group, Limit: 1})
	if err != nil {
		return err
	}
	return client.WithdrawFact(ctx, group, facts[0].ID)
}

// forget undoes an episode of the group and erases another.
func forget(ctx context.Context, client *annals.Client) error {
	episodes, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: group, Limit: 2})
	if err != nil {
		return err
	}
	if _, err := client.Undo(ctx, group, episodes[0].ID); err != nil {
		return err
	}
	_, err = client.Erase(ctx, annals.Erasure{GroupID: group, EpisodeIDs: []uuid.UUID{episodes[1].ID}})
	return err
}
