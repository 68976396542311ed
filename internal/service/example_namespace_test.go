package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// application opens a memory with a namespace that has a graph and a user with a thread.
func application() (client *annals.Client, done func()) {
	client, done = empty()
	ctx := context.Background()
	_, err := service.New(client).CreateUser(ctx, service.User{GroupID: "acme:alice", FirstName: "Alice"})
	if err == nil {
		_, err = client.CreateGroup(ctx, annals.Group{ID: "acme:docs"})
	}
	if err == nil {
		_, err = client.CreateThread(ctx, annals.NewThread{GroupID: "acme:alice", ID: "chat"})
	}
	if err != nil {
		log.Fatal(err)
	}
	return client, done
}

func ExampleService_CreateUser() {
	ctx := context.Background()
	client, done := empty()
	defer done()
	user, err := service.New(client).CreateUser(ctx, service.User{GroupID: "acme:alice", FirstName: "Alice", Email: "alice@example.com"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.GroupID, user.Name(), user.Email)
	// Output: acme:alice Alice alice@example.com
}

func ExampleService_User() {
	ctx := context.Background()
	client, done := application()
	defer done()
	user, err := service.New(client).User(ctx, "acme:alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.Name())
	// Output: Alice
}

func ExampleService_UpdateUser() {
	ctx := context.Background()
	client, done := application()
	defer done()
	last := "Smith"
	user, err := service.New(client).UpdateUser(ctx, "acme:alice", service.UserChange{LastName: &last})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.Name())
	// Output: Alice Smith
}

func ExampleService_Users() {
	ctx := context.Background()
	client, done := application()
	defer done()
	users, total, err := service.New(client).Users(ctx, service.Page{Within: service.Within{Namespace: "acme"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(users[0].Name(), total)
	// Output: Alice 1
}

func ExampleService_Graphs() {
	ctx := context.Background()
	client, done := application()
	defer done()
	graphs, total, err := service.New(client).Graphs(ctx, service.Page{Within: service.Within{Namespace: "acme"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(graphs[0].ID, total)
	// Output: acme:docs 1
}

func ExampleService_CreateThreadWithin() {
	ctx := context.Background()
	client, done := application()
	defer done()
	_, err := service.New(client).CreateThreadWithin(ctx, service.Within{Namespace: "acme"}, annals.NewThread{GroupID: "acme:docs", ID: "chat"})
	fmt.Println(annals.CodeOf(err))
	// Output: conflict
}

func ExampleService_ThreadsWithin() {
	ctx := context.Background()
	client, done := application()
	defer done()
	threads, total, err := service.New(client).ThreadsWithin(ctx, service.Page{Within: service.Within{Namespace: "acme"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(threads[0].GroupID, threads[0].ID, total)
	// Output: acme:alice chat 1
}

func ExampleService_GroupOfThread() {
	ctx := context.Background()
	client, done := application()
	defer done()
	group, err := service.New(client).GroupOfThread(ctx, service.Within{Namespace: "acme"}, "chat")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group)
	// Output: acme:alice
}

func ExampleService_GroupOf() {
	ctx := context.Background()
	client, done := story()
	defer done()
	group, err := service.New(client).GroupOf(ctx, service.Within{}, graph.KindFact, home(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group)
	// Output: alice
}

func ExampleService_GroupOfUUID() {
	ctx := context.Background()
	client, done := application()
	defer done()
	group, err := service.New(client).GroupOfUUID(ctx, service.Within{Namespace: "acme"}, service.GroupUUID("acme:alice"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group)
	// Output: acme:alice
}

func ExampleService_ThreadOfUUID() {
	ctx := context.Background()
	client, done := application()
	defer done()
	chat, err := service.New(client).ThreadOfUUID(ctx, service.Within{Namespace: "acme"}, service.ThreadUUID("acme:alice", "chat"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(chat.GroupID, chat.ID)
	// Output: acme:alice chat
}
