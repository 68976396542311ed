package annals_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
)

// A conversation can be made before anything is said in it.
func ExampleClient_CreateThread() {
	ctx := context.Background()
	client, done := story()
	defer done()

	thread, err := client.CreateThread(ctx, annals.NewThread{GroupID: "alice", ID: "support", Metadata: json.RawMessage(`{"ticket": 7}`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(thread.ID, thread.Messages, string(thread.Metadata))
	// Output:
	// support 0 {"ticket": 7}
}

// Within an application the name of a conversation is enough to find it.
func ExampleClient_CreateThreadWithin() {
	ctx := context.Background()
	client, done := people()
	defer done()

	acme := annals.Within{Namespace: "acme"}
	if _, err := client.CreateThreadWithin(ctx, acme, annals.NewThread{GroupID: "acme:ana", ID: "hello"}); err != nil {
		log.Fatal(err)
	}
	_, err := client.CreateThreadWithin(ctx, acme, annals.NewThread{GroupID: "acme:ben", ID: "hello"})
	fmt.Println(err)
	// Output:
	// thread_id: there is a thread "hello" already
}

// Whose conversation it is.
func ExampleClient_GroupOfThread() {
	ctx := context.Background()
	client, done := people()
	defer done()

	if _, err := client.CreateThread(ctx, annals.NewThread{GroupID: "acme:ben", ID: "hello"}); err != nil {
		log.Fatal(err)
	}
	group, err := client.GroupOfThread(ctx, annals.Within{Namespace: "acme"}, "hello")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group)
	// Output:
	// acme:ben
}

// The conversations of an application, and how many there are on all pages.
func ExampleClient_ThreadsWithin() {
	ctx := context.Background()
	client, done := people()
	defer done()

	for _, t := range []annals.NewThread{{GroupID: "acme:ana", ID: "hello"}, {GroupID: "acme:ben", ID: "support"}} {
		if _, err := client.CreateThread(ctx, t); err != nil {
			log.Fatal(err)
		}
	}
	threads, total, err := client.ThreadsWithin(ctx, annals.Page{
		Within: annals.Within{Namespace: "acme"}, OrderBy: "thread_id", Ascending: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range threads {
		fmt.Println(t.ID, "of", t.GroupID)
	}
	fmt.Println(total, "in all")
	// Output:
	// hello of acme:ana
	// support of acme:ben
	// 2 in all
}

// What was said, from the beginning.
func ExampleClient_Messages() {
	ctx := context.Background()
	client, done := story()
	defer done()

	messages, err := client.Messages(ctx, "alice", "chat", 0, 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range messages {
		fmt.Println(m.Speaker()+":", m.Content)
	}
	// Output:
	// Alice: I live in Paris.
	// Alice: I moved to Lisbon last week.
}

// With a conversation goes what is known from it.
func ExampleClient_DeleteThread() {
	ctx := context.Background()
	client, done := story()
	defer done()

	undone, err := client.DeleteThread(ctx, "alice", "chat", false)
	if err != nil {
		log.Fatal(err)
	}
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(undone.FactsRemoved, "facts removed,", len(facts), "left")
	// Output:
	// 2 facts removed, 0 left
}

// A template is kept as it is.
func ExampleClient_CreateTemplate() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	kept, err := client.CreateTemplate(ctx, "acme", annals.Template{ID: "short", Template: "%{edges limit=3}"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(kept.ID, kept.Template)
	// Output:
	// short %{edges limit=3}
}

// A template is found by its id.
func ExampleClient_Template() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	if _, err := client.CreateTemplate(ctx, "acme", annals.Template{ID: "short", Template: "%{edges limit=3}"}); err != nil {
		log.Fatal(err)
	}
	kept, err := client.Template(ctx, "acme", "short")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(kept.Template)
	_, err = client.Template(ctx, "other", "short")
	fmt.Println(err)
	// Output:
	// %{edges limit=3}
	// template: there is none called "short"
}

// The templates of an application, the oldest first.
func ExampleClient_Templates() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	for _, id := range []string{"short", "long"} {
		if _, err := client.CreateTemplate(ctx, "acme", annals.Template{ID: id, Template: "%{edges}"}); err != nil {
			log.Fatal(err)
		}
	}
	templates, err := client.Templates(ctx, "acme")
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range templates {
		fmt.Println(t.ID)
	}
	// Output:
	// short
	// long
}

// A template gets another text.
func ExampleClient_UpdateTemplate() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	if _, err := client.CreateTemplate(ctx, "acme", annals.Template{ID: "short", Template: "%{edges limit=3}"}); err != nil {
		log.Fatal(err)
	}
	kept, err := client.UpdateTemplate(ctx, "acme", annals.Template{ID: "short", Template: "%{edges limit=5}"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(kept.Template)
	// Output:
	// %{edges limit=5}
}

// A template that is not there cannot be removed.
func ExampleClient_DeleteTemplate() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	if _, err := client.CreateTemplate(ctx, "acme", annals.Template{ID: "short", Template: "%{edges}"}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(client.DeleteTemplate(ctx, "acme", "short"))
	fmt.Println(client.DeleteTemplate(ctx, "acme", "short"))
	// Output:
	// <nil>
	// template: there is none called "short"
}
