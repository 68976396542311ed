package annals_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/annalsdb/annals"
)

// A client of one group sees no other: the database sees to that.
func ExampleClient_ForTenant() {
	ctx := context.Background()
	client, done := story()
	defer done()

	bob, err := client.ForTenant(ctx, "bob")
	if err != nil {
		log.Fatal(err)
	}
	_, err = bob.Facts(ctx, annals.FactFilter{GroupID: "alice"})
	fmt.Println(err)
	// Output:
	// group: alice is not the group this memory is bound to
}

// Which group a client is bound to.
func ExampleClient_Tenant() {
	ctx := context.Background()
	client, done := story()
	defer done()

	bound, err := client.ForTenant(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q %q\n", client.Tenant(), bound.Tenant())
	// Output:
	// "" "alice"
}

// The secret of a key is shown once; the database keeps its hash.
func ExampleClient_CreateKey() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	secret, key, err := client.CreateKey(ctx, annals.KeySpec{Name: "app", Groups: []string{"alice"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(secret), key.Name, key.Groups, key.Opens("alice"), key.Opens("bob"))
	// Output:
	// 59 app [alice] true false
}

// A server finds the key of a request by its secret.
func ExampleClient_Authenticate() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	secret, _, err := client.CreateKey(ctx, annals.KeySpec{Name: "app", Groups: []string{"alice"}})
	if err != nil {
		log.Fatal(err)
	}
	key, err := client.Authenticate(ctx, secret)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(key.Name, key.Opens("alice"))
	_, err = client.Authenticate(ctx, "a guess")
	fmt.Println(errors.Is(err, annals.ErrNoSuchKey))
	// Output:
	// app true
	// true
}

// Keys are listed without their secrets.
func ExampleClient_Keys() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	if _, _, err := client.CreateKey(ctx, annals.KeySpec{Name: "operator", Admin: true}); err != nil {
		log.Fatal(err)
	}
	keys, err := client.Keys(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range keys {
		fmt.Println(k.Name, k.Admin, k.Usable(time.Now()))
	}
	// Output:
	// operator true true
}

// A revoked key opens nothing from then on.
func ExampleClient_RevokeKey() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	secret, key, err := client.CreateKey(ctx, annals.KeySpec{Name: "app", Groups: []string{"alice"}})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.RevokeKey(ctx, key.ID.String()); err != nil {
		log.Fatal(err)
	}
	_, err = client.Authenticate(ctx, secret)
	fmt.Println(errors.Is(err, annals.ErrNoSuchKey))
	// Output:
	// true
}

// A new secret for the same groups; the old one works for a while.
func ExampleClient_RotateKey() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	old, key, err := client.CreateKey(ctx, annals.KeySpec{Name: "app", Groups: []string{"alice"}})
	if err != nil {
		log.Fatal(err)
	}
	secret, _, err := client.RotateKey(ctx, key.ID.String(), time.Hour, time.Time{})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range []string{old, secret} {
		found, err := client.Authenticate(ctx, s)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(found.Groups, "for ever:", found.ExpiresAt.IsZero())
	}
	// Output:
	// [alice] for ever: false
	// [alice] for ever: true
}

// A request that is sent twice is worked on once: the second is answered as the first was.
func ExampleClient_Claim() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	request := annals.Request{GroupID: "alice", Caller: "app", Key: "order-17", Hash: sha256.Sum256([]byte("the body"))}
	for range 2 {
		reply, err := client.Claim(ctx, request)
		if err != nil {
			log.Fatal(err)
		}
		if reply != nil {
			fmt.Println("answered before:", reply.Status, string(reply.Body))
			continue
		}
		fmt.Println("new")
		if err := client.Keep(ctx, request, annals.Reply{Status: 201, Body: []byte("made")}); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// new
	// answered before: 201 made
}

// Until a reply is kept, the same request is in progress.
func ExampleClient_Keep() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	request := annals.Request{GroupID: "alice", Caller: "app", Key: "order-17"}
	if _, err := client.Claim(ctx, request); err != nil {
		log.Fatal(err)
	}
	_, err := client.Claim(ctx, request)
	fmt.Println(err)
	if err := client.Keep(ctx, request, annals.Reply{Status: 204}); err != nil {
		log.Fatal(err)
	}
	reply, err := client.Claim(ctx, request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Status)
	// Output:
	// the request is being worked on
	// 204
}

// What failed may be tried again.
func ExampleClient_Forget() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	request := annals.Request{GroupID: "alice", Caller: "app", Key: "order-17"}
	for range 2 {
		reply, err := client.Claim(ctx, request)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("to be worked on:", reply == nil)
		if err := client.Forget(ctx, request); err != nil { // it did not work out
			log.Fatal(err)
		}
	}
	// Output:
	// to be worked on: true
	// to be worked on: true
}

// Replies are kept for a day. A service removes older ones now and then.
func ExampleClient_ForgetReplies() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	removed, err := client.ForgetReplies(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(removed, "replies were too old")
	// Output:
	// 0 replies were too old
}

// Without a replica all is read from the primary.
func ExampleClient_HasReplica() {
	client, done := empty()
	defer done()

	fmt.Println(client.HasReplica())
	// Output:
	// false
}

// Another process sees what this one wrote, from a replica too, if it reads
// after the place in the log that this one names.
func ExampleClient_LSN() {
	ctx := context.Background()
	client, done := story()
	defer done()

	written, err := client.LSN(ctx)
	if err != nil {
		log.Fatal(err)
	}
	// In another process:
	facts, err := client.Facts(annals.ReadAfter(ctx, written), annals.FactFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(facts), "facts")
	// Output:
	// 2 facts
}

// How far a replica is behind can be asked where there is one.
func ExampleClient_Replica() {
	ctx := context.Background()
	client, done := empty()
	defer done()

	status, err := client.Replica(ctx)
	if annals.CodeOf(err) == annals.CodeNotFound {
		fmt.Println("all is read from the primary")
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(status.Behind, "bytes behind")
	// Output:
	// all is read from the primary
}

// An episode that was stored and not processed yet waits.
func ExampleClient_Health() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if _, err := client.Add(ctx, annals.Episode{GroupID: "alice", Content: "Alice likes tea."}); err != nil {
		log.Fatal(err)
	}
	health, err := client.Health(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(health.Waiting, "waits,", health.Failed, "failed,", len(health.InvalidIndexes), "indexes are broken")
	// Output:
	// 1 waits, 0 failed, 0 indexes are broken
}

// What a restore left out is rebuilt; of a database that is as it should be,
// nothing is.
func ExampleClient_Mend() {
	ctx := context.Background()
	client, done := story()
	defer done()

	mended, err := client.Mend(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(mended), "things were mended")
	// Output:
	// 0 things were mended
}
