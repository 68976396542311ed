package graph_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/graph"
)

func personSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	person, _ := mustOntology(t).EntityType("Person")
	return person.Attributes
}

// named reads "name=value" texts.
func named(texts ...string) []graph.NamedValue {
	values := make([]graph.NamedValue, len(texts))
	for i, text := range texts {
		values[i].Name, values[i].Value, _ = strings.Cut(text, "=")
	}
	return values
}

func TestReadAttributes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", graph.MaxAttributeValue+1)
	for _, tt := range []struct {
		values   []string
		want     string
		problems []string
	}{
		{nil, `{}`, nil},
		{[]string{"age=30", "Home Town= Lisbon ", "HOME_TOWN=Lisbon", "married=Yes"}, `{"age":30,"home_town":"Lisbon","married":true}`, nil},
		{[]string{"age=", "home_town= ", "born=null", "married=Unknown", "seen=N/A", "hobbies="}, `{}`, nil},
		{[]string{"mood=unknown"}, `{"mood":"unknown"}`, nil},
		{[]string{"mood=VERY_GOOD"}, `{"mood":"Very Good"}`, nil},
		{[]string{"mood=fine"}, `{}`, []string{`mood: "fine" is none of the values allowed`}},
		{[]string{"age=old"}, `{}`, []string{`age: "old" is not a whole number`}},
		{[]string{"age=1,200"}, `{}`, []string{`age: "1,200" does not fit {"minimum":0,"maximum":150}`}},
		{[]string{"age=30", "age=31", "age=30 years"}, `{"age":30}`, []string{`age: "31" is left out, since "30" was given first`}},
		{[]string{"age=old", "age=30"}, `{"age":30}`, []string{`age: "old" is not a whole number`}},
		{[]string{"colour=red"}, `{}`, []string{`"colour" is not an attribute of this type`}},
		{[]string{"home_town=A"}, `{}`, []string{`home_town: "A" does not fit {"minLength":2,"maxLength":40}`}},
		{[]string{"postcode=12345"}, `{"postcode":"12345"}`, nil},
		{[]string{"postcode=1234"}, `{}`, []string{`postcode: "1234" does not fit {"pattern":"^[0-9]{5}$"}`}},
		{[]string{"home_town=" + long}, `{}`, []string{`home_town: "` + long[:80] + `…" has 1001 bytes; the limit is 1000`}},
		{[]string{"home_town=a\x00b"}, `{}`, []string{`home_town: "a\x00b" holds a NUL, which cannot be stored`}},
		{[]string{"home_town=a\xffb"}, `{}`, []string{`home_town: "a\xffb" is not valid UTF-8`}},
		{[]string{`hobbies=["a\u0000","b"]`}, `{"hobbies":["b"]}`, []string{`hobbies: "a\x00" holds a NUL, which cannot be stored`}},
		{[]string{"home_town=<b>&"}, `{"home_town":"<b>&"}`, nil},
		{[]string{"married=maybe"}, `{}`, []string{`married: "maybe" is neither true nor false`}},
		{[]string{"hobbies=chess", "hobbies=go", "hobbies=chess"}, `{"hobbies":["chess","go"]}`, nil},
		{[]string{`hobbies=["chess", "go, at night", null]`}, `{"hobbies":["chess","go, at night"]}`, nil},
		{[]string{`hobbies=[chess]`}, `{"hobbies":["[chess]"]}`, nil},
		{[]string{`hobbies=[["chess"]]`}, `{"hobbies":["[[\"chess\"]]"]}`, nil},
		{
			[]string{"hobbies=a", "hobbies=b", "hobbies=c", "hobbies=d", "hobbies=a"},
			`{"hobbies":["a","b","c"]}`,
			[]string{`hobbies: "d" is left out, since the list has its 3 members`},
		},
		{[]string{"hobbies=" + strings.Repeat("a", 21)}, `{}`, []string{`hobbies: "` + strings.Repeat("a", 21) + `" does not fit {"maxLength":20}`}},
		{[]string{"scores=1.50", "scores=two", "scores=[3,4e2]"}, `{"scores":[1.50,3,400]}`, []string{`scores: "two" is not a number`}},
		{[]string{"born=2024-02-29"}, `{"born":"2024-02-29"}`, nil},
		{[]string{"born=2024-02-29T23:59:00+05:00"}, `{"born":"2024-02-29"}`, nil},
		{[]string{"born=2023-02-29"}, `{}`, []string{`born: "2023-02-29" is not a date such as 2024-05-31`}},
		{[]string{"born=05/06/2023"}, `{}`, []string{`born: "05/06/2023" is not a date such as 2024-05-31`}},
		{[]string{"born=2023"}, `{}`, []string{`born: "2023" is not a date such as 2024-05-31`}},
		{[]string{"born=0000-01-01"}, `{}`, []string{`born: "0000-01-01" is not a date such as 2024-05-31`}},
		{[]string{"seen=2024-05-31"}, `{"seen":"2024-05-31T00:00:00Z"}`, nil},
		{[]string{"seen=2024-05-31t18:30:00.5+02:00"}, `{"seen":"2024-05-31T18:30:00.5+02:00"}`, nil},
		{[]string{"seen=2024-05-31 18:30:00"}, `{"seen":"2024-05-31T18:30:00Z"}`, nil},
		{[]string{"seen=2024-05-31T18:30"}, `{"seen":"2024-05-31T18:30:00Z"}`, nil},
		{[]string{"seen=yesterday"}, `{}`, []string{`seen: "yesterday" is not a time such as 2024-05-31T18:30:00Z`}},
	} {
		attributes, problems := graph.ReadAttributes(personSchema(t), named(tt.values...))
		if diff := cmp.Diff(tt.want, string(attributes)); diff != "" {
			t.Errorf("%.100q (-want +got):\n%s", tt.values, diff)
		}
		if diff := cmp.Diff(tt.problems, problems); diff != "" {
			t.Errorf("problems of %.100q (-want +got):\n%s", tt.values, diff)
		}
	}
}

