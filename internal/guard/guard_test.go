package guard_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/guard"
)

func TestRun(t *testing.T) {
	t.Parallel()
	if err := guard.Run(func() error { return nil }); err != nil {
		t.Errorf("what goes well is %v", err)
	}
	if err := guard.Run(func() error { return io.EOF }); !errors.Is(err, io.EOF) {
		t.Errorf("an error is %v", err)
	}
	var none []int
	err := guard.Runs(func() error { none[3]++; return nil })()
	found, ok := errors.AsType[*guard.Panic](err)
	if !ok {
		t.Fatalf("a panic is %v", err)
	}
	if !strings.Contains(err.Error(), "index out of range [3]") || !strings.Contains(found.Stack, "guard_test.go") {
		t.Errorf("it is told as %q, from %s", err, found.Stack)
	}
}
