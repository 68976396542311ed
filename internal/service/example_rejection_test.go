package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals/internal/service"
)

// A withdrawal is recorded, with who did it.
func ExampleService_Rejections() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if err := client.WithdrawFact(ctx, "alice", home(client).ID); err != nil {
		log.Fatal(err)
	}
	rejected, err := service.New(client).Rejections(ctx, service.RejectionFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range rejected {
		fmt.Println(r.Fact, r.Door, r.Authority, r.LiftedAt.IsZero())
	}
	// Output: Alice lives in Paris. library person true
}
