// Package doors tests what all interfaces have in common: REST, MCP, and those for the clients of
// Zep and Graphiti. The tests send requests to one service over HTTP. The package holds only tests.
//
// [TestFuzz] sends each interface inputs that are almost valid. A short run is part of all tests. A
// longer run is
//
//	ANNALS_FUZZ_DOORS=30m go test ./internal/server/doors -run TestFuzz -timeout 1h -v
package doors
