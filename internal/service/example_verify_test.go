package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals/internal/service"
)

// Verify checks all invariants of a memory.
func ExampleService_Verify() {
	ctx := context.Background()
	client, done := story()
	defer done()

	found, err := service.New(client).Verify(ctx, "alice", false)
	if err != nil {
		log.Fatal(err)
	}
	for _, check := range found.Checks[3:6] {
		fmt.Println(check.Name+":", check.Says, check.Found)
	}
	fmt.Println(len(found.Broken()), "broken")
	// Output:
	// links: no link leads to what is not there 0
	// fact sources: every fact is stated by an episode or was told by hand 0
	// trust: every fact is believed as far as who says it is 0
	// 0 broken
}

// Rebuild makes all derived rows anew from the episodes.
func ExampleService_Rebuild() {
	ctx := context.Background()
	client, done := story()
	defer done()

	rebuilt, err := service.New(client).Rebuild(ctx, "alice", false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rebuilt.Replayed, "episodes placed again,", rebuilt.FactsChanged, "facts changed")
	fmt.Println(home(client).Fact, home(client).Valid)
	// Output:
	// 2 episodes placed again, 0 facts changed
	// Alice lives in Paris. [2023-01-10, 2024-03-04)
}
