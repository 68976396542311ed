// Package guard converts a panic to an error. A defect triggered by one episode
// or question then ends only that, not the process. Goroutines need it most,
// since nothing else can recover their panics.
package guard

import (
	"fmt"
	"runtime/debug"
)

// Panic is the error of a recovered panic.
type Panic struct {
	Value any
	Stack string // the stack of the panic, for the log
}

// Error returns the value of the panic.
func (p *Panic) Error() string { return fmt.Sprintf("a defect of the program: panic: %v", p.Value) }

// Run calls do and returns its error, or a [*Panic].
func Run(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &Panic{Value: value, Stack: string(debug.Stack())}
		}
	}()
	return do()
}

// Runs returns do wrapped in [Run].
func Runs(do func() error) func() error {
	return func() error { return Run(do) }
}
