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
		fmt.Println(hit.Told(), hit.Valid)
	}
	fmt.Println(len(found.Entities), "entities,", len(found.Episodes), "episodes")
	// Output:
	// Alice moved to Lisbon in the week of 4 March 2024. [2024-03-04, …)
	// Alice lives in Paris. [2023-01-10, 2024-03-04)
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
	// (since the week of 4 March 2024) Alice moved to Lisbon in the week of 4 March 2024.
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

	fmt.Println(client.Embedder().Name())
	// Output:
	// offline:hash-1-384
}
