package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// people opens a memory with two users and a graph of one application.
func people() (client *annals.Client, done func()) {
	client, done = empty()
	ctx := context.Background()
	for _, u := range []annals.User{
		{GroupID: "acme:ana", FirstName: "Ana", Email: "ana@acme.example"}, {GroupID: "acme:ben", FirstName: "Ben"},
	} {
		if _, err := client.CreateUser(ctx, u); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := client.CreateGroup(ctx, annals.Group{ID: "acme:handbook", Name: "Handbook"}); err != nil {
		log.Fatal(err)
	}
	return client, done
}

// A user has a group of their own.
func ExampleClient_CreateUser() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	ana, err := client.CreateUser(ctx, annals.User{GroupID: "ana", FirstName: "Ana", LastName: "Silva", TimeZone: "Europe/Lisbon"})
	if err != nil {
		log.Fatal(err)
	}
	group, err := client.Group(ctx, "ana")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ana.Name(), "has a group of the kind", group.Kind)
	_, err = client.CreateUser(ctx, annals.User{GroupID: "ana"})
	fmt.Println(err)
	// Output:
	// Ana Silva has a group of the kind user
	// id: there is a group ana already
}

// Who a user is.
func ExampleClient_User() {
	ctx := context.Background()
	client, done := people()
	defer done()

	ana, err := client.User(ctx, "acme:ana")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ana.Name(), ana.Email)
	// Output:
	// Ana ana@acme.example
}

// What is nil stays as it is.
func ExampleClient_UpdateUser() {
	ctx := context.Background()
	client, done := people()
	defer done()

	last := "Silva"
	ana, err := client.UpdateUser(ctx, "acme:ana", annals.UserChange{LastName: &last})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ana.Name(), ana.Email)
	// Output:
	// Ana Silva ana@acme.example
}

// The users of an application, and how many there are on all pages.
func ExampleClient_Users() {
	ctx := context.Background()
	client, done := people()
	defer done()

	users, total, err := client.Users(ctx, annals.Page{
		Within: annals.Within{Namespace: "acme"}, OrderBy: "user_id", Ascending: true, Limit: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, u := range users {
		fmt.Println(u.GroupID, "is one of", total)
	}
	// Output:
	// acme:ana is one of 2
}

// Groups that are of no user.
func ExampleClient_Graphs() {
	ctx := context.Background()
	client, done := people()
	defer done()

	graphs, _, err := client.Graphs(ctx, annals.Page{Within: annals.Within{Namespace: "acme"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, g := range graphs {
		fmt.Println(g.ID, g.Name)
	}
	// Output:
	// acme:handbook Handbook
}

// What a group is called and described by.
func ExampleClient_UpdateGroup() {
	ctx := context.Background()
	client, done := people()
	defer done()

	about := "How we work."
	group, err := client.UpdateGroup(ctx, "acme:handbook", annals.GroupChange{Description: &about})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group.Name+":", group.Description)
	// Output:
	// Handbook: How we work.
}

// A copy of a memory goes its own way.
func ExampleClient_Clone() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if err := client.Clone(ctx, "alice", "experiment"); err != nil {
		log.Fatal(err)
	}
	facts, err := client.Facts(ctx, annals.FactFilter{GroupID: "experiment"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(facts[0].Fact, "another row:", facts[0].ID != home(client).ID)
	// Output:
	// Alice lives in Paris. another row: true
}

// Of an id alone, whose it is.
func ExampleClient_GroupOf() {
	ctx := context.Background()
	client, done := story()
	defer done()

	group, err := client.GroupOf(ctx, annals.Within{}, graph.KindFact, home(client).ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group)
	// Output:
	// alice
}

// What all groups of an application look for.
func ExampleClient_SetNamespaceOntology() {
	ctx := context.Background()
	client, done := people()
	defer done()

	err := client.SetNamespaceOntology(ctx, "acme", annals.Ontology{EntityTypes: []graph.EntityType{{Name: "Product"}}})
	if err != nil {
		log.Fatal(err)
	}
	ontology, err := client.Ontology(ctx, "acme:handbook")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ontology.EntityTypes[0].Name)
	// Output:
	// Product
}

// A group that is new is read as its namespace has it.
func ExampleClient_Adopt() {
	ctx := context.Background()
	client, done := people()
	defer done()

	err := client.SetNamespaceOntology(ctx, "acme", annals.Ontology{EntityTypes: []graph.EntityType{{Name: "Product"}}})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.CreateUser(ctx, annals.User{GroupID: "acme:cleo"}); err != nil {
		log.Fatal(err)
	}
	if err := client.Adopt(ctx, "acme", "acme:cleo"); err != nil {
		log.Fatal(err)
	}
	ontology, err := client.Ontology(ctx, "acme:cleo")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ontology.EntityTypes[0].Name)
	// Output:
	// Product
}

// What is told to a namespace and to one of its groups comes together.
func ExampleClient_AddInstructions() {
	ctx := context.Background()
	client, done := people()
	defer done()

	acme, ana := annals.Told{Namespace: "acme"}, annals.Told{Namespace: "acme", GroupID: "acme:ana"}
	err := client.AddInstructions(ctx, acme, annals.PurposeGraph, []annals.Instruction{{Name: "returns", Text: "Heed returns."}})
	if err != nil {
		log.Fatal(err)
	}
	err = client.AddInstructions(ctx, ana, annals.PurposeGraph, []annals.Instruction{{Name: "pets", Text: "Heed pets."}})
	if err != nil {
		log.Fatal(err)
	}
	ontology, err := client.Ontology(ctx, "acme:ana")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ontology.Instructions)
	// Output:
	// Heed returns.
	// Heed pets.
}

// What a namespace was told, by its names.
func ExampleClient_Instructions() {
	ctx := context.Background()
	client, done := people()
	defer done()

	acme := annals.Told{Namespace: "acme"}
	err := client.AddInstructions(ctx, acme, annals.PurposeSummary, []annals.Instruction{{Name: "tone", Text: "Be brief."}})
	if err != nil {
		log.Fatal(err)
	}
	told, err := client.Instructions(ctx, acme, annals.PurposeSummary)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range told {
		fmt.Println(i.Name+":", i.Text)
	}
	// Output:
	// tone: Be brief.
}

// One is taken back by its name; without names all are.
func ExampleClient_DeleteInstructions() {
	ctx := context.Background()
	client, done := people()
	defer done()

	acme := annals.Told{Namespace: "acme"}
	err := client.AddInstructions(ctx, acme, annals.PurposeGraph, []annals.Instruction{
		{Name: "pets", Text: "Heed pets."}, {Name: "returns", Text: "Heed returns."},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := client.DeleteInstructions(ctx, acme, annals.PurposeGraph, []string{"pets"}); err != nil {
		log.Fatal(err)
	}
	told, err := client.Instructions(ctx, acme, annals.PurposeGraph)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(told)
	// Output:
	// [{returns Heed returns.}]
}
