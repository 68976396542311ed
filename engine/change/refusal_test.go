package change

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// Only errors about data count as faults of the input.
func TestRefusal(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{"22P02": true, "22003": true, "57P01": false, "23503": false} {
		err := fmt.Errorf("store: %w", &pgconn.PgError{Code: code})
		if got := Refused(err); errors.Is(err, got) == want {
			t.Errorf("refusal of %s = %v", code, got)
		}
	}
	if Refused(nil) != nil || !errors.Is(Refused(io.ErrUnexpectedEOF), io.ErrUnexpectedEOF) {
		t.Error("what is no refusal is taken for one")
	}
}
