// Package guard turns a panic into an error, so that a defect that one episode
// or one question brings to light ends that, and not the process with all else
// that it does. A goroutine needs it most: no other can recover its panics.
package guard

import (
	"fmt"
	"runtime/debug"
)

// Panic is that something panicked.
type Panic struct {
	Value any
	Stack string // of where it was, for the log
}

// Error says what the panic said.
func (p *Panic) Error() string { return fmt.Sprintf("a defect of the program: panic: %v", p.Value) }

// Run is what do returns, or a [*Panic].
func Run(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &Panic{Value: value, Stack: string(debug.Stack())}
		}
	}()
	return do()
}

// Runs is do, guarded, for those who start it.
func Runs(do func() error) func() error {
	return func() error { return Run(do) }
}
