package annals_test

import (
	"context"
	"go/doc"
	"go/parser"
	"go/token"
	"log"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
)

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
		{GroupID: "alice", ThreadID: "chat", Actor: "Alice", Content: "I live in Paris.", OccurredAt: day(2023, 1, 10)},
		{GroupID: "alice", ThreadID: "chat", Actor: "Alice", Content: "I moved to Lisbon last week.", OccurredAt: day(2024, 3, 15)},
	})
	if err != nil {
		return err
	}
	return client.Process(ctx, "alice", nil)
})

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

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

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

// Every method of Client has an example, which also documents it.
func TestEveryMethodHasAnExample(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("example*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, example := range doc.Examples(file) {
			shown[strings.TrimPrefix(example.Name, "Client_")] = example.Output != ""
		}
	}
	client := reflect.TypeFor[*annals.Client]()
	if n := client.NumMethod(); n > 80 {
		t.Errorf("Client has %d methods, too many to look through: what servers and operators need belongs in package service", n)
	}
	for i := range client.NumMethod() {
		if name := client.Method(i).Name; !shown[name] {
			t.Errorf("Client.%s has no example with an output", name)
		}
	}
}
