package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// hooked opens the story with a webhook for failed episodes.
func hooked(ctx context.Context) (client *annals.Client, hook service.Webhook, done func()) {
	client, done = story()
	_, hook, err := service.New(client).CreateWebhook(ctx, service.WebhookSpec{
		GroupID: "alice", URL: "https://example.com/memory", Events: []service.Event{service.EventEpisodeFailed},
	})
	if err != nil {
		log.Fatal(err)
	}
	return client, hook, done
}

// The secret that signs deliveries is shown once.
func ExampleService_CreateWebhook() {
	ctx := context.Background()
	client, done := story()
	defer done()

	secret, hook, err := service.New(client).CreateWebhook(ctx, service.WebhookSpec{GroupID: "alice", URL: "https://example.com/memory"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(secret[:6], hook.Events)
	// Output:
	// whsec_ [batch.completed episode.failed episode.processed]
}

// Webhooks lists the webhooks of a group.
func ExampleService_Webhooks() {
	ctx := context.Background()
	client, _, done := hooked(ctx)
	defer done()

	hooks, err := service.New(client).Webhooks(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(hooks), hooks[0].URL)
	// Output:
	// 1 https://example.com/memory
}

// Webhook returns one of them.
func ExampleService_Webhook() {
	ctx := context.Background()
	client, hook, done := hooked(ctx)
	defer done()

	same, err := service.New(client).Webhook(ctx, "alice", hook.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(same.Events)
	// Output:
	// [episode.failed]
}

// UpdateWebhook changes the URL of a webhook, and keeps its secret.
func ExampleService_UpdateWebhook() {
	ctx := context.Background()
	client, hook, done := hooked(ctx)
	defer done()

	moved, err := service.New(client).UpdateWebhook(ctx, hook.ID, service.WebhookSpec{GroupID: "alice", URL: "https://example.org/memory"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(moved.URL)
	// Output:
	// https://example.org/memory
}

// A deleted webhook gets no more deliveries.
func ExampleService_DeleteWebhook() {
	ctx := context.Background()
	client, hook, done := hooked(ctx)
	defer done()

	fmt.Println(service.New(client).DeleteWebhook(ctx, "alice", hook.ID))
	fmt.Println(service.New(client).DeleteWebhook(ctx, "alice", hook.ID))
	// Output:
	// <nil>
	// webhook: the group has none with this id
}

// Deliveries lists what was sent to a webhook; nothing failed so far.
func ExampleService_Deliveries() {
	ctx := context.Background()
	client, hook, done := hooked(ctx)
	defer done()

	told, err := service.New(client).Deliveries(ctx, "alice", hook.ID, 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(told))
	// Output:
	// 0
}

// An upload notifies webhooks once all of it has been read.
func ExampleService_CompleteUpload() {
	ctx := context.Background()
	client, done := story()
	defer done()

	added, err := client.AddAll(ctx, []annals.Episode{
		{GroupID: "alice", Content: "I like tea."}, {GroupID: "alice", Content: "I play chess."},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(service.New(client).CompleteUpload(ctx, "alice", service.Upload{
		ID: uuid.Must(uuid.NewV7()), First: added[0].ID, Last: added[1].ID, Episodes: 2,
	}))
	// Output:
	// <nil>
}
