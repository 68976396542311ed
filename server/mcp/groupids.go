package mcp

import (
	"encoding/json"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/annalsdb/annals/graph"
)

// groupIDs are the groups of a call, written as a list or as the one name.
type groupIDs []string

// UnmarshalJSON reads both forms.
func (g *groupIDs) UnmarshalJSON(data []byte) error {
	var one string
	if err := json.Unmarshal(data, &one); err == nil {
		*g = groupIDs{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(g))
}

// schemas are those of types that reflection gets wrong.
var schemas = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[groupIDs](): {AnyOf: []*jsonschema.Schema{
		{Type: "string", MaxLength: jsonschema.Ptr(graph.MaxGroupID)},
		{Type: "array", Items: &jsonschema.Schema{Type: "string", MaxLength: jsonschema.Ptr(graph.MaxGroupID)}, MaxItems: jsonschema.Ptr(maxGroups)},
	}},
}
