package mcp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/mcp"
)

// A key is listed its own memories and their content, page by page.
func TestResourcesAreListed(t *testing.T) {
	t.Parallel()
	s := serve(t)
	admin, alice := s.session(adminKey), s.talk(aliceKey)
	s.remember(admin, "alice")
	s.remember(admin, "bob")
	uris := func(c *session) []string {
		t.Helper()
		var found []string
		for resource, err := range c.Resources(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, resource.URI)
		}
		return found
	}
	listed := uris(alice)
	if len(listed) != 5 || listed[0] != "annals://groups" || listed[1] != "annals://groups/alice" || !strings.HasPrefix(listed[2], "annals://groups/alice/entities/") {
		t.Errorf("to the key of alice: %q", listed)
	}
	for _, uri := range listed {
		read, err := alice.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatalf("%s: %v", uri, err)
		}
		if r := read.Contents[0]; r.MIMEType != "text/plain" || strings.Contains(r.Text, "bob") || strings.HasPrefix(r.Text, "{") || !strings.Contains(strings.ToLower(r.Text), "alice") {
			t.Errorf("%s: %+v", uri, r)
		}
	}
	if listed := uris(s.talk(aliceKey, "X-Annals-Group", "bob")); len(listed) != 2 {
		t.Errorf("with a header of another's group: %q", listed)
	}
	for i := range 150 {
		if _, err := s.client.CreateGroup(t.Context(), annals.Group{ID: fmt.Sprintf("g%03d", i), Kind: "graph"}); err != nil {
			t.Fatal(err)
		}
	}
	all := uris(admin)
	if len(all) != 153 || !slices.Contains(all, "annals://groups/g149") || len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
		t.Errorf("to the key of all: %d, %q", len(all), all)
	}
	if _, err := alice.ListResources(t.Context(), &sdk.ListResourcesParams{Cursor: "no such"}); err == nil || !strings.Contains(err.Error(), "cursor") {
		t.Errorf("a cursor that nobody gave: %v", err)
	}

	completed := func(c *session, argument, value string, chosen map[string]string) []string {
		t.Helper()
		got, err := c.Complete(t.Context(), &sdk.CompleteParams{
			Ref:      &sdk.CompleteReference{Type: "ref/resource", URI: "annals://groups/{group}/entities/{entity}"},
			Argument: sdk.CompleteParamsArgument{Name: argument, Value: value}, Context: &sdk.CompleteContext{Arguments: chosen},
		})
		if err != nil {
			t.Fatal(err)
		}
		return got.Completion.Values
	}
	if got := completed(alice, "group", "", nil); !slices.Equal(got, []string{"alice"}) {
		t.Errorf("groups for the key of alice: %q", got)
	}
	if got := completed(admin, "group", "G14", nil); len(got) != 10 || got[9] != "g149" {
		t.Errorf("groups past the first hundred: %q", got)
	}
	if got := completed(admin, "group", "", nil); len(got) != 100 {
		t.Errorf("all groups: %d", len(got))
	}
	read, err := admin.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "annals://groups"})
	if err != nil || !strings.Contains(read.Contents[0].Text, "g149") {
		t.Errorf("the resource of all groups: %v, %+v", err, read)
	}
	if got := completed(alice, "entity", "lis", map[string]string{"group": "alice"}); !slices.Equal(got, []string{"Lisbon"}) {
		t.Errorf("entities: %q", got)
	}
	if got := completed(alice, "entity", "", map[string]string{"group": "bob"}); len(got) != 0 {
		t.Errorf("another's entities: %q", got)
	}
}

// An allowed page of another origin may send the headers that select the form of tools.
func TestAPageMaySendOurHeaders(t *testing.T) {
	t.Parallel()
	const origin = "https://app.example.com"
	s := server.New(server.Options{Client: serve(t).client, CORSOrigins: []string{origin}})
	mcp.Mount(s, mcp.Options{})
	for _, header := range []string{mcp.GroupHeader, mcp.ToolsHeader} {
		asks := httptest.NewRequestWithContext(t.Context(), http.MethodOptions, "/mcp", nil)
		asks.Header.Set("Origin", origin)
		asks.Header.Set("Access-Control-Request-Method", http.MethodPost)
		asks.Header.Set("Access-Control-Request-Headers", strings.ToLower(header))
		answer := httptest.NewRecorder()
		s.Handler().ServeHTTP(answer, asks)
		if got := answer.Header().Get("Access-Control-Allow-Headers"); got != strings.ToLower(header) {
			t.Errorf("%s: allowed are %q", header, got)
		}
	}
}
