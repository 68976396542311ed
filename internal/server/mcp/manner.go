package mcp

import (
	"context"
	"net/http"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ToolsHeader selects over HTTP how tools are shown to one client: structured, aliases, or both,
// separated by a comma.
const ToolsHeader = "X-Annals-Tools"

// manner is how tools are shown to a host and how they answer. In the protocol a client cannot ask
// for structured content, and a tool that declares an output schema must send it. Hosts then give
// the model every answer twice, or in the long form. So tools declare no output schema and answer
// in a few words, unless the person who configures the host asks for more.
type manner struct {
	structured bool // answers are objects, and their schemas are declared
	aliases    bool // tools are also listed by their former names
}

type mannerKey struct{}

// manner combines what the request asks for with the options of the door.
func (d *door) manner(ctx context.Context) manner {
	if asked, ok := ctx.Value(mannerKey{}).(manner); ok {
		return manner{structured: asked.structured || d.usual.structured, aliases: asked.aliases || d.usual.aliases}
	}
	return d.usual
}

// mannerOf returns what the header of a request asks for.
func mannerOf(r *http.Request) manner {
	words := strings.FieldsFunc(strings.ToLower(r.Header.Get(ToolsHeader)), func(c rune) bool { return c == ',' || c == ' ' })
	return manner{structured: slices.Contains(words, "structured"), aliases: slices.Contains(words, "aliases")}
}

// list removes from a list of tools what the host did not ask for.
func (m manner) list(listed *sdk.ListToolsResult, aliases map[string]bool) {
	kept := []*sdk.Tool{}
	for _, tool := range listed.Tools {
		if aliases[tool.Name] && !m.aliases {
			continue
		}
		if !m.structured {
			short := *tool
			short.OutputSchema = nil
			tool = &short
		}
		kept = append(kept, tool)
	}
	listed.Tools = kept
}
