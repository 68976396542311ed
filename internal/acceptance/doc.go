// Package acceptance runs the acceptance tests of the Agent Memory Atlas through every
// door of Annals and prints a table of the results. The specification is independent
// of Annals, and the tests were written from it:
//
//	https://github.com/neoneye/agent-memory-atlas, .agents/protocol/tests.yaml,
//	commit 8c14829596876b472d8706922965f54335ee35a1
//
// They use its ids. docs/acceptance.md has the table and says what a test does not
// prove. "make acceptance" runs all of them, "go test ./internal/acceptance" a part.
package acceptance
