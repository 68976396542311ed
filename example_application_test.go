package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// application opens a memory with a namespace in which there are a user, who
// has begun a conversation, and a graph.
func application() (client *annals.Client, done func()) {
	client, done = empty()
	ctx := context.Background()
	_, err := client.CreateUser(ctx, annals.User{GroupID: "acme:alice", FirstName: "Alice"})
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

// collected is an application with a batch of one message.
func collected() (client *annals.Client, batch annals.Batch, done func()) {
	client, done = application()
	ctx := context.Background()
	batch, err := client.CreateBatch(ctx, "acme", annals.Batch{})
	if err == nil {
		_, err = client.AddToBatch(ctx, "acme", batch.ID, []annals.Episode{{
			GroupID: "acme:alice", Source: graph.SourceMessage, Actor: "Alice", ThreadID: "chat", Content: "I live in Paris.",
		}})
	}
	if err != nil {
		log.Fatal(err)
	}
	return client, batch, done
}

func ExampleClient_CreateUser() {
	ctx := context.Background()
	client, done := empty()
	defer done()
	user, err := client.CreateUser(ctx, annals.User{GroupID: "acme:alice", FirstName: "Alice", Email: "alice@example.com"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.GroupID, user.Name(), user.Email)
	// Output: acme:alice Alice alice@example.com
}

func ExampleClient_User() {
	ctx := context.Background()
	client, done := application()
	defer done()
	user, err := client.User(ctx, "acme:alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.Name())
	// Output: Alice
}

func ExampleClient_UpdateUser() {
	ctx := context.Background()
	client, done := application()
	defer done()
	last := "Smith"
	user, err := client.UpdateUser(ctx, "acme:alice", annals.UserChange{LastName: &last})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.Name())
	// Output: Alice Smith
}

func ExampleClient_Users() {
	ctx := context.Background()
	client, done := application()
	defer done()
	users, total, err := client.Users(ctx, annals.Page{Within: annals.Within{Namespace: "acme"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(users[0].Name(), total)
	// Output: Alice 1
}

func ExampleClient_Graphs() {
	ctx := context.Background()
	client, done := application()
	defer done()
	graphs, total, err := client.Graphs(ctx, annals.Page{Within: annals.Within{Namespace: "acme"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(graphs[0].ID, total)
	// Output: acme:docs 1
}

func ExampleClient_UpdateGroup() {
	ctx := context.Background()
	client, done := application()
	defer done()
	name := "Documents"
	group, err := client.UpdateGroup(ctx, "acme:docs", annals.GroupChange{Name: &name})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group.ID, group.Name)
	// Output: acme:docs Documents
}

func ExampleClient_CreateThread() {
	ctx := context.Background()
	client, done := application()
	defer done()
	thread, err := client.CreateThread(ctx, annals.NewThread{GroupID: "acme:alice", ID: "chat-2"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(thread.ID, thread.Messages)
	// Output: chat-2 0
}

func ExampleClient_CreateThreadWithin() {
	ctx := context.Background()
	client, done := application()
	defer done()
	_, err := client.CreateThreadWithin(ctx, annals.Within{Namespace: "acme"}, annals.NewThread{GroupID: "acme:docs", ID: "chat"})
	fmt.Println(annals.CodeOf(err))
	// Output: conflict
}

func ExampleClient_ThreadsWithin() {
	ctx := context.Background()
	client, done := application()
	defer done()
	threads, total, err := client.ThreadsWithin(ctx, annals.Page{Within: annals.Within{Namespace: "acme"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(threads[0].GroupID, threads[0].ID, total)
	// Output: acme:alice chat 1
}

func ExampleClient_GroupOfThread() {
	ctx := context.Background()
	client, done := application()
	defer done()
	group, err := client.GroupOfThread(ctx, annals.Within{Namespace: "acme"}, "chat")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group)
	// Output: acme:alice
}

func ExampleClient_DeleteThread() {
	ctx := context.Background()
	client, done := story()
	defer done()
	undone, err := client.DeleteThread(ctx, "alice", "chat", false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(undone.Episodes, undone.FactsRemoved)
	// Output: 2 2
}

func ExampleClient_Messages() {
	ctx := context.Background()
	client, done := story()
	defer done()
	messages, err := client.Messages(ctx, "alice", "chat", 0, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(messages[0].Content)
	// Output: I live in Paris.
}

func ExampleClient_GroupOf() {
	ctx := context.Background()
	client, done := story()
	defer done()
	group, err := client.GroupOf(ctx, annals.Within{}, graph.KindFact, home(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group)
	// Output: alice
}

func ExampleClient_AddInstructions() {
	ctx := context.Background()
	client, done := application()
	defer done()
	told := annals.Told{Namespace: "acme"}
	err := client.AddInstructions(ctx, told, annals.PurposeGraph, []annals.Instruction{{Name: "food", Text: "Note what people eat."}})
	if err != nil {
		log.Fatal(err)
	}
	ontology, err := client.Ontology(ctx, "acme:alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ontology.Instructions)
	// Output: Note what people eat.
}

func ExampleClient_Instructions() {
	ctx := context.Background()
	client, done := application()
	defer done()
	told := annals.Told{Namespace: "acme", GroupID: "acme:alice"}
	if err := client.AddInstructions(ctx, told, annals.PurposeSummary, []annals.Instruction{{Name: "food", Text: "What do they eat?"}}); err != nil {
		log.Fatal(err)
	}
	instructions, err := client.Instructions(ctx, told, annals.PurposeSummary)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(instructions)
	// Output: [{food What do they eat?}]
}

func ExampleClient_DeleteInstructions() {
	ctx := context.Background()
	client, done := application()
	defer done()
	told := annals.Told{Namespace: "acme"}
	err := client.DeleteInstructions(ctx, told, annals.PurposeGraph, nil)
	fmt.Println(err)
	// Output: <nil>
}

func ExampleClient_SetNamespaceOntology() {
	ctx := context.Background()
	client, done := application()
	defer done()
	types := annals.Ontology{EntityTypes: []graph.EntityType{{Name: "Project"}}}
	if err := client.SetNamespaceOntology(ctx, "acme", types); err != nil {
		log.Fatal(err)
	}
	ontology, err := client.Ontology(ctx, "acme:docs")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ontology.EntityTypes[0].Name)
	// Output: Project
}

func ExampleClient_Adopt() {
	ctx := context.Background()
	client, done := application()
	defer done()
	if err := client.SetNamespaceOntology(ctx, "acme", annals.Ontology{EntityTypes: []graph.EntityType{{Name: "Project"}}}); err != nil {
		log.Fatal(err)
	}
	if _, err := client.CreateGroup(ctx, annals.Group{ID: "acme:later"}); err != nil {
		log.Fatal(err)
	}
	if err := client.Adopt(ctx, "acme", "acme:later"); err != nil {
		log.Fatal(err)
	}
	ontology, err := client.Ontology(ctx, "acme:later")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ontology.EntityTypes[0].Name)
	// Output: Project
}

func ExampleClient_CreateTemplate() {
	ctx := context.Background()
	client, done := application()
	defer done()
	template, err := client.CreateTemplate(ctx, "acme", annals.Template{ID: "short", Template: "%{edges}"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(template.ID)
	// Output: short
}

func ExampleClient_Template() {
	ctx := context.Background()
	client, done := application()
	defer done()
	_, err := client.Template(ctx, "acme", "short")
	fmt.Println(annals.CodeOf(err))
	// Output: not_found
}

func ExampleClient_Templates() {
	ctx := context.Background()
	client, done := application()
	defer done()
	templates, err := client.Templates(ctx, "acme")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(templates))
	// Output: 0
}

func ExampleClient_UpdateTemplate() {
	ctx := context.Background()
	client, done := application()
	defer done()
	_, err := client.UpdateTemplate(ctx, "acme", annals.Template{ID: "short", Template: "%{edges}"})
	fmt.Println(annals.CodeOf(err))
	// Output: not_found
}

func ExampleClient_DeleteTemplate() {
	ctx := context.Background()
	client, done := application()
	defer done()
	err := client.DeleteTemplate(ctx, "acme", "short")
	fmt.Println(annals.CodeOf(err))
	// Output: not_found
}

func ExampleClient_CreateBatch() {
	ctx := context.Background()
	client, done := application()
	defer done()
	batch, err := client.CreateBatch(ctx, "acme", annals.Batch{Metadata: []byte(`{"from": "a file"}`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(batch.Items, string(batch.Metadata))
	// Output: 0 {"from": "a file"}
}

func ExampleClient_AddToBatch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	items, err := client.AddToBatch(ctx, "acme", batch.ID, []annals.Episode{{GroupID: "acme:docs", Source: graph.SourceText, Content: "Bob lives in Rome."}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(items[0].GroupID, items[0].Place)
	// Output: acme:docs 1
}

func ExampleClient_Batch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	again, err := client.Batch(ctx, "acme", batch.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Items, again.Groups)
	// Output: 1 [acme:alice]
}

func ExampleClient_Batches() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	batches, err := client.Batches(ctx, "acme", 0, 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(batches), batches[0].ID == batch.ID)
	// Output: 1 true
}

func ExampleClient_BatchProgress() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	progress, err := client.BatchProgress(ctx, "acme", batch.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(progress.Done, "of", progress.Episodes)
	// Output: 0 of 1
}

func ExampleClient_BatchItems() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	items, err := client.BatchItems(ctx, "acme", batch.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(items[0].GroupID, items[0].State == "")
	// Output: acme:alice true
}

func ExampleClient_ProcessBatch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	groups, err := client.ProcessBatch(ctx, "acme", batch.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(groups)
	// Output: [acme:alice]
}

func ExampleClient_DeleteBatch() {
	ctx := context.Background()
	client, batch, done := collected()
	defer done()
	err := client.DeleteBatch(ctx, "acme", batch.ID)
	fmt.Println(err)
	// Output: <nil>
}

func ExampleClient_Clone() {
	ctx := context.Background()
	client, done := story()
	defer done()
	if err := client.Clone(ctx, "alice", "alice-2"); err != nil {
		log.Fatal(err)
	}
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "alice-2"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(facts[0].Fact, facts[0].ID == home(client).ID)
	// Output: Alice lives in Paris. false
}
