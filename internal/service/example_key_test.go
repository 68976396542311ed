package service_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/annalsdb/annals/internal/service"
)

// The secret of a key is shown once. The database keeps only its hash.
func ExampleService_CreateAPIKey() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	secret, key, err := service.New(client).CreateAPIKey(ctx, service.KeySpec{Name: "app", Groups: []string{"alice"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(secret), key.Name, key.Groups, key.Opens("alice"), key.Opens("bob"))
	// Output:
	// 59 app [alice] true false
}

// A server finds the key of a request by its secret.
func ExampleService_Authenticate() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	secret, _, err := service.New(client).CreateAPIKey(ctx, service.KeySpec{Name: "app", Groups: []string{"alice"}})
	if err != nil {
		log.Fatal(err)
	}
	key, err := service.New(client).Authenticate(ctx, secret)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(key.Name, key.Opens("alice"))
	_, err = service.New(client).Authenticate(ctx, "a guess")
	fmt.Println(errors.Is(err, service.ErrNoAPIKey))
	// Output:
	// app true
	// true
}

// Keys are listed without their secrets.
func ExampleService_APIKeys() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	if _, _, err := service.New(client).CreateAPIKey(ctx, service.KeySpec{Name: "operator", Admin: true}); err != nil {
		log.Fatal(err)
	}
	keys, err := service.New(client).APIKeys(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range keys {
		fmt.Println(k.Name, k.Admin, k.Usable(time.Now()))
	}
	// Output:
	// operator true true
}

// A revoked key no longer gives access.
func ExampleService_RevokeAPIKey() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	secret, key, err := service.New(client).CreateAPIKey(ctx, service.KeySpec{Name: "app", Groups: []string{"alice"}})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := service.New(client).RevokeAPIKey(ctx, key.ID.String()); err != nil {
		log.Fatal(err)
	}
	_, err = service.New(client).Authenticate(ctx, secret)
	fmt.Println(errors.Is(err, service.ErrNoAPIKey))
	// Output:
	// true
}

// RotateAPIKey makes a new secret for the same groups. The old one keeps working for a while.
func ExampleService_RotateAPIKey() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	old, key, err := service.New(client).CreateAPIKey(ctx, service.KeySpec{Name: "app", Groups: []string{"alice"}})
	if err != nil {
		log.Fatal(err)
	}
	secret, _, err := service.New(client).RotateAPIKey(ctx, key.ID.String(), time.Hour, time.Time{})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range []string{old, secret} {
		found, err := service.New(client).Authenticate(ctx, s)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(found.Groups, "for ever:", found.ExpiresAt.IsZero())
	}
	// Output:
	// [alice] for ever: false
	// [alice] for ever: true
}
