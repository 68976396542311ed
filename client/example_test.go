package client_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"net/http/httptest"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/client"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/worker"
)

// remember is part of a program that accepts any memory, in its own process or
// served.
func remember(ctx context.Context, memory client.Memory) {
	for _, said := range []struct{ text, day string }{{"I live in Paris.", "2023-01-10"}, {"I moved to Lisbon.", "2024-03-15"}} {
		at, err := time.Parse(time.DateOnly, said.day)
		if err != nil {
			log.Fatal(err)
		}
		if _, err := memory.Add(ctx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: said.text, OccurredAt: at}); err != nil {
			log.Fatal(err)
		}
	}
	for { // a worker of the service reads them
		counts, err := memory.EpisodeCounts(ctx, "alice")
		if err != nil {
			log.Fatal(err)
		}
		if counts["done"] == 2 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	found, err := memory.Search(ctx, annals.Query{GroupID: "alice", Text: "Where does Alice live?"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Facts[0].Fact.Fact)
}

// A program written for Memory switches to a served one only where it opens it.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	address, key, end := serve(ctx) // or 'annals serve', and 'annals keys create'
	defer end()

	memory, err := client.New(client.Config{URL: address, Key: key})
	if err != nil {
		log.Fatal(err)
	}
	defer memory.Close()
	remember(ctx, memory)
	_, err = memory.Fact(ctx, "alice", annals.Fact{}.ID)
	fmt.Println(annals.CodeOf(err))
	// Output:
	// Alice moved to Lisbon.
	// not_found
}

// serve starts a service with a memory of its own.
func serve(ctx context.Context) (address, key string, end func()) {
	url, drop := pgtest.Example()
	embedded, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
	if err != nil {
		log.Fatal(err)
	}
	keys, err := server.ParseKeys("a-key-of-an-example")
	if err != nil {
		log.Fatal(err)
	}
	s := server.New(server.Options{Client: embedded, Keys: keys, Log: slog.New(slog.DiscardHandler)})
	rest.Mount(s, rest.Options{})
	listening := httptest.NewServer(s.Handler())
	working, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		_ = worker.Run(working, embedded, worker.Options{})
		close(ended)
	}()
	return listening.URL, "a-key-of-an-example", func() {
		stop()
		<-ended
		listening.Close()
		embedded.Close()
		drop()
	}
}
