package annals_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
)

// hooked is the story with a webhook that is told of what fails.
func hooked(ctx context.Context) (client *annals.Client, hook annals.Webhook, done func()) {
	client, done = story()
	_, hook, err := client.CreateWebhook(ctx, annals.WebhookSpec{
		GroupID: "alice", URL: "https://example.com/memory", Events: []annals.Event{annals.EventEpisodeFailed},
	})
	if err != nil {
		log.Fatal(err)
	}
	return client, hook, done
}

// The secret that deliveries are signed with is shown once.
func ExampleClient_CreateWebhook() {
	ctx := context.Background()
	client, done := story()
	defer done()

	secret, hook, err := client.CreateWebhook(ctx, annals.WebhookSpec{GroupID: "alice", URL: "https://example.com/memory"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(secret[:6], hook.Events)
	// Output:
	// whsec_ [batch.completed episode.failed episode.processed]
}

// The webhooks of a group.
func ExampleClient_Webhooks() {
	ctx := context.Background()
	client, _, done := hooked(ctx)
	defer done()

	hooks, err := client.Webhooks(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(hooks), hooks[0].URL)
	// Output:
	// 1 https://example.com/memory
}

// One of them.
func ExampleClient_Webhook() {
	ctx := context.Background()
	client, hook, done := hooked(ctx)
	defer done()

	same, err := client.Webhook(ctx, "alice", hook.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(same.Events)
	// Output:
	// [episode.failed]
}

// A webhook moves, and keeps its secret.
func ExampleClient_UpdateWebhook() {
	ctx := context.Background()
	client, hook, done := hooked(ctx)
	defer done()

	moved, err := client.UpdateWebhook(ctx, hook.ID, annals.WebhookSpec{GroupID: "alice", URL: "https://example.org/memory"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(moved.URL)
	// Output:
	// https://example.org/memory
}

// A webhook is told nothing more.
func ExampleClient_DeleteWebhook() {
	ctx := context.Background()
	client, hook, done := hooked(ctx)
	defer done()

	fmt.Println(client.DeleteWebhook(ctx, "alice", hook.ID))
	fmt.Println(client.DeleteWebhook(ctx, "alice", hook.ID))
	// Output:
	// <nil>
	// webhook: the group has none with this id
}

// What a webhook was told; nothing failed so far.
func ExampleClient_Deliveries() {
	ctx := context.Background()
	client, hook, done := hooked(ctx)
	defer done()

	told, err := client.Deliveries(ctx, "alice", hook.ID, 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(told))
	// Output:
	// 0
}

// Webhooks hear of an upload when all of it has been read.
func ExampleClient_EndUpload() {
	ctx := context.Background()
	client, done := story()
	defer done()

	added, err := client.AddAll(ctx, []annals.Episode{
		{GroupID: "alice", Content: "I like tea."}, {GroupID: "alice", Content: "I play chess."},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(client.EndUpload(ctx, "alice", annals.Upload{
		ID: uuid.Must(uuid.NewV7()), First: added[0].ID, Last: added[1].ID, Episodes: 2,
	}))
	// Output:
	// <nil>
}

// What waits for a worker, of all groups.
func ExampleClient_Queue() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if _, err := client.Add(ctx, annals.Episode{GroupID: "bob", Content: "I like tea."}); err != nil {
		log.Fatal(err)
	}
	queue, err := client.Queue(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(queue.Episodes, "episode of", queue.Groups, "group")
	// Output:
	// 1 episode of 1 group
}

// A worker reads what waits until it is told to stop.
func ExampleClient_Work() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	client, done := empty()
	defer done()
	defer stop()

	working := make(chan error)
	go func() { working <- client.Work(ctx, annals.WorkOptions{}) }()
	if _, err := client.Add(ctx, annals.Episode{GroupID: "bob", Actor: "Bob", Content: "I live in Rome."}); err != nil {
		log.Fatal(err)
	}
	for {
		facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "bob"})
		if err != nil {
			log.Fatal(err)
		}
		if len(facts) > 0 {
			fmt.Println(facts[0].Fact)
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	<-working
	// Output:
	// Bob lives in Rome.
}
