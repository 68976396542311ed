package archive

import (
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// numbered is a node or a relationship in the format of Neo4j's apoc.export.json.
type numbered struct {
	Type       string                     `json:"type"` // node or relationship
	ID         string                     `json:"id"`   // Neo4j's own
	Labels     []string                   `json:"labels"`
	Label      string                     `json:"label"` // of a relationship
	Properties map[string]json.RawMessage `json:"properties"`
	Start      end                        `json:"start"`
	End        end                        `json:"end"`
}

// end is an end of a relationship.
type end struct {
	ID         string `json:"id"`
	Properties struct {
		UUID uuid.UUID `json:"uuid"`
	} `json:"properties"`
}

// isNumbered reports whether an element of a list of nodes has this format.
func isNumbered(raw json.RawMessage) bool {
	var n struct {
		Type       string
		Properties json.RawMessage
	}
	return json.Unmarshal(raw, &n) == nil && n.Type == "node" && n.Properties != nil
}

// numbered reads a node or a relationship of Graphiti's graph in Neo4j.
func (s *spool) numbered(raw json.RawMessage) error {
	var n numbered
	if err := json.Unmarshal(raw, &n); err != nil {
		return graph.Invalid("import", "the file is not what Neo4j exports, {\"type\": \"node\", \"id\": …, \"properties\": {…}}: %v", err)
	}
	switch {
	case n.Type == "relationship":
		return s.relationship(n)
	case slices.Contains(n.Labels, "Episodic"):
		e, err := ofProperties[dumpedEpisode](n)
		if err != nil {
			return err
		}
		s.byNumber[n.ID] = e.UUID
		return s.takeEpisode(e)
	case slices.Contains(n.Labels, "Entity"):
		node, err := ofProperties[dumpedNode](n)
		if err != nil {
			return err
		}
		node.Labels, node.Attributes = n.Labels, n.others("uuid", "name", "group_id", "name_embedding", "summary", "created_at", "labels")
		s.byNumber[n.ID] = node.UUID
		return s.takeNode(node)
	}
	kind := "node without a label"
	if len(n.Labels) > 0 {
		kind = "node of the kind " + n.Labels[0]
	}
	s.unmapped.Add(kind, n.ID)
	return nil
}

func (s *spool) relationship(n numbered) error {
	from, to := s.endOf(n.Start), s.endOf(n.End)
	switch n.Label {
	case "MENTIONS":
		s.mentions = append(s.mentions, [2]uuid.UUID{from, to})
		return nil
	case "RELATES_TO":
		e, err := ofProperties[dumpedEdge](n)
		if err != nil {
			return err
		}
		e.Source, e.Target = from, to
		e.Attributes = n.others("uuid", "source_uuid", "target_uuid", "source_node_uuid", "target_node_uuid", "name", "group_id", "fact", "fact_embedding",
			"episodes", "created_at", "expired_at", "valid_at", "invalid_at", "reference_time")
		return s.takeEdge(e)
	}
	s.unmapped.Add("relationship "+n.Label, n.ID)
	return nil
}

func (s *spool) endOf(e end) uuid.UUID {
	if e.Properties.UUID != uuid.Nil {
		return e.Properties.UUID
	}
	return s.byNumber[e.ID]
}

// ofProperties decodes the properties, which have the names of Graphiti's models.
func ofProperties[T any](n numbered) (T, error) {
	var out T
	text, err := json.Marshal(n.Properties)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		return out, graph.Invalid("import", "the %s %s of the file is none of Graphiti: %v", n.Type, n.ID, err)
	}
	return out, nil
}

// others returns the properties that are not known. They are attributes, which Graphiti stores next
// to its own properties.
func (n numbered) others(known ...string) json.RawMessage {
	rest := map[string]json.RawMessage{}
	for name, value := range n.Properties {
		if !slices.Contains(known, name) && string(value) != "null" {
			rest[name] = value
		}
	}
	text, err := json.Marshal(rest)
	if err != nil {
		return nil // it was decoded from JSON
	}
	return text
}
