package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

const shop = `{
  "entity_types": [
    {
      "name": "Product",
      "description": "Something sold",
      "attributes": {
        "type": "object",
        "properties": {
          "price": {
            "type": "number",
            "minimum": 0
          }
        }
      }
    }
  ],
  "fact_types": [
    {
      "name": "BOUGHT",
      "pairs": [
        {
          "source": "Customer",
          "target": "Product"
        }
      ]
    }
  ],
  "excluded_types": [
    "Topic"
  ],
  "instructions": "Heed returns."
}
`

// The printed ontology can be set again.
func TestAnOntologyGoesRound(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.makeGroup("t")
	if got := m.must("ontology", "-g", "t"); got != "{}\n" {
		t.Errorf("before it is given, it is %q", got)
	}
	if got := m.must("ontology", "set", m.file("shop.json", shop), "-g", "t"); got != "t looks for these types. Entities: 1, facts: 1.\n" {
		t.Errorf("set says %q", got)
	}
	shown := m.must("ontology", "-g", "t")
	if diff := cmp.Diff(shop, shown); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
	if o := m.run(shown, "ontology", "set", "-", "-g", "other", "--json"); o.code != exitOK || o.stdout != shown {
		t.Errorf("set from standard input: exit %d, %q%s", o.code, o.stdout, o.stderr)
	}
	if got := m.must("ontology", "-g", "other", "--json"); got != shown {
		t.Errorf("the other group has %s", got)
	}
	if got := m.run("{}", "ontology", "set", "-", "-g", "other"); got.code != exitOK {
		t.Errorf("taking it away: exit %d, %s", got.code, got.stderr)
	}
	if got := m.must("ontology", "-g", "other"); got != "{}\n" {
		t.Errorf("taken away, it is %q", got)
	}
	if got := m.must("ontology", "-g", "t"); got != shown {
		t.Errorf("the first group has %s", got)
	}
}

func TestBadOntologies(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.must("ontology", "set", m.file("shop.json", shop), "-g", "t")
	for name, tt := range map[string]struct{ text, want string }{
		"a type without a name": {`{"entity_types": [{"name": "Person"}, {"name": ""}]}`, "entity_types[1].name: is empty"},
		"a name twice":          {`{"entity_types": [{"name": "Person"}, {"name": "person"}]}`, "entity_types[1].name: "},
		"an unknown field":      {`{"colour": 1}`, `ontology: has no field "colour"`},
		"the wrong kind":        {`{"fact_types": [{"name": "KNOWS", "pairs": 3}]}`, "fact_types.pairs: is JSON of type number where a list is expected"},
		"an attribute too deep": {
			`{"entity_types": [{"name": "P", "attributes": {"type": "object", "properties": {"x": {"type": "object"}}}}]}`,
			"entity_types[0].attributes.properties.x.type: ",
		},
		"no JSON":  {"Product, Customer", "ontology: is not valid JSON"},
		"nothing":  {"", "ontology: is empty"},
		"a list":   {"[]", "ontology: is JSON of type array where an object is expected"},
		"too long": {`{"instructions": "` + strings.Repeat("a", 1<<20) + `"}`, "the limit is 1048576"},
	} {
		m.run(tt.text, "ontology", "set", "-", "-g", "t").failsWith(t, tt.want)
		o := m.run("", "ontology", "set", m.file("bad.json", tt.text), "-g", "t")
		if o.code != exitFailed || !strings.Contains(o.stderr, tt.want) {
			t.Errorf("%s, from a file: exit %d, %q; want %q", name, o.code, o.stderr, tt.want)
		}
	}
	m.run("", "ontology", "set", "nowhere.json", "-g", "t").failsWith(t, "nowhere.json")
	if got := m.must("ontology", "-g", "t"); got != shop {
		t.Errorf("a bad one changed it to %s", got)
	}
}

// A model is given the ontology, and its findings have the types of it.
func TestAnOntologyGuidesTheModel(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.must("ontology", "set", s.file("shop.json", shop), "-g", "t")
	var asked string
	s.answers["extract_entities"] = func(r modeltest.Request) modeltest.Reply {
		asked = r.User
		return modeltest.Reply{JSON: prompts.ExtractedEntities{Entities: []prompts.ExtractedEntity{
			{Name: "Kettle", Label: "product", Attributes: []prompts.Attribute{{Name: "price", Value: "29.9"}}},
			{Name: "Kitchens", Label: "Topic"},
		}}}
	}
	s.must("add", "-g", "t", "--actor", "Alice", "I bought a kettle.")
	for _, want := range []string{"Product", "Something sold", "price", "Heed returns.", "Topic"} {
		if !strings.Contains(asked, want) {
			t.Errorf("the model was not told of %q:\n%s", want, asked)
		}
	}
	var got struct {
		Entities []struct {
			Name       string
			Labels     []string
			Attributes map[string]any
		}
	}
	s.read(&got, "entities", "-g", "t")
	types := map[string][]string{}
	for _, e := range got.Entities {
		types[e.Name] = e.Labels
		if e.Name == "Kettle" && !cmp.Equal(e.Attributes, map[string]any{"price": 29.9}) {
			t.Errorf("the kettle is noted with %v", e.Attributes)
		}
	}
	if diff := cmp.Diff(map[string][]string{"Kettle": {"Product"}, "Alice": {}}, types); diff != "" {
		t.Errorf("entities and their types (-want +got):\n%s", diff)
	}
}
