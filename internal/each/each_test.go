package each_test

import (
	"testing"

	"github.com/annalsdb/annals/internal/each"
)

func TestCount(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"0 facts": each.Count(0, "fact"), "1 fact": each.Count(1, "fact"), "2 facts": each.Count(int64(2), "fact"),
		"1 entity": each.Count(1, "entity"), "2 entities": each.Count(2, "entity"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
