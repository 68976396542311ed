package graph_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/annalsdb/annals/graph"
)

// ontology uses every supported feature.
const ontology = `{
  "entity_types": [
    {
      "name": "Person",
      "description": "A human being who is named.",
      "attributes": {
        "type": "object",
        "required": ["age"],
        "additionalProperties": false,
        "properties": {
          "age": {"type": "integer", "minimum": 0, "maximum": 150, "title": "Age"},
          "height": {"type": "number", "description": "in metres"},
          "home_town": {"type": "string", "minLength": 2, "maxLength": 40},
          "postcode": {"type": "string", "pattern": "^[0-9]{5}$"},
          "mood": {"type": "string", "enum": ["Very Good", "bad", "unknown"]},
          "born": {"type": "string", "format": "date"},
          "seen": {"type": "string", "format": "date-time"},
          "married": {"type": "boolean"},
          "hobbies": {"type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 3},
          "scores": {"type": "array", "items": {"type": "number"}}
        }
      }
    },
    {"name": "Company"}
  ],
  "fact_types": [
    {
      "name": "WORKS_AT",
      "description": "Somebody is paid by a company.",
      "pairs": [{"source": "Person", "target": "Company"}, {"source": "Robot"}],
      "attributes": {"type": "object", "properties": {"role": {"type": "string"}}}
    },
    {"name": "LIKES"}
  ],
  "excluded_types": ["Date"],
  "instructions": "Note what people eat."
}`

