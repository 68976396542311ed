package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

func ExampleService_AddInstructions() {
	ctx := context.Background()
	client, done := application()
	defer done()
	told := service.Scope{Namespace: "acme"}
	err := service.New(client).AddInstructions(ctx, told, service.PurposeGraph, []service.Instruction{{Name: "food", Text: "Note what people eat."}})
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

func ExampleService_SetInstructions() {
	ctx := context.Background()
	client, done := application()
	defer done()
	told := service.Scope{Namespace: "acme", GroupID: "acme:alice"}
	for _, i := range []service.Instruction{{Name: "food", Text: "Note what people eat."}, {Name: "homes", Text: "Note where people live."}} {
		if err := service.New(client).SetInstructions(ctx, told, service.PurposeGraph, []service.Instruction{i}); err != nil {
			log.Fatal(err)
		}
	}
	instructions, err := service.New(client).Instructions(ctx, told, service.PurposeGraph)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(instructions)
	// Output: [{homes Note where people live.}]
}

func ExampleService_Instructions() {
	ctx := context.Background()
	client, done := application()
	defer done()
	told := service.Scope{Namespace: "acme", GroupID: "acme:alice"}
	if err := service.New(client).AddInstructions(ctx, told, service.PurposeSummary, []service.Instruction{{Name: "food", Text: "What do they eat?"}}); err != nil {
		log.Fatal(err)
	}
	instructions, err := service.New(client).Instructions(ctx, told, service.PurposeSummary)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(instructions)
	// Output: [{food What do they eat?}]
}

func ExampleService_DeleteInstructions() {
	ctx := context.Background()
	client, done := application()
	defer done()
	told := service.Scope{Namespace: "acme"}
	err := service.New(client).DeleteInstructions(ctx, told, service.PurposeGraph, nil)
	fmt.Println(err)
	// Output: <nil>
}

func ExampleService_SetNamespaceOntology() {
	ctx := context.Background()
	client, done := application()
	defer done()
	types := annals.Ontology{EntityTypes: []graph.EntityType{{Name: "Project"}}}
	if err := service.New(client).SetNamespaceOntology(ctx, "acme", types); err != nil {
		log.Fatal(err)
	}
	ontology, err := client.Ontology(ctx, "acme:docs")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ontology.EntityTypes[0].Name)
	// Output: Project
}

func ExampleService_InheritSettings() {
	ctx := context.Background()
	client, done := application()
	defer done()
	if err := service.New(client).SetNamespaceOntology(ctx, "acme", annals.Ontology{EntityTypes: []graph.EntityType{{Name: "Project"}}}); err != nil {
		log.Fatal(err)
	}
	if _, err := client.CreateGroup(ctx, annals.Group{ID: "acme:later"}); err != nil {
		log.Fatal(err)
	}
	if err := service.New(client).InheritSettings(ctx, "acme", "acme:later"); err != nil {
		log.Fatal(err)
	}
	ontology, err := client.Ontology(ctx, "acme:later")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ontology.EntityTypes[0].Name)
	// Output: Project
}
