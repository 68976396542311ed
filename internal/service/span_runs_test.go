package service_test

import (
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// A run with the maximum number of decisions is kept, however long they are.
func TestRunOfLongDecisions(t *testing.T) {
	t.Parallel()
	run := graph.Run{Task: "Decide"}
	for range graph.MaxRunSteps {
		run.Steps = append(run.Steps, graph.RunStep{Action: strings.Repeat(`"é`, 700)})
	}
	e, err := service.RunEpisode(run, "ops", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Validate(); err != nil {
		t.Error(err)
	}
}
