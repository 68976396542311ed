package annals_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/annalsdb/annals"
)

// deploying opens a memory of six runs: until the first of April a script deployed, from the fourth
// on a chart.
func deploying() (*annals.Client, func()) {
	ctx := context.Background()
	client, done := story()
	for _, r := range []struct{ day, command, failure string }{
		{"2025-03-01", "./deploy.sh staging", ""},
		{"2025-03-09", "./deploy.sh staging", ""},
		{"2025-04-01", "./deploy.sh staging", "helm: unknown flag"},
		{"2025-04-02", "./deploy.sh staging", "helm: unknown flag"},
		{"2025-04-03", "./deploy.sh staging", "helm: unknown flag"},
		{"2025-04-03", "./deploy.sh staging", "helm: unknown flag"},
		{"2025-04-04", "helm upgrade staging", ""},
	} {
		at, err := time.Parse(time.DateOnly, r.day)
		if err != nil {
			log.Fatal(err)
		}
		run := annals.Run{Task: "Deploy billing to staging", Outcome: "success", Steps: []annals.RunStep{
			{Tool: "shell", Arguments: []byte(`"make test"`)},
			{Tool: "shell", Arguments: []byte(`"` + r.command + `"`), Error: r.failure},
		}}
		if r.failure != "" {
			run.Outcome = "failure"
		}
		episode, err := run.Episode("ops", at)
		if err != nil {
			log.Fatal(err)
		}
		if _, err := client.Add(ctx, episode); err != nil {
			log.Fatal(err)
		}
	}
	if err := client.Process(ctx, "ops", nil); err != nil {
		log.Fatal(err)
	}
	return client, done
}

// For a task, Skills returns the procedure that works, now or at another time.
func ExampleClient_Skills() {
	client, done := deploying()
	defer done()

	for _, at := range []time.Time{{}, time.Date(2025, time.March, 15, 0, 0, 0, 0, time.UTC)} {
		skills, err := client.Skills(context.Background(), annals.SkillFilter{GroupID: "ops", Task: "please deploy the billing service on staging", ValidAt: at})
		if err != nil {
			log.Fatal(err)
		}
		for _, s := range skills {
			fmt.Println(s.Steps[1], s.Successes, s.Failures, s.State)
		}
	}
	// Output:
	// shell helm upgrade staging 1 0 candidate
	// shell ./deploy.sh staging 2 0 candidate
}
