package retrieval

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestRecency(t *testing.T) {
	t.Parallel()
	month := 30 * 24 * time.Hour
	for _, c := range []struct {
		age  time.Duration
		want float64
	}{{0, 1}, {-month, 1}, {month, 0.75}, {2 * month, 0.625}, {math.MaxInt64, 0.5}} {
		if got := recency(c.age, month); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("after %s: %v, want %v", c.age, got, c.want)
		}
	}
}

// The weight never rises with age, and never falls below one half.
func TestRecencyFallsAndIsBounded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		halfLife := time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "half-life"))
		a := time.Duration(rapid.Int64().Draw(t, "age"))
		b := time.Duration(rapid.Int64Range(int64(a), math.MaxInt64).Draw(t, "greater age"))
		younger, older := recency(a, halfLife), recency(b, halfLife)
		if older > younger || older < 0.5 || younger > 1 {
			t.Fatalf("%s: %v, %s: %v", a, younger, b, older)
		}
	})
}