func mustOntology(t testing.TB) graph.Ontology {
	t.Helper()
	o, err := graph.ParseOntology([]byte(ontology))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOntologyIsReadBack(t *testing.T) {
	t.Parallel()
	o := mustOntology(t)
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	again, err := graph.ParseOntology(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(o, again); diff != "" {
		t.Errorf("the ontology after a round trip (-before +after):\n%s", diff)
	}
	if empty, err := json.Marshal(graph.Ontology{}); err != nil || string(empty) != "{}" {
		t.Errorf("the zero ontology is %s (%v)", empty, err)
	}
}

func TestOntologyLookup(t *testing.T) {
	t.Parallel()
	o := mustOntology(t)
	for name, want := range map[string]string{"Person": "Person", "PERSON": "Person", "company": "Company", "Robot": "", "": ""} {
		if got, ok := o.EntityType(name); got.Name != want || ok != (want != "") {
			t.Errorf("EntityType(%q) = %q, %v", name, got.Name, ok)
		}
	}
	for name, want := range map[string]string{"works at": "WORKS_AT", "WorksAt": "WORKS_AT", "likes": "LIKES", "LIKE": "", "": ""} {
		if got, ok := o.FactType(name); got.Name != want || ok != (want != "") {
			t.Errorf("FactType(%q) = %q, %v", name, got.Name, ok)
		}
	}
}

func TestFactTypeAllows(t *testing.T) {
	t.Parallel()
	o := mustOntology(t)
	works, _ := o.FactType("WORKS_AT")
	likes, _ := o.FactType("LIKES")
	for _, tt := range []struct {
		factType       graph.FactType
		source, target []string
		want           bool
	}{
		{works, []string{"Entity", "person"}, []string{"COMPANY"}, true},
		{works, []string{"Company"}, []string{"Person"}, false},
		{works, []string{"Person"}, nil, false},
		{works, []string{"Robot"}, nil, true},
		{works, nil, nil, false},
		{likes, nil, []string{"Company"}, true},
		{graph.FactType{Pairs: []graph.TypePair{{}}}, nil, nil, true},
	} {
		if got := tt.factType.Allows(tt.source, tt.target); got != tt.want {
			t.Errorf("%s.Allows(%v, %v) = %v", tt.factType.Name, tt.source, tt.target, got)
		}
	}
}

// person returns an ontology of one type, with a schema of one property.
func person(property string) string {
	return `{"entity_types":[{"name":"Person","attributes":{"type":"object","properties":{"p":` + property + `}}}]}`
}

func TestOntologyRefuses(t *testing.T) {
	t.Parallel()
	const property = "entity_types[0].attributes.properties.p"
	for _, tt := range []struct{ ontology, field, message string }{
		{``, "ontology", "is empty"},
		{`{"entity_types":[}`, "ontology", "is not valid JSON"},
		{`{} {}`, "ontology", "is not valid JSON"},
		{`[]`, "ontology", "is JSON of type array where an object is expected"},
		{`{"entities":[]}`, "ontology", `has no field "entities": an ontology has entity_types`},
		{`{"entity_types":[{"name":"A","colour":"red"}]}`, "ontology", `has no field "colour"`},
		{`{"entity_types":{}}`, "entity_types", "is JSON of type object where a list is expected"},
		{`{"fact_types":[{"name":7}]}`, "fact_types.name", "is JSON of type number where text is expected"},
		{`{"entity_types":[{"name":"A","attributes":7}]}`, "entity_types.attributes", "is JSON of type number where an object is expected"},
		{`{"entity_types":[{"name":"A","attributes":{"type":7}}]}`, "ontology", "cannot be read"},
		{strings.Repeat(`{"a":`, 30) + "1" + strings.Repeat("}", 30), "ontology", "is nested deeper than 20 levels"},
		{`"` + strings.Repeat("a", graph.MaxOntology) + `"`, "ontology", "the limit is 1048576"},

		{`{"entity_types":[{"name":"A"},{"name":""}]}`, "entity_types[1].name", "is empty"},
		{`{"entity_types":[{"name":"--"}]}`, "entity_types[0].name", "has no letter or digit"},
		{`{"entity_types":[{"name":"My Dog"},{"name":"MY_DOG"}]}`, "entity_types[1].name", "is also the name of entity_types[0]"},
		{`{"entity_types":[{"name":"` + strings.Repeat("a", 101) + `"}]}`, "entity_types[0].name", "is 101 bytes long; the limit is 100"},
		{`{"entity_types":[{"name":"a\u0000"}]}`, "entity_types[0].name", "NUL"},
		{`{"entity_types":[{"name":"A","description":"` + strings.Repeat("a", 1001) + `"}]}`, "entity_types[0].description", "the limit is 1000"},
		{`{"entity_types":[` + strings.Repeat(`{"name":"A"},`, 50) + `{"name":"A"}]}`, "entity_types", "has 51 members; the limit is 50"},
		{`{"fact_types":[` + strings.Repeat(`{"name":"A"},`, 100) + `{"name":"A"}]}`, "fact_types", "has 101 members; the limit is 100"},
		{`{"fact_types":[{"name":"A"},{"name":"B"},{"name":"a"}]}`, "fact_types[2].name", "is also the name of fact_types[0]"},
		{`{"fact_types":[{"name":"A","description":"` + strings.Repeat("a", 1001) + `"}]}`, "fact_types[0].description", "the limit is 1000"},
		{`{"fact_types":[{"name":"A","pairs":[{},{"target":"?"}]}]}`, "fact_types[0].pairs[1].target", "has no letter or digit"},
		{`{"fact_types":[{"name":"A","pairs":[` + strings.Repeat("{},", 100) + `{}]}]}`, "fact_types[0].pairs", "has 101 members; the limit is 100"},
		{`{"fact_types":[{"name":"A","attributes":{"type":"string"}}]}`, "fact_types[0].attributes.type", "is not object"},
		{`{"excluded_types":["A",""]}`, "excluded_types[1]", "is empty"},
		{`{"excluded_types":[` + strings.Repeat(`"A",`, 100) + `"A"]}`, "excluded_types", "the limit is 100"},
		{`{"instructions":"` + strings.Repeat("a", 4001) + `"}`, "instructions", "the limit is 4000"},

		{`{"entity_types":[{"name":"A","attributes":true}]}`, "entity_types[0].attributes.type", "is not object"},
		{`{"entity_types":[{"name":"A","attributes":{"type":"object","$ref":"#/$defs/b"}}]}`, "entity_types[0].attributes", "$ref is not supported"},
		{`{"entity_types":[{"name":"A","attributes":{"type":"object","additionalProperties":{"type":"string"}}}]}`, "entity_types[0].attributes", "additionalProperties is not supported"},
		{
			`{"entity_types":[{"name":"A","attributes":{"type":"object","properties":{"a b":{"type":"string"},"A_B":{"type":"string"}}}}]}`,
			"entity_types[0].attributes.properties.a b", "is also the name of entity_types[0].attributes.properties.A_B",
		},
		{`{"entity_types":[{"name":"A","attributes":{"type":"object","properties":{` + many(21) + `}}}]}`, "entity_types[0].attributes.properties", "has 21 members; the limit is 20"},
		{person(`{"type":"object"}`), property + ".type", `"object" is not supported here; attributes are an object with properties of type string`},
		{person(`{"type":["string","null"]}`), property + ".type", "is one of string, null; a property has one type"},
		{person(`{"anyOf":[{"type":"string"}]}`), property, "anyOf is not supported"},
		{person(`{}`), property, "has no type"},
		{person(`null`), property, "is empty"},
		{person(`{"type":"string","const":"a"}`), property, "const is not supported"},
		{person(`{"type":"string","colour":"red"}`), property, "colour is not supported"},
		{person(`{"type":"string","format":"email"}`), property + ".format", `"email" is not supported; use date or date-time`},
		{person(`{"type":"string","pattern":"("}`), "entity_types[0].attributes", "is not a schema that can be used"},
		{person(`{"type":"string","minLength":3,"maxLength":2}`), property + ".minLength", "is 3, more than the greatest value allowed, 2"},
		{person(`{"type":"string","minLength":1001}`), property + ".minLength", "a value may have 1000 bytes"},
		{person(`{"type":"string","enum":[]}`), property + ".enum", "is empty"},
		{person(`{"type":"string","enum":["a",1]}`), property + ".enum[1]", "is not text"},
		{person(`{"type":"string","minimum":1}`), property, "minimum is not supported"},
		{person(`{"type":"integer","enum":[1]}`), property, "enum is not supported"},
		{person(`{"type":"number","minimum":2,"maximum":1}`), property + ".minimum", "is 2, more than the greatest value allowed, 1"},
		{person(`{"type":"array"}`), property + ".items", "is empty"},
		{person(`{"type":"array","items":{"type":"array","items":{"type":"string"}}}`), property + ".items.type", `"array" is not supported here`},
		{person(`{"type":"array","items":{"type":"string"},"maxItems":0}`), property + ".maxItems", "the least is 1"},
		{person(`{"type":"array","items":{"type":"string"},"uniqueItems":true}`), property, "uniqueItems is not supported"},
		{person(`{"type":"array","items":[{"type":"string"}]}`), property + ".items", "is empty"},
		{person(`{"type":"string","description":"` + strings.Repeat("a", 1001) + `"}`), property + ".description", "the limit is 1000"},
	} {
		_, err := graph.ParseOntology([]byte(tt.ontology))
		problem, ok := errors.AsType[*graph.Error](err)
		if !ok {
			t.Errorf("%.200s: %v, want an error of %s", tt.ontology, err, tt.field)
			continue
		}
		if problem.Code != graph.CodeInvalid || problem.Field != tt.field || !strings.Contains(problem.Message, tt.message) {
			t.Errorf("%.200s: %q: %q, want %q: %q", tt.ontology, problem.Field, problem.Message, tt.field, tt.message)
		}
	}
}

// many returns n properties.
func many(n int) string {
	properties := make([]string, n)
	for i := range properties {
		properties[i] = fmt.Sprintf(`"p%d":{"type":"boolean"}`, i)
	}
	return strings.Join(properties, ",")
}

func TestOntologyRefusesWhatJSONCannotSay(t *testing.T) {
	t.Parallel()
	for _, bound := range []float64{math.NaN(), math.Inf(1)} {
		o := graph.Ontology{EntityTypes: []graph.EntityType{{Name: "A", Attributes: &jsonschema.Schema{
			Type: "object", Properties: map[string]*jsonschema.Schema{"p": {Type: "number", Maximum: &bound}},
		}}}}
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), "properties.p.maximum") {
			t.Errorf("a maximum of %v: %v", bound, err)
		}
	}
}

