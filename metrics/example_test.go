package metrics_test

import (
	"context"
	"fmt"
	"log"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/metrics"
)

// A program collects its memory's metrics in its own registry.
func Example() {
	ctx := context.Background()
	url, drop := pgtest.Example() // or the URL of the application's database
	defer drop()

	registry := prometheus.NewRegistry()
	calls, err := metrics.Calls(registry)
	if err != nil {
		log.Fatal(err)
	}
	client, err := annals.Open(ctx, annals.Config{DatabaseURL: url, Calls: calls})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	if err := metrics.Connections(registry, client); err != nil {
		log.Fatal(err)
	}

	if _, err := client.Add(ctx, annals.Episode{GroupID: "alice", Actor: "Alice", Content: "I live in Paris."}); err != nil {
		log.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "pgxpool_max_conns" {
			fmt.Println(f.GetName(), f.GetMetric()[0].GetGauge().GetValue() > 0)
		}
	}
	// Output:
	// pgxpool_max_conns true
}
