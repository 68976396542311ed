package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

func ExampleService_CreateTemplate() {
	ctx := context.Background()
	client, done := application()
	defer done()
	template, err := service.New(client).CreateTemplate(ctx, "acme", service.Template{ID: "short", Template: "%{edges}"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(template.ID)
	// Output: short
}

func ExampleService_Template() {
	ctx := context.Background()
	client, done := application()
	defer done()
	_, err := service.New(client).Template(ctx, "acme", "short")
	fmt.Println(annals.CodeOf(err))
	// Output: not_found
}

func ExampleService_Templates() {
	ctx := context.Background()
	client, done := application()
	defer done()
	templates, err := service.New(client).Templates(ctx, "acme")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(templates))
	// Output: 0
}

func ExampleService_UpdateTemplate() {
	ctx := context.Background()
	client, done := application()
	defer done()
	_, err := service.New(client).UpdateTemplate(ctx, "acme", service.Template{ID: "short", Template: "%{edges}"})
	fmt.Println(annals.CodeOf(err))
	// Output: not_found
}

func ExampleService_DeleteTemplate() {
	ctx := context.Background()
	client, done := application()
	defer done()
	err := service.New(client).DeleteTemplate(ctx, "acme", "short")
	fmt.Println(annals.CodeOf(err))
	// Output: not_found
}