func TestReadNumbers(t *testing.T) {
	t.Parallel()
	schema := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
		"whole": {Type: "integer"}, "real": {Type: "number"},
	}}
	for text, want := range map[string]struct{ whole, real string }{
		"0":                              {"0", "0"},
		"007":                            {"7", "7"},
		"-5":                             {"-5", "-5"},
		"+5":                             {"5", "5"},
		"−5":                             {"-5", "-5"},
		"3.0":                            {"3", "3.0"},
		"3.50":                           {"", "3.50"},
		"-0.5":                           {"", "-0.5"},
		"1e3":                            {"1000", "1000"},
		"1.5e-3":                         {"", "0.0015"},
		"1,200":                          {"1200", "1200"},
		"1,234,567":                      {"1234567", "1234567"},
		"1 200":                          {"1200", "1200"},
		"1\u202f200\u00a0000":            {"1200000", "1200000"},
		"1'200.25":                       {"", "1200.25"},
		"５０":                             {"50", "50"},
		"30 years":                       {"30", "30"},
		"30 years old":                   {"30", "30"},
		"30yrs.":                         {"30", "30"},
		"30歳":                            {"30", "30"},
		"30 साल":                         {"30", "30"},
		"3rd":                            {"3", "3"},
		"$30":                            {"30", "30"},
		"30 €":                           {"30", "30"},
		"₹1,200":                         {"1200", "1200"},
		"123456789012345678901234567890": {"123456789012345678901234567890", "123456789012345678901234567890"},
		"1e300":                          {"", "1e+300"},
		"1e400":                          {},
		"1,20":                           {},
		"1,2000":                         {},
		"12,34,567":                      {},
		"1 200,50":                       {},
		"1.200,50":                       {},
		"2 million":                      {},
		"2M":                             {},
		"3k":                             {},
		"3万":                             {},
		"5 m":                            {},
		"5 pm":                           {},
		"30%":                            {},
		"30 percent":                     {},
		"500 BC":                         {},
		"30s":                            {},
		"30-40":                          {},
		"30 or 40":                       {},
		"about 30":                       {},
		"30 years ago":                   {},
		"5 feet 11":                      {},
		"thirty":                         {},
		"0x1F":                           {},
		"NaN":                            {},
		"Infinity":                       {},
		"1_000":                          {},
		".":                              {},
		"-":                              {},
		"--5":                            {},
	} {
		wanted := map[string]json.RawMessage{}
		for name, literal := range map[string]string{"whole": want.whole, "real": want.real} {
			if literal != "" {
				wanted[name] = json.RawMessage(literal)
			}
		}
		attributes, problems := graph.ReadAttributes(schema, named("whole="+text, "real="+text))
		var got map[string]json.RawMessage
		if err := json.Unmarshal(attributes, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		if len(got)+len(problems) != 2 {
			t.Errorf("%q: %d are noted and %q told", text, len(got), problems)
		}
	}
}

