package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// The best hits of each kind come first. Facts that have ended are left out by default.
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

// ContextAs returns the context for a prompt within a token budget, with dates in words.
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

// The latest episodes come first. A thread is one conversation.
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

// EpisodeCounts returns the number of episodes in each state.
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

// Trace explains what the graph got from an episode.
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

// Threads lists the conversations of a group, the latest first.
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

// Thread returns one conversation, with the number of messages since its summary.
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

// Ontology returns the types of entities and facts that a group looks for.
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

// Usage returns the cost of models by prompt: nothing without a model.
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

// Group returns a group, if it exists.
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

// Groups lists all groups by name.
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

// Without a language model, the offline rules read episodes.
func ExampleClient_Analyst() {
	client, done := empty()
	defer done()

	fmt.Println(client.Analyst())
	// Output:
	// offline
}

// Without an embedding model, vectors are made by feature hashing.
func ExampleClient_Embedder() {
	client, done := empty()
	defer done()

	fmt.Println(client.Embedder().Name())
	// Output:
	// offline:hash-1-384
}
