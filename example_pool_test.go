package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
)

// A program with its own pool shares it with the memory. It stores its own row and an episode in
// one transaction.
func ExampleOpen_pool() {
	ctx := context.Background()
	url, drop := pgtest.Example()
	defer drop()
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()

	client, err := annals.Open(ctx, annals.Config{Pool: pool})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close() // the pool stays open

	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "CREATE TABLE orders (item text)"); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO orders VALUES ('a lamp')"); err != nil {
			return err
		}
		_, err := client.AddTx(ctx, tx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I ordered a lamp."})
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	episodes, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(episodes[0].Content)
	// Output: I ordered a lamp.
}
