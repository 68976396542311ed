package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// The audit log records who changed what.
func ExampleService_Audit() {
	ctx := annals.WithOrigin(context.Background(), annals.Origin{Door: "rest", Key: "nora"})
	client, done := story()
	defer done()

	if err := client.SetRetention(ctx, "alice", annals.Retention{MaxEpisodes: 1000}); err != nil {
		log.Fatal(err)
	}
	if err := client.WithdrawFact(ctx, "alice", home(client).ID); err != nil {
		log.Fatal(err)
	}
	entries, err := service.New(client).Audit(ctx, service.AuditFilter{GroupID: "alice"})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range entries {
		fmt.Println(e.Position, e.Action, e.WrittenBy, e.Door)
	}
	// Output:
	// 1 retention nora rest
	// 2 withdraw nora rest
}

// Keep the hash of the last entry where users of the database cannot change it.
func ExampleService_AuditHead() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if err := client.SetRetention(ctx, "alice", annals.Retention{MaxEpisodes: 1000}); err != nil {
		log.Fatal(err)
	}
	head, err := service.New(client).AuditHead(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(head.Position, len(head.Hash))
	// Output: 1 64
}

// VerifyAudit detects that entries were cut off after the head was kept.
func ExampleService_VerifyAudit() {
	ctx := context.Background()
	client, done := story()
	defer done()

	if err := client.SetRetention(ctx, "alice", annals.Retention{MaxEpisodes: 1000}); err != nil {
		log.Fatal(err)
	}
	audit := service.New(client)
	kept, err := audit.AuditHead(ctx, "alice")
	if err != nil {
		log.Fatal(err)
	}
	found, err := audit.VerifyAudit(ctx, "alice", kept.Hash)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Position, found.Breaks)
	// Output: 1 []
}
