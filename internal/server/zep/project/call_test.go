package project

import (
	"errors"
	"testing"

	"github.com/google/uuid"
)

// A reader keeps the first error, and reads on.
func TestAReaderKeepsTheFirstError(t *testing.T) {
	t.Parallel()
	var r Reader
	if n, at, id := r.Whole("n", "", 7, 1, 9), r.Time("at", ""), r.UUID("id", ""); n != 7 || !at.IsZero() || id != uuid.Nil || r.Err != nil {
		t.Errorf("of nothing: %d, %v, %v, %v", n, at, id, r.Err)
	}
	if ids := r.UUIDs("ids", nil, 1); ids != nil {
		t.Errorf("no ids are %v, which narrows a list", ids)
	}
	r.UUIDs("ids", []string{""}, 1)
	first := r.Err
	r.Whole("n", "10", 7, 1, 9)
	if first == nil || !errors.Is(r.Err, first) || first.Error() != `ids: "" is no UUID` {
		t.Errorf("the errors are %v, then %v", first, r.Err)
	}
}
