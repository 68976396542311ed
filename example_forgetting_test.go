package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
)

// Without the second episode, Alice never left Paris.
func ExampleClient_Undo() {
	ctx := context.Background()
	client, done := story()
	defer done()

	undone, err := client.Undo(ctx, "alice", last(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(undone.FactsRemoved, "fact removed,", undone.FactsReopened, "holds again")
	fmt.Println(home(client).Fact, home(client).Valid)
	// Output:
	// 1 fact removed, 1 holds again
	// Alice lives in Paris. [2023-01-10, …)
}

// UndoAll undoes several episodes at once.
func ExampleClient_UndoAll() {
	ctx := context.Background()
	client, done := story()
	defer done()

	episodes, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	undoing := annals.Undoing{GroupID: "alice"}
	for _, e := range episodes {
		undoing.EpisodeIDs = append(undoing.EpisodeIDs, e.ID)
	}
	undone, err := client.UndoAll(ctx, undoing)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(undone.Episodes, "episodes,", undone.FactsRemoved, "facts,", undone.EntitiesRemoved, "entities")
	// Output:
	// 2 episodes, 2 facts, 3 entities
}

// Erased content leaves no trace, and is refused if it comes again by accident.
func ExampleClient_Erase() {
	ctx := context.Background()
	client, done := story()
	defer done()

	erased := last(client)
	certificate, err := client.Erase(ctx, annals.Erasure{GroupID: "alice", EpisodeIDs: []uuid.UUID{erased.ID}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(certificate.Scope, certificate.Episodes)
	_, err = client.Add(ctx, annals.Episode{GroupID: "alice", Content: erased.Content})
	fmt.Println("refused:", annals.CodeOf(err) == annals.CodeConflict)
	// Output:
	// episode 1
	// refused: true
}

// With this policy a group keeps only its latest episodes.
func ExampleClient_SetRetention() {
	ctx := context.Background()
	client, done := story()
	defer done()

	err := client.SetRetention(ctx, "alice", annals.Retention{MaxEpisodes: 1})
	if err != nil {
		log.Fatal(err)
	}
	kept, err := client.Retention(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(kept.MaxEpisodes)
	// Output:
	// 1
}

// A group without a policy keeps everything.
func ExampleClient_Retention() {
	ctx := context.Background()
	client, done := story()
	defer done()

	policy, err := client.Retention(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(policy == annals.Retention{})
	// Output:
	// true
}

// ApplyRetention undoes the episodes beyond the policy.
func ExampleClient_ApplyRetention() {
	ctx := context.Background()
	client, done := story()
	defer done()

	err := client.SetRetention(ctx, "alice", annals.Retention{MaxEpisodes: 1})
	if err != nil {
		log.Fatal(err)
	}
	undone, err := client.ApplyRetention(ctx, "alice", false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(undone.Episodes, "episode taken back")
	fmt.Println(last(client).Content)
	// Output:
	// 1 episode taken back
	// I moved to Lisbon last week.
}
