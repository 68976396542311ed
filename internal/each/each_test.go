package each_test

import (
	"slices"
	"strconv"
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

// The first item that cannot be converted ends the list.
func TestTry(t *testing.T) {
	t.Parallel()
	if got, err := each.Try([]string{"1", "2"}, strconv.Atoi); err != nil || !slices.Equal(got, []int{1, 2}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := each.Try([]string{"1", "x", "y"}, strconv.Atoi); got != nil || err == nil || err.Error() != `strconv.Atoi: parsing "x": invalid syntax` {
		t.Errorf("%v, %v", got, err)
	}
}
