package annals_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pgtest"
)

// An episode is safe once Add returns. With an external id, adding it again changes nothing.
func ExampleClient_Add() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	episode := annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I live in Paris.", ExternalID: "message-17"}
	for range 2 {
		stored, err := client.Add(ctx, episode)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("new:", stored.New)
	}
	// Output:
	// new: true
	// new: false
}

// Several episodes are stored together, or none of them.
func ExampleClient_AddAll() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	_, err := client.AddAll(ctx, []annals.Episode{
		{GroupID: "alice", Actor: "Alice", Content: "I live in Paris."},
		{GroupID: "alice", Actor: "Alice", Content: ""},
	})
	fmt.Println(err)

	counts, err := client.EpisodeCounts(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("stored:", counts[graph.StatePending])
	// Output:
	// content: is empty
	// stored: 0
}

// An episode can be part of the application's own transaction: it exists if that commits, and otherwise
// not.
func ExampleClient_AddTx() {
	ctx := context.Background()
	url, drop := pgtest.Example()
	defer drop()
	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	conn, err := pgx.Connect(ctx, url) // the application's own
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close(ctx)

	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// … the application's own statements …
		_, err := client.AddTx(ctx, tx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I live in Paris."})
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	counts, err := client.EpisodeCounts(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("waiting:", counts[graph.StatePending])
	// Output:
	// waiting: 1
}

// Process reads waiting episodes into the graph and reports each.
func ExampleClient_Process() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	_, err := client.Add(ctx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I live in Paris."})
	if err != nil {
		log.Fatal(err)
	}
	err = client.Process(ctx, "alice", func(p annals.Processed) {
		fmt.Println(p.Episode.Content, p.Entities, "entities,", p.Facts, "fact, error:", p.Err)
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// I live in Paris. 2 entities, 1 fact, error: <nil>
}

// Deferred and failed episodes are read on request.
func ExampleClient_Retry() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	_, err := client.Add(ctx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I live in Paris.", Deferred: true})
	if err != nil {
		log.Fatal(err)
	}
	n, err := client.Retry(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("waiting again:", n)
	if err := client.Process(ctx, "alice", nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(home(client).Fact)
	// Output:
	// waiting again: 1
	// Alice lives in Paris.
}

// The former name stays as an alias.
func ExampleClient_RenameEntity() {
	ctx := context.Background()
	client, done := story()
	defer done()

	alice, err := client.Entity(ctx, "alice", "Alice")
	if err != nil {
		log.Fatal(err)
	}
	renamed, err := client.RenameEntity(ctx, "alice", alice.ID, "Alice Martin")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(renamed.Name, renamed.Aliases)
	// Output:
	// Alice Martin [Alice]
}

// Two people that were taken for one entity are separated by their facts.
func ExampleClient_SplitEntity() {
	ctx := context.Background()
	client, done := story()
	defer done()

	alice, err := client.Entity(ctx, "alice", "Alice")
	if err != nil {
		log.Fatal(err)
	}
	other, err := client.SplitEntity(ctx, "alice", alice.ID, "Alice Jones", []uuid.UUID{home(client).ID})
	if err != nil {
		log.Fatal(err)
	}
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "alice", EntityID: other.ID})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(f.Source, f.Predicate, f.Target)
	}
	// Output:
	// Alice Jones LIVES_IN Paris
}

// A fact is corrected by hand. The history keeps the version before.
func ExampleClient_EditFact() {
	ctx := context.Background()
	client, done := story()
	defer done()

	edited, err := client.EditFact(ctx, "alice", home(client).ID, annals.FactEdit{Fact: new("Alice lived in the north of Paris.")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(edited.Fact, edited.Valid)
	history, err := client.History(ctx, "alice", edited.ID)
	if err != nil {
		log.Fatal(err)
	}
	back, err := client.EditFact(ctx, "alice", edited.ID, annals.FactEdit{AsKnownAt: history[len(history)-2].Recorded.Start})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(back.Fact, back.Valid)
	// Output:
	// Alice lived in the north of Paris. [2023-01-10, 2024-03-04)
	// Alice lives in Paris. [2023-01-10, 2024-03-04)
}

// The facts of one statement are corrected together: all of them, or none.
func ExampleClient_EditFacts() {
	ctx := context.Background()
	client, done := story()
	defer done()

	edited, err := client.EditFacts(ctx, "alice", []uuid.UUID{home(client).ID}, annals.FactEdit{Attributes: json.RawMessage(`{"checked": true}`)})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range edited {
		fmt.Println(f.Predicate, f.Target, string(f.Attributes))
	}
	// Output:
	// LIVES_IN Paris {"checked": true}
}

// A fact that was never true is withdrawn. The history keeps that it was believed.
func ExampleClient_WithdrawFact() {
	ctx := context.Background()
	client, done := story()
	defer done()

	paris := home(client)
	if err := client.WithdrawFact(ctx, "alice", paris.ID); err != nil {
		log.Fatal(err)
	}
	fmt.Println("now:", home(client).Target)
	versions, err := client.History(ctx, "alice", paris.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("still believed:", versions[len(versions)-1].Current)
	// Output:
	// now: Lisbon
	// still believed: false
}

// A fact that was withdrawn by mistake is restored.
func ExampleClient_RestoreFact() {
	ctx := context.Background()
	client, done := story()
	defer done()

	paris := home(client)
	if err := client.WithdrawFact(ctx, "alice", paris.ID); err != nil {
		log.Fatal(err)
	}
	restored, err := client.RestoreFact(ctx, "alice", paris.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(restored.Fact, restored.Valid)
	// Output: Alice lives in Paris. [2023-01-10, 2024-03-04)
}

// Concurrent changes are detected: the second editor gets a conflict.
func ExampleClient_ReplaceOntology() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	seen, err := client.Ontology(ctx, "shop")
	if err != nil {
		log.Fatal(err)
	}
	for _, instructions := range []string{"Heed returns.", "Heed complaints."} {
		err := client.ReplaceOntology(ctx, "shop", seen, annals.Ontology{Instructions: instructions})
		fmt.Println("conflict:", annals.CodeOf(err) == annals.CodeConflict)
	}
	// Output:
	// conflict: false
	// conflict: true
}

// The summary of a thread grows with the thread.
func ExampleClient_SummariseThread() {
	ctx := context.Background()
	client, done := story()
	defer done()

	summary, err := client.SummariseThread(ctx, "alice", "chat")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary)
	// Output:
	// Alice lives in Paris. Alice moved to Lisbon last week.
}

// Entities that many facts connect form a community, with a name and a summary.
func ExampleClient_BuildCommunities() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	for _, pair := range [][2]string{{"Ana", "Ben"}, {"Ben", "Cleo"}, {"Cleo", "Ana"}, {"Xu", "Yan"}, {"Yan", "Zoe"}, {"Zoe", "Xu"}} {
		_, err := client.AddTriple(ctx, annals.Triple{
			GroupID: "staff", Source: graph.TripleEnd{Name: pair[0]}, Predicate: "KNOWS", Target: graph.TripleEnd{Name: pair[1]},
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	built, err := client.BuildCommunities(ctx, "staff")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(built.Communities, "communities of", built.Entities, "entities")
	// Output:
	// 2 communities of 6 entities
}

// Groups need not be created explicitly. There are two kinds, which are read alike.
func ExampleClient_CreateGroup() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	group, err := client.CreateGroup(ctx, annals.Group{ID: "alice", Kind: graph.GroupUser})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group.ID, group.Kind)
	_, err = client.CreateGroup(ctx, annals.Group{ID: "alice"})
	fmt.Println(err)
	// Output:
	// alice user
	// id: there is a group alice already
}