func TestReadAttributesHasLimits(t *testing.T) {
	t.Parallel()
	schema := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
		"list": {Type: "array", Items: &jsonschema.Schema{Type: "string"}},
	}}
	var values []graph.NamedValue
	for i := range 1000 {
		values = append(values, graph.NamedValue{Name: "list", Value: fmt.Sprint(i)})
	}
	attributes, problems := graph.ReadAttributes(schema, values)
	var got struct{ List []string }
	if err := json.Unmarshal(attributes, &got); err != nil || len(got.List) != 50 {
		t.Errorf("%d members, %v", len(got.List), err)
	}
	if len(problems) != 51 || problems[50] != "left out as well: 900 more values" {
		t.Errorf("%d problems, of which the last is %q", len(problems), problems[len(problems)-1])
	}
}

// A schema that was not validated yields the attributes it can, and problems
// for the others.
func TestReadAttributesOfOddSchemas(t *testing.T) {
	t.Parallel()
	object := func(p *jsonschema.Schema) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"p": p}}
	}
	for name, tt := range map[string]struct {
		schema  *jsonschema.Schema
		problem string
	}{
		"none":                 {nil, `"p" is not an attribute of this type`},
		"no property":          {&jsonschema.Schema{Type: "object"}, `"p" is not an attribute of this type`},
		"an empty property":    {object(nil), "p: has no schema"},
		"a nested object":      {object(&jsonschema.Schema{Type: "object"}), `p: "1" cannot be read, since the attribute is of a type that is not supported`},
		"a list of anything":   {object(&jsonschema.Schema{Type: "array"}), "p: does not say what its members are"},
		"a broken pattern":     {object(&jsonschema.Schema{Type: "string", Pattern: "("}), `p: "1" does not fit {"pattern":"("}`},
		"a contradiction":      {object(&jsonschema.Schema{Type: "string", Not: &jsonschema.Schema{}}), `p: "1" does not fit true`},
		"not even an object":   {&jsonschema.Schema{Type: "string"}, `"p" is not an attribute of this type`},
		"more than one demand": {&jsonschema.Schema{Properties: object(nil).Properties, MinProperties: jsonschema.Ptr(9)}, "p: has no schema"},
	} {
		attributes, problems := graph.ReadAttributes(tt.schema, named("p=1"))
		if string(attributes) != "{}" || len(problems) == 0 || problems[0] != tt.problem {
			t.Errorf("%s: %s, %q", name, attributes, problems)
		}
	}
}

func TestMergeAttributes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ old, new, want string }{
		{``, ``, `{}`},
		{`{"a":1}`, ``, `{"a":1}`},
		{``, `{"a":1}`, `{"a":1}`},
		{`{"a":1,"b":2}`, `{"b":3,"c":4}`, `{"a":1,"b":3,"c":4}`},
		{`{"a":1}`, `{"a":null,"b": null}`, `{"a":1}`},
		{`{"a":null}`, `{"a":2}`, `{"a":2}`},
		{`{"a":["x"]}`, `{"a":["y"]}`, `{"a":["y"]}`},
		{`{"a":123456789012345678901234567890}`, `{"b":1.50}`, `{"a":123456789012345678901234567890,"b":1.50}`},
		{`{"a":1}`, `[1]`, `{"a":1}`},
		{`{"a":1}`, `{"a":`, `{"a":1}`},
		{`null`, `{"a":"<&>"}`, `{"a":"<&>"}`},
	} {
		if got := string(graph.MergeAttributes(json.RawMessage(tt.old), json.RawMessage(tt.new))); got != tt.want {
			t.Errorf("MergeAttributes(%s, %s) = %s, want %s", tt.old, tt.new, got, tt.want)
		}
	}
}

