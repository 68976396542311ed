package graph_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
)

// An error repeats only a bounded part of its input, however long that is.
func TestErrorsAreBrief(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1<<20)
	for _, err := range []*graph.Error{
		graph.Invalid("source", "%q is not one of message, text, json, run", long),
		graph.Invalid("body", "is not JSON: %v", errors.New(long)),
		graph.Invalid(long, "is not known"),
	} {
		if text := err.Error(); len(text) > 1000 || strings.Count(text, "é") == 0 {
			t.Errorf("%d bytes: %s", len(text), graph.Brief(text, 200))
		}
	}
	if got := graph.Brief("déjà vu", 4); got != "déjà…" {
		t.Errorf("brief: %q", got)
	}
	if got := graph.Brief("déjà", 4); got != "déjà" {
		t.Errorf("brief: %q", got)
	}
}
