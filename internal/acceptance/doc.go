// Package acceptance runs the acceptance tests that the Agent Memory Atlas asks
// of any memory for agents, through every door of Annals, and prints a table of
// what came of them. The specification is by others and knows nothing of
// Annals; the tests are written from it:
//
//	https://github.com/neoneye/agent-memory-atlas, .agents/protocol/tests.yaml,
//	commit 8c14829596876b472d8706922965f54335ee35a1
//
// They bear its ids. docs/acceptance.md has the table and says what a test does
// not prove. "make acceptance" runs all of it; "go test ./internal/acceptance" a part.
package acceptance