// anyAttributes draws small objects, so that property names coincide.
func anyAttributes() *rapid.Generator[json.RawMessage] {
	return rapid.Map(
		rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c", "ä"}), rapid.SampledFrom([]string{"1", "2.50", `"x"`, "null", "[1]", "{}"}), 0, 4),
		func(m map[string]string) json.RawMessage {
			var members []string
			for name, literal := range m {
				members = append(members, fmt.Sprintf("%q: %s", name, literal))
			}
			return json.RawMessage("{" + strings.Join(members, ", ") + "}")
		})
}

func TestMergeAttributesLaws(t *testing.T) {
	t.Parallel()
	merge := graph.MergeAttributes
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := anyAttributes().Draw(t, "a"), anyAttributes().Draw(t, "b"), anyAttributes().Draw(t, "c")
		ab := merge(a, b)
		if again := merge(ab, b); string(again) != string(ab) {
			t.Fatalf("merged twice: %s, then %s", ab, again)
		}
		if left, right := merge(ab, c), merge(a, merge(b, c)); string(left) != string(right) {
			t.Fatalf("(a+b)+c = %s, a+(b+c) = %s", left, right)
		}
		var old, new, merged map[string]any
		for text, into := range map[*map[string]any]json.RawMessage{&old: a, &new: b, &merged: ab} {
			if err := json.Unmarshal(into, text); err != nil {
				t.Fatal(err)
			}
		}
		for name, value := range old {
			if new[name] != nil {
				value = new[name]
			}
			if got, ok := merged[name]; !ok || !cmp.Equal(got, value) {
				t.Fatalf("%s is %v, want %v", name, got, value)
			}
		}
		for name, value := range new {
			if value != nil && !cmp.Equal(merged[name], value) {
				t.Fatalf("%s is %v, want %v", name, merged[name], value)
			}
		}
	})
}

func FuzzReadAttributes(f *testing.F) {
	for _, seed := range [][4]string{
		{"age", "30 years", "home town", "Lisbon"},
		{"hobbies", `["chess", 1]`, "hobbies", "go"},
		{"seen", "2024-05-31T18:30:00+02:00", "born", "2024-05-31"},
		{"height", "1,200.50e-2", "mood", "very good"},
		{"scores", "[1e5, 1e400]", "married", "YES"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	schema := personSchema(f)
	demands := schema.CloneSchemas()
	demands.Required = nil
	resolved, err := demands.Resolve(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name1, value1, name2, value2 string) {
		attributes, problems := graph.ReadAttributes(schema, []graph.NamedValue{{Name: name1, Value: value1}, {Name: name2, Value: value2}})
		var got map[string]any
		if err := json.Unmarshal(attributes, &got); err != nil || got == nil {
			t.Fatalf("%s is not an object: %v", attributes, err)
		}
		if err := resolved.Validate(got); err != nil {
			t.Errorf("%s: %v", attributes, err)
		}
		if strings.Contains(string(attributes), `\u0000`) {
			t.Errorf("%s cannot be stored", attributes)
		}
		if len(problems) > 2*50 {
			t.Errorf("%d problems", len(problems))
		}
	})
}

func ExampleReadAttributes() {
	schema := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
		"age":     {Type: "integer"},
		"born":    {Type: "string", Format: "date"},
		"hobbies": {Type: "array", Items: &jsonschema.Schema{Type: "string"}},
	}}
	attributes, problems := graph.ReadAttributes(schema, []graph.NamedValue{
		{Name: "Age", Value: "30 years"},
		{Name: "born", Value: "in spring"},
		{Name: "hobbies", Value: "chess"},
		{Name: "hobbies", Value: "sailing"},
	})
	fmt.Println(string(attributes))
	for _, problem := range problems {
		fmt.Println(problem)
	}
	// Output:
	// {"age":30,"hobbies":["chess","sailing"]}
	// born: "in spring" is not a date such as 2024-05-31
}

func ExampleMergeAttributes() {
	known := json.RawMessage(`{"age":30,"town":"Lisbon"}`)
	heard := json.RawMessage(`{"town":"Porto","age":null}`)
	fmt.Println(string(graph.MergeAttributes(known, heard)))
	// Output: {"age":30,"town":"Porto"}
}
