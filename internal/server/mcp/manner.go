package mcp

import (
	"context"
	"net/http"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ToolsHeader says over HTTP how tools are shown to one client: structured,
// aliases, or both with a comma between them.
const ToolsHeader = "X-Annals-Tools"

// manner is how tools are shown to a host and answer it. The protocol has no way
// for a client to say that it wants structured content, and a tool that declares
// a schema must send it: a host then gives the model every answer twice, or in the
// long form. So tools declare none and answer in a few words, unless the person
// who sets the host up says otherwise.
type manner struct {
	structured bool // answers are objects, whose schemas are declared
	aliases    bool // former names are listed
}

type mannerKey struct{}

// manner is that of the request, else of the door.
func (d *door) manner(ctx context.Context) manner {
	if asked, ok := ctx.Value(mannerKey{}).(manner); ok {
		return manner{structured: asked.structured || d.usual.structured, aliases: asked.aliases || d.usual.aliases}
	}
	return d.usual
}

// mannerOf is what the header of a request asks for.
func mannerOf(r *http.Request) manner {
	words := strings.FieldsFunc(strings.ToLower(r.Header.Get(ToolsHeader)), func(c rune) bool { return c == ',' || c == ' ' })
	return manner{structured: slices.Contains(words, "structured"), aliases: slices.Contains(words, "aliases")}
}

// list takes from a list of tools what the host was not asked to show.
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
