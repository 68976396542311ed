package client_test

import (
	"os/exec"
	"strings"
	"testing"
)

// A program with the client links no server, no engine for networks and no
// private PostgreSQL.
func TestTheClientIsLight(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if len(packages) < 50 {
		t.Fatalf("go list names %d packages", len(packages))
	}
	for _, path := range packages {
		for _, heavy := range []string{"annals/server", "annals/service", "annals/postgres", "annals/model/onnx", "annals/model/hub", "onnx", "gomlx", "huma", "cobra"} {
			if strings.Contains(path, heavy) {
				t.Errorf("the client imports %s", path)
			}
		}
	}
}
