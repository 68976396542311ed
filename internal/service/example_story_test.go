package service_test

import (
	"context"
	"log"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
)

// empty opens an empty memory.
func empty() (client *annals.Client, done func()) { return opened(pgtest.Example()) }

func opened(url string, drop func()) (client *annals.Client, done func()) {
	client, err := annals.Open(context.Background(), annals.Config{DatabaseURL: url})
	if err != nil {
		log.Fatal(err)
	}
	return client, func() {
		client.Close()
		drop()
	}
}

// story opens a memory in which Alice lived in Paris and moved to Lisbon.
func story() (client *annals.Client, done func()) { return opened(aliceMoved.Example()) }

var aliceMoved = pgtest.Prepare(func(url string) error {
	ctx := context.Background()
	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
	if err != nil {
		return err
	}
	defer client.Close()
	_, err = client.AddAll(ctx, []annals.Episode{
		{GroupID: "alice", ThreadID: "chat", Actor: "Alice", Content: "I live in Paris.", OccurredAt: time.Date(2023, 1, 10, 0, 0, 0, 0, time.UTC)},
		{GroupID: "alice", ThreadID: "chat", Actor: "Alice", Content: "I moved to Lisbon last week.", OccurredAt: time.Date(2024, 3, 15, 0, 0, 0, 0, time.UTC)},
	})
	if err != nil {
		return err
	}
	return client.Process(ctx, "alice", nil)
})

// home returns the fact that Alice lived in Paris.
func home(client *annals.Client) annals.Fact {
	facts, err := client.Facts(context.Background(), annals.FactFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	return facts[0]
}

// last returns the latest episode.
func last(client *annals.Client) annals.Episode {
	episodes, err := client.Episodes(context.Background(), annals.EpisodeFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	return episodes[0]
}