type employment struct {
	Role   string     `json:"role" jsonschema:"the title of the job"`
	Since  time.Time  `json:"since"`
	Until  *time.Time `json:"until,omitempty"`
	Salary *float64   `json:"salary,omitempty"`
	Hours  uint8      `json:"hours"`
	Skills []string   `json:"skills"`
	Secret string     `json:"-"`
}

func TestFactTypeOf(t *testing.T) {
	t.Parallel()
	factType, err := graph.FactTypeOf[employment]("WORKS_AT", "Who works where.", graph.TypePair{Source: "Person"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(factType)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"name":"WORKS_AT","description":"Who works where.","pairs":[{"source":"Person"}],"attributes":{"type":"object","properties":{` +
		`"role":{"type":"string","description":"the title of the job"},` +
		`"since":{"type":"string","format":"date-time"},"until":{"type":"string","format":"date-time"},` +
		`"salary":{"type":"number"},"hours":{"type":"integer","minimum":0,"maximum":255},` +
		`"skills":{"type":"array","items":{"type":"string"}}},` +
		`"required":["role","since","hours","skills"],"additionalProperties":false}}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("the fact type (-want +got):\n%s", diff)
	}
}

func TestTypesOfGo(t *testing.T) {
	t.Parallel()
	if plain, err := graph.EntityTypeOf[struct{}]("Thing", ""); err != nil || plain.Attributes != nil {
		t.Errorf("a struct without fields: %v, %v", plain, err)
	}
	if _, err := graph.EntityTypeOf[struct{ Inner struct{ A string } }]("Thing", ""); err == nil || !strings.Contains(err.Error(), "properties.Inner.type") {
		t.Errorf("a struct in a struct: %v", err)
	}
	if _, err := graph.EntityTypeOf[struct{ F func() }]("Thing", ""); err == nil || graph.CodeOf(err) != graph.CodeInvalid {
		t.Errorf("a function: %v", err)
	}
	if _, err := graph.FactTypeOf[string]("LIKES", ""); err == nil {
		t.Error("a string has attributes")
	}
	if _, err := graph.FactTypeOf[employment]("", ""); err == nil {
		t.Error("a fact type has no name")
	}
}

