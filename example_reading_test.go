package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// The best of each kind come first. Facts that have ended are left out, unless they are asked for.
func ExampleClient_Search() {
	ctx := context.Background()
	client, done := story()
	defer done()

	found, err := client.Search(ctx, annals.Query{GroupID: "alice", Text: "Where does Alice live?", IncludeEnded: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range found.Facts {
		fmt.Println(hit.Fact.Fact, hit.Valid)
	}
	fmt.Println(len(found.Entities), "entities,", len(found.Episodes), "episodes")
	// Output:
	// Alice lives in Paris. [2023-01-10, 2024-03-08)
	// Alice moved to Lisbon last week. [2024-03-08, …)
	// 3 entities, 2 episodes
}

// The context for a prompt within a budget, with dates in words.
func ExampleClient_ContextAs() {
	ctx := context.Background()
	client, done := story()
	defer done()

	text, err := client.ContextAs(ctx, annals.Query{GroupID: "alice", Text: "Where does Alice live?", Limit: 1},
		annals.Construction{Tokens: 100, Words: true, Template: "{{range .Facts}}{{.Line}}\n{{end}}"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
	// Output:
	// Alice moved to Lisbon last week. (since 8 March 2024)
}

// The world as it was at a time.
func ExampleClient_Facts() {
	ctx := context.Background()
	client, done := story()
	defer done()

	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "alice", ValidAt: day(2023, 6, 1)})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range facts {
		fmt.Println(f.Source, f.Predicate, f.Target)
	}
	// Output:
	// Alice LIVES_IN Paris
}

// Those that are mentioned most come first.
func ExampleClient_Entities() {
	ctx := context.Background()
	client, done := story()
	defer done()

	entities, err := client.Entities(ctx, annals.EntityFilter{GroupID: "alice", Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range entities {
		fmt.Println(e.Name, e.Labels)
	}
	// Output:
	// Alice [Person]
}

// An entity is found by its id, or by a name that only one goes by.
func ExampleClient_Entity() {
	ctx := context.Background()
	client, done := story()
	defer done()

	alice, err := client.Entity(ctx, "alice", "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(alice.Name, alice.Labels)
	// Output:
	// Alice [Person]
}

// What was known of an entity at a time: of nobody before the first episode was read.
func ExampleClient_EntityAt() {
	ctx := context.Background()
	client, done := story()
	defer done()

	_, err := client.EntityAt(ctx, "alice", "Alice", day(2020, 1, 1))
	fmt.Println("known in 2020:", annals.CodeOf(err) != annals.CodeNotFound)

	lisbon, err := client.Entity(ctx, "alice", "Lisbon")
	if err != nil {
		log.Fatal(err)
	}
	then, err := client.EntityAt(ctx, "alice", "Lisbon", lisbon.CreatedAt)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(then.Name, "was known when it was first mentioned")
	// Output:
	// known in 2020: false
	// Lisbon was known when it was first mentioned
}

// Every state an entity was in, the oldest first.
func ExampleClient_EntityHistory() {
	ctx := context.Background()
	client, done := story()
	defer done()

	alice, err := client.Entity(ctx, "alice", "Alice")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.RenameEntity(ctx, "alice", alice.ID, "Alice Martin"); err != nil {
		log.Fatal(err)
	}
	versions, err := client.EntityHistory(ctx, "alice", alice.ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range versions {
		fmt.Println(v.Name, "by hand:", len(v.CausedBy) == 0, "current:", v.Current)
	}
	// Output:
	// Alice by hand: false current: false
	// Alice by hand: false current: false
	// Alice Martin by hand: true current: true
}

// Every state a fact was in: first it held on, then it was known to have ended.
func ExampleClient_History() {
	ctx := context.Background()
	client, done := story()
	defer done()

	versions, err := client.History(ctx, "alice", home(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range versions {
		fmt.Println(v.Fact.Fact, v.Valid, "current:", v.Current)
	}
	// Output:
	// Alice lives in Paris. [2023-01-10, …) current: false
	// Alice lives in Paris. [2023-01-10, 2024-03-08) current: true
}

// What changed when, in words.
func ExampleClient_Timeline() {
	ctx := context.Background()
	client, done := story()
	defer done()

	changes, err := client.Timeline(ctx, annals.TimelineFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range changes {
		fmt.Println(c.At.Format("2006-01-02"), c.Event+":", c.Words)
	}
	// Output:
	// 2023-01-10 began: Alice lives in Paris.
	// 2024-03-08 ended: No longer: Alice lives in Paris.
	// 2024-03-08 began: Alice moved to Lisbon last week.
}

// What is believed otherwise than it was.
func ExampleClient_Diff() {
	ctx := context.Background()
	client, done := story()
	defer done()

	before := last(client).CreatedAt // both were stored, none was read
	diff, err := client.Diff(ctx, annals.DiffFilter{GroupID: "alice", From: before})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range diff.Facts {
		fmt.Println(c.Change+":", c.After.Fact, c.After.Valid)
	}
	// Output:
	// added: Alice lives in Paris. [2023-01-10, 2024-03-08)
	// added: Alice moved to Lisbon last week. [2024-03-08, …)
}

// Episodes are kept word for word.
func ExampleClient_Episode() {
	ctx := context.Background()
	client, done := story()
	defer done()

	episode, err := client.Episode(ctx, "alice", last(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(episode.Speaker()+":", episode.Content, episode.State)
	// Output:
	// Alice: I moved to Lisbon last week. done
}

// The latest come first; a thread is one conversation.
func ExampleClient_Episodes() {
	ctx := context.Background()
	client, done := story()
	defer done()

	episodes, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: "alice", ThreadID: "chat"})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range episodes {
		fmt.Println(e.OccurredAt.Format("2006-01-02"), e.Content)
	}
	// Output:
	// 2024-03-15 I moved to Lisbon last week.
	// 2023-01-10 I live in Paris.
}

// How far a group's episodes have come.
func ExampleClient_EpisodeCounts() {
	ctx := context.Background()
	client, done := story()
	defer done()

	counts, err := client.EpisodeCounts(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counts[graph.StateDone], "done,", counts[graph.StatePending], "waiting,", counts[graph.StateFailed], "failed")
	// Output:
	// 2 done, 0 waiting, 0 failed
}

// Why the graph has of an episode what it has.
func ExampleClient_Trace() {
	ctx := context.Background()
	client, done := story()
	defer done()

	trace, err := client.Trace(ctx, "alice", last(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range trace {
		if t.Decision == "closed" {
			fmt.Println(t.Step+":", t.Decision, t.Subject)
		}
	}
	// Output:
	// apply time: closed Alice lives in Paris.
}

// The conversations of a group, the latest first.
func ExampleClient_Threads() {
	ctx := context.Background()
	client, done := story()
	defer done()

	threads, err := client.Threads(ctx, annals.ThreadFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range threads {
		fmt.Println(t.ID, t.Messages, "messages, the last on", t.LastAt.Format("2006-01-02"))
	}
	// Output:
	// chat 2 messages, the last on 2024-03-15
}

// One conversation, and how much of it is not in its summary.
func ExampleClient_Thread() {
	ctx := context.Background()
	client, done := story()
	defer done()

	thread, err := client.Thread(ctx, "alice", "chat")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(thread.Messages, "messages,", thread.Unsummarised, "since the summary")
	// Output:
	// 2 messages, 2 since the summary
}

// Communities with their members, the biggest first.
func ExampleClient_Communities() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	for _, pair := range [][2]string{{"Ana", "Ben"}, {"Ben", "Cleo"}, {"Cleo", "Ana"}} {
		_, err := client.AddTriple(ctx, annals.Triple{
			GroupID: "staff", Source: graph.TripleEnd{Name: pair[0]}, Predicate: "KNOWS", Target: graph.TripleEnd{Name: pair[1]},
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	if _, err := client.BuildCommunities(ctx, "staff"); err != nil {
		log.Fatal(err)
	}
	communities, err := client.Communities(ctx, annals.CommunityFilter{GroupID: "staff"})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range communities {
		for _, member := range c.Members {
			fmt.Println(member.Name)
		}
	}
	// Output:
	// Ana
	// Ben
	// Cleo
}

// What a group looks for.
func ExampleClient_Ontology() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	err := client.SetOntology(ctx, "shop", annals.Ontology{Instructions: "Heed returns and complaints."})
	if err != nil {
		log.Fatal(err)
	}
	kept, err := client.Ontology(ctx, "shop")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(kept.Instructions)
	// Output:
	// Heed returns and complaints.
}

// What models have cost a group: nothing without one.
func ExampleClient_Usage() {
	ctx := context.Background()
	client, done := story()
	defer done()

	usage, err := client.Usage(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(usage), "prompts were asked")
	// Output:
	// 0 prompts were asked
}

// One group, if it is there.
func ExampleClient_Group() {
	ctx := context.Background()
	client, done := story()
	defer done()

	group, err := client.Group(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group.ID, group.Kind)
	_, err = client.Group(ctx, "bob")
	fmt.Println(err)
	// Output:
	// alice graph
	// group: there is none called "bob"
}

// The groups there are, by their names.
func ExampleClient_Groups() {
	ctx := context.Background()
	client, done := story()
	defer done()

	groups, err := client.Groups(ctx, annals.GroupFilter{})
	if err != nil {
		log.Fatal(err)
	}
	for _, g := range groups {
		fmt.Println(g.ID)
	}
	// Output:
	// alice
}

// Where there is something to process.
func ExampleClient_WaitingGroups() {
	ctx := context.Background()
	client, done := story()
	defer done()

	_, err := client.Add(ctx, annals.Episode{GroupID: "bob", Actor: "Bob", Content: "I live in Rome."})
	if err != nil {
		log.Fatal(err)
	}
	waiting, err := client.WaitingGroups(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(waiting)
	// Output:
	// [bob]
}

// Who reads episodes; without a language model the offline rules.
func ExampleClient_Analyst() {
	client, done := empty()
	defer done()

	fmt.Println(client.Analyst())
	// Output:
	// offline
}

// What makes the vectors; without a model feature hashing.
func ExampleClient_Embedder() {
	client, done := empty()
	defer done()

	fmt.Println(client.Embedder())
	// Output:
	// offline:hash-1-384
}

// What the database runs on.
func ExampleClient_Server() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	server, err := client.Server(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("known:", server.Version != "" && server.PgvectorVersion != "", "dimensions:", server.EmbeddingDimension)
	// Output:
	// known: true dimensions: 384
}

// One fact as it is believed now: it ended when Alice moved.
func ExampleClient_Fact() {
	ctx := context.Background()
	client, done := story()
	defer done()

	fact, err := client.Fact(ctx, "alice", home(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fact.Fact, fact.Valid)
	// Output:
	// Alice lives in Paris. [2023-01-10, 2024-03-08)
}
