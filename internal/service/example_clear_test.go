package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

func ExampleService_Clear() {
	ctx := context.Background()
	client, done := story()
	defer done()
	if err := service.New(client).Clear(ctx, "alice"); err != nil {
		log.Fatal(err)
	}
	entities, err := client.Entities(ctx, annals.EntityFilter{GroupID: "alice"})
	fmt.Println(len(entities), err)
	// Output: 0 <nil>
}

func ExampleService_GroupsFilledBy() {
	ctx := context.Background()
	client, done := story()
	defer done()
	groups, err := service.New(client).GroupsFilledBy(ctx, service.Within{}, "library", 10)
	fmt.Println(groups, err)
	// Output: [alice] <nil>
}
