package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
)

// MaxOntology is the limit of an ontology in JSON, in bytes.
const MaxOntology = 1 << 20

// maxNesting limits the depth of an ontology, generously: the schema library
// reads an inner schema once for each level around it.
const maxNesting = 20

const ontologyShape = "an ontology has entity_types, fact_types, excluded_types and instructions; " +
	"an entity type has name, description and attributes; a fact type has also pairs, each of source and target"

// ParseOntology reads and validates an ontology in JSON. The error is an [*Error]
// that names the field at fault.
func ParseOntology(data []byte) (Ontology, error) {
	if len(data) > MaxOntology {
		return Ontology{}, Invalid("ontology", "is %d bytes long; the limit is %d", len(data), MaxOntology)
	}
	if err := checkNesting(data); err != nil {
		return Ontology{}, err
	}
	var o Ontology
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&o); err != nil {
		return Ontology{}, notOntology(err)
	}
	return o, o.Validate()
}

// checkNesting checks that data is one JSON document that is not nested too deep.
func checkNesting(data []byte) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return Invalid("ontology", "is empty; %s", ontologyShape)
	}
	var document json.RawMessage
	if err := json.Unmarshal(data, &document); err != nil {
		return Invalid("ontology", "is not valid JSON: %v", err)
	}
	depth := 0
	for decoder := json.NewDecoder(bytes.NewReader(data)); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return Invalid("ontology", "is not valid JSON: %v", err)
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth > maxNesting {
			return Invalid("ontology", "is nested deeper than %d levels; %s", maxNesting, supportedAttributes)
		}
	}
}

// notOntology explains in plain words why JSON is not an ontology.
func notOntology(err error) error {
	if field, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return Invalid("ontology", "has no field %s: %s", field, ontologyShape)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return Invalid(wrong.Field, "is JSON of type %s where %s is expected", wrong.Value, kindInWords(wrong.Type))
	} else if ok {
		return Invalid("ontology", "is JSON of type %s where %s is expected: %s", wrong.Value, kindInWords(wrong.Type), ontologyShape)
	}
	return Invalid("ontology", "cannot be read: %v", err)
}

func kindInWords(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	default:
		return "a number"
	}
}
