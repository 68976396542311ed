package engine

import (
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// Only what the database says about data is blamed on what was handed in.
func TestRefusal(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{"22P02": true, "22003": true, "57P01": false, "23503": false} {
		if got := refusal(fmt.Errorf("store: %w", &pgconn.PgError{Code: code})); (got != nil) != want {
			t.Errorf("refusal of %s = %v", code, got)
		}
	}
	if refusal(nil) != nil || refusal(io.ErrUnexpectedEOF) != nil {
		t.Error("what is no refusal is taken for one")
	}
}
