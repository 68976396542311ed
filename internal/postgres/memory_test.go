package postgres

import (
	"strings"
	"testing"
)

func TestMemorySettings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		bytes uint64
		want  []string
	}{
		{"nothing known", 0, []string{"shared_buffers = 128MB", "effective_cache_size = 128MB"}},
		{"a small container", 256 * megabyte, []string{"shared_buffers = 128MB", "effective_cache_size = 192MB"}},
		{"a small machine", gigabyte, []string{"shared_buffers = 256MB", "effective_cache_size = 768MB"}},
		{"a machine", 16 * gigabyte, []string{"shared_buffers = 4096MB", "effective_cache_size = 12288MB"}},
		{"a large machine", 512 * gigabyte, []string{"shared_buffers = 4096MB", "effective_cache_size = 393216MB"}},
	} {
		got := memorySettings(tt.bytes)
		for _, line := range tt.want {
			if !strings.Contains(got, line+" ") && !strings.Contains(got, line+"\n") {
				t.Errorf("%s: the settings lack %q:\n%s", tt.name, line, got)
			}
		}
	}
}

// The machine reports its memory, and a container has at most that.
func TestMemory(t *testing.T) {
	t.Parallel()
	if got := memory(); got < 64*megabyte {
		t.Errorf("the machine has %d bytes", got)
	}
}
