package mcp_test

import (
	"net/http"
	"strings"
	"testing"
)

// As MCP requires, pages of other origins are refused, even with a key.
func TestForeignOriginsAreRefused(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for origin, want := range map[string]int{
		"": http.StatusOK, "https://app.example": http.StatusOK, "https://evil.example": http.StatusForbidden, "null": http.StatusForbidden,
		strings.TrimSuffix(s.url, "/mcp"): http.StatusOK,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+adminKey)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("origin %q: %d, want %d", origin, answer.StatusCode, want)
		}
	}
}