// The attributes of a person are described by a Go struct.
func ExampleEntityTypeOf() {
	type Person struct {
		Age     int      `json:"age,omitempty" jsonschema:"in years"`
		Hobbies []string `json:"hobbies,omitempty"`
	}
	person, err := graph.EntityTypeOf[Person]("Person", "A human being who is named.")
	if err != nil {
		fmt.Println(err)
	}
	o := graph.Ontology{EntityTypes: []graph.EntityType{person}, Instructions: "Hobbies are what people do unpaid."}
	data, err := json.MarshalIndent(o, "", "  ")
	fmt.Println(string(data), err)
	// Output:
	// {
	//   "entity_types": [
	//     {
	//       "name": "Person",
	//       "description": "A human being who is named.",
	//       "attributes": {
	//         "type": "object",
	//         "properties": {
	//           "age": {
	//             "type": "integer",
	//             "description": "in years"
	//           },
	//           "hobbies": {
	//             "type": "array",
	//             "items": {
	//               "type": "string"
	//             }
	//           }
	//         },
	//         "additionalProperties": false
	//       }
	//     }
	//   ],
	//   "instructions": "Hobbies are what people do unpaid."
	// } <nil>
}

func ExampleParseOntology() {
	_, err := graph.ParseOntology([]byte(`{"entity_types": [{"name": "Dog", "attributes": {"type": "object", "properties": {
		"born": {"type": "string", "format": "year"}
	}}}]}`))
	fmt.Println(err)
	// Output: entity_types[0].attributes.properties.born.format: "year" is not supported; use date or date-time
}
