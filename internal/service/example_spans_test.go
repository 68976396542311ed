package service_test

import (
	"context"
	"fmt"
	"log"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/service"
)

// The spans of a trace wait for the span of the run, which ends last.
func ExampleService_TakeSpans() {
	client, done := empty()
	defer done()
	ctx := context.Background()

	call := service.NewSpan("5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b174", "eee19b7ec3c1b173")
	call.Of, call.Tool, call.Arguments = service.SpanOfTool, "bash", "make deploy"
	run := service.NewSpan("5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b173", "")
	run.Of, run.Root, run.Task, run.Outcome = service.SpanOfRun, true, "Deploy billing", "success"
	for _, span := range []service.Span{call, run} {
		if _, err := service.New(client).TakeSpans(ctx, "ops", []service.Span{span}); err != nil {
			log.Fatal(err)
		}
		episodes, err := client.Episodes(ctx, annals.EpisodeFilter{GroupID: "ops"})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(episodes), "runs")
		for _, e := range episodes {
			fmt.Println(e.Content)
		}
	}
	// Output:
	// 0 runs
	// 1 runs
	// {"task":"Deploy billing","steps":[{"tool":"bash","arguments":"make deploy"}],"outcome":"success"}
}
