package annals_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
)

// A client of one group cannot access others: the database enforces that.
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

// Tenant returns the group that a client is bound to.
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

// Without a replica all reads go to the primary.
func ExampleClient_HasReplica() {
	client, done := empty()
	defer done()

	fmt.Println(client.HasReplica())
	// Output:
	// false
}

// Another process sees these writes on a replica too, if it reads after the position in the log
// that LSN returns.
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

// With a replica, Replica returns how far it is behind.
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
