package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/program"
	"github.com/annalsdb/annals/internal/slow"
)

// maxInit is the maximum number of bytes that the command's packages may allocate at start: every
// command waits for that, and keeps it in memory.
const maxInit = 4 << 20

func TestStartsLight(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), program.Annals(t), "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	total, packages := 0, 0
	for line := range strings.Lines(said.String()) {
		var name string
		var at, clock float64
		var allocated int
		if _, err := fmt.Sscanf(line, "init %s @%f ms, %f ms clock, %d bytes", &name, &at, &clock, &allocated); err == nil {
			total, packages = total+allocated, packages+1
		}
	}
	t.Logf("%d packages allocate %.2f MB", packages, float64(total)/1e6)
	if packages < 200 || total > maxInit {
		t.Errorf("%d packages allocate %d bytes before main, want %d at the most:\n%s", packages, total, maxInit, said.String())
	}
}
