package service_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// A request that is sent twice is handled once. The second gets the reply to the first.
func ExampleService_ClaimKey() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	request := service.Request{GroupID: "alice", Caller: "app", Key: "order-17", Hash: sha256.Sum256([]byte("the body"))}
	for range 2 {
		reply, err := service.New(client).ClaimKey(ctx, request)
		if err != nil {
			log.Fatal(err)
		}
		if reply != nil {
			fmt.Println("answered before:", reply.Status, string(reply.Body))
			continue
		}
		fmt.Println("new")
		if err := service.New(client).SaveReply(ctx, request, service.Reply{Status: 201, Body: []byte("made")}); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// new
	// answered before: 201 made
}

// Until its reply is saved, a repeated request is refused as in progress.
func ExampleService_SaveReply() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	request := service.Request{GroupID: "alice", Caller: "app", Key: "order-17"}
	if _, err := service.New(client).ClaimKey(ctx, request); err != nil {
		log.Fatal(err)
	}
	_, err := service.New(client).ClaimKey(ctx, request)
	fmt.Println(err)
	if err := service.New(client).SaveReply(ctx, request, service.Reply{Status: 204}); err != nil {
		log.Fatal(err)
	}
	reply, err := service.New(client).ClaimKey(ctx, request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Status)
	// Output:
	// the request is being worked on
	// 204
}

// SaveReplyTx saves a reply in the transaction of the work, so that either both are committed or
// neither.
func ExampleService_SaveReplyTx() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	request := service.Request{GroupID: "alice", Caller: "app", Key: "order-17"}
	if _, err := service.New(client).ClaimKey(ctx, request); err != nil {
		log.Fatal(err)
	}
	err := client.InGroup(ctx, "alice", func(tx pgx.Tx) error {
		if _, err := service.New(client).AddAllTx(ctx, tx, []annals.Episode{{GroupID: "alice", Content: "I like tea."}}); err != nil {
			return err
		}
		return service.New(client).SaveReplyTx(ctx, tx, request, service.Reply{Status: 202})
	})
	if err != nil {
		log.Fatal(err)
	}
	reply, err := service.New(client).ClaimKey(ctx, request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("answered before:", reply.Status)
	// Output: answered before: 202
}

// A failed request may be tried again.
func ExampleService_ReleaseKey() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	request := service.Request{GroupID: "alice", Caller: "app", Key: "order-17"}
	for range 2 {
		reply, err := service.New(client).ClaimKey(ctx, request)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("to be worked on:", reply == nil)
		if err := service.New(client).ReleaseKey(ctx, request); err != nil { // the work failed
			log.Fatal(err)
		}
	}
	// Output:
	// to be worked on: true
	// to be worked on: true
}
