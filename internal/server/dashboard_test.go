package server_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/metrics"
)

var (
	describedName = regexp.MustCompile(`fqName: "([^"]+)"`)
	queriedName   = regexp.MustCompile(`\b(?:annals|pgxpool|go|process|river)_[a-z0-9_]+`)
	partOfOne     = regexp.MustCompile(`_(bucket|sum|count)$`) // the series of a histogram
)

// registered returns the names of all metrics of a service, used or not.
func registered(t *testing.T) map[string]bool {
	t.Helper()
	registry := prometheus.NewRegistry()
	calls, err := metrics.Calls(registry)
	if err != nil {
		t.Fatal(err)
	}
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t), Calls: calls})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if err := metrics.Connections(registry, client); err != nil {
		t.Fatal(err)
	}
	server.New(server.Options{Client: client, Registry: registry})
	descriptions := make(chan *prometheus.Desc)
	go func() {
		registry.Describe(descriptions)
		close(descriptions)
	}()
	names := map[string]bool{}
	for d := range descriptions {
		names[describedName.FindStringSubmatch(d.String())[1]] = true
	}
	return names
}

// The dashboard queries only metrics that exist.
func TestTheDashboardKnowsTheMetrics(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../deploy/grafana/annals.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	names, asked := registered(t), 0
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			for _, name := range queriedName.FindAllString(target.Expr, -1) {
				asked++
				if !names[name] && !names[partOfOne.ReplaceAllString(name, "")] {
					t.Errorf("%s asks for %s, which there is not", panel.Title, name)
				}
			}
		}
	}
	if asked < 20 {
		t.Errorf("it asks for %d metrics: is that all of it?", asked)
	}
	for _, name := range queriedName.FindAllString(string(text), -1) {
		if !names[name] && !names[partOfOne.ReplaceAllString(name, "")] {
			t.Errorf("a variable asks for %s, which there is not", name)
		}
	}
}
