package analyst

import (
	"context"
	"errors"
)

// MaxError is the longest error that is kept, in bytes.
const MaxError = 2000

// Failure is a failure of a step that is the fault of what it worked on: another
// episode may well succeed.
type Failure struct {
	Step string
	Err  error
}

func (f *Failure) Error() string { return f.Step + ": " + f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// Failed makes the error of a step a [Failure], unless the caller gave up or the ledger
// cannot be written.
func Failed(ctx context.Context, step string, err error) error {
	var ledger *ledgerError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &ledger):
		return err
	}
	return &Failure{step, err}
}
