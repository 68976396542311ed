package retrieval

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/annalsdb/annals/graph"
)

// UnmarshalJSON reads a filter and refuses unknown fields. It also refuses null in a list: read as
// an empty text it would find nothing, and not say why.
func (f *Filter) UnmarshalJSON(text []byte) error {
	type fields Filter
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var read fields
	if err := decoder.Decode(&read); err != nil {
		return err
	}
	var parts map[string]any
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	for name, part := range parts {
		if err := refuseNulls("filter."+strings.ToLower(name), part); err != nil {
			return err
		}
	}
	*f = Filter(read)
	return nil
}

// refuseNulls refuses a null in a list of texts, and in a path of a condition.
func refuseNulls(field string, part any) error {
	switch part := part.(type) {
	case []any:
		for _, member := range part {
			if member == nil {
				return graph.Invalid(field, "lists null, which is no text")
			}
			if err := refuseNulls(field, member); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, member := range part {
			if err := refuseNulls(field, member); err != nil {
				return err
			}
		}
	}
	return nil
}
