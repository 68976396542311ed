// Package torture kills programs, connections and servers in the middle of their
// work and checks what is left. Everything acknowledged must be there, every
// invariant of 'annals verify' must hold, and after the work is repeated the
// memory must equal that of an undisturbed run.
//
// It contains only tests. A bounded run is part of all tests; the whole is
//
//	make torture
//
// which prints the table of docs/reliability.md.
package torture
