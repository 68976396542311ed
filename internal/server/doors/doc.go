// Package doors tests what all interfaces have in common: REST, MCP, and those of
// Zep's and Graphiti's clients, each asked over HTTP of one service. It holds
// nothing but tests.
//
// [TestFuzz] sends each of them what is just beside what it takes. A bounded run
// is part of all tests; a longer one is
//
//	ANNALS_FUZZ_DOORS=30m go test ./internal/server/doors -run TestFuzz -timeout 1h -v
package doors
