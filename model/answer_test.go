package model

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type found struct {
	Things []thing `json:"things"`
}

type thing struct {
	Reason string   `json:"reason"`
	Name   string   `json:"name"`
	Kind   int      `json:"kind"`
	Weight float64  `json:"weight,omitempty"`
	Sure   bool     `json:"sure"`
	Alias  []string `json:"alias"`
	Parent *int     `json:"parent"`
}

func shapeFor[T any](t testing.TB) *shape {
	t.Helper()
	s, err := shapeOf(reflect.TypeFor[T]())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReadAnswer(t *testing.T) {
	t.Parallel()
	const lamp = `{"things":[{"reason":"r","name":"lamp","kind":2,"sure":true,"alias":["light"],"parent":1}]}`
	const want = `{"things":[{"alias":["light"],"kind":2,"name":"lamp","parent":1,"reason":"r","sure":true}]}`
	const bare = `{"things":[{"alias":[],"kind":2,"name":"lamp","parent":null,"reason":"","sure":false}]}`
	s := shapeFor[found](t)
	for name, tt := range map[string]struct{ said, want string }{
		"as it should be":              {lamp, want},
		"fenced":                       {"```json\n" + lamp + "\n```", want},
		"fenced, among words":          {"Sure! Here it is:\n```\n" + lamp + "\n```\nAnything else?", want},
		"after thinking":               {"<think>{\"things\":[]} or {a: b}?</think>\n" + lamp, want},
		"after thinking, not opened":   {"hm, {\"things\":[]}… </think>" + lamp, want},
		"a thought within the answer":  {strings.Replace(lamp, "lamp", "lamp</think>", 1), strings.Replace(want, "lamp", `lamp\u003c/think\u003e`, 1)},
		"after reasoning with braces":  {"The set {1, 2} and {x | x > 2}, [see 1]: " + lamp, want},
		"after a brace never closed":   {"a { b, then " + lamp, want},
		"after an example of no use":   {`For instance {"foo": 1}. ` + lamp, want},
		"a trailing comma":             {strings.Replace(lamp, `"parent":1}]}`, `"parent":1,},],}`, 1), want},
		"single quotes":                {strings.ReplaceAll(lamp, `"`, `'`), want},
		"keys without quotes":          {`{things:[{reason:"r",name:"lamp",kind:2,sure:true,alias:["light"],parent:1}]}`, want},
		"a comment":                    {strings.Replace(lamp, `"kind"`, "// which one?\n\"kind\"", 1), want},
		"quotes not escaped":           {strings.Replace(lamp, `"lamp"`, `"a "big" lamp"`, 1), strings.Replace(want, `"lamp"`, `"a \"big\" lamp"`, 1)},
		"unknown properties":           {strings.Replace(lamp, `"kind"`, `"extra":{"deep":[1]},"kind"`, 1), want},
		"a number as text":             {strings.Replace(lamp, `"kind":2`, `"kind":" 2 "`, 1), want},
		"a truth as text":              {strings.Replace(lamp, `"sure":true`, `"sure":"true"`, 1), want},
		"an untruth as text":           {strings.Replace(lamp, `"sure":true`, `"sure":"False"`, 1), strings.Replace(want, `"sure":true`, `"sure":false`, 1)},
		"a number with a fraction":     {strings.Replace(lamp, `"kind":2`, `"kind":2.0`, 1), want},
		"what may be missing":          {`{"things":[{"name":"lamp","kind":2}]}`, bare},
		"null":                         {`{"things":[{"reason":null,"name":"lamp","kind":2,"sure":null,"alias":null,"parent":null}]}`, bare},
		"null for a number":            {`{"things":[{"name":"lamp","kind":null}]}`, strings.Replace(bare, `"kind":2`, `"kind":0`, 1)},
		"a list alone":                 {`[{"name":"lamp","kind":2}]`, bare},
		"a list alone, after words":    {"[Note] the list is empty: []", `{"things":[]}`},
		"nothing at all":               {`{}`, `{"things":[]}`},
		"two answers":                  {lamp + lamp, want},
		"a backslash of a formula":     {strings.Replace(lamp, `"lamp"`, `"\sum_{i} \user is it\'s \\sum \n"`, 1), strings.Replace(want, `"lamp"`, `"\\sum_{i} \\user is it's \\sum \n"`, 1)},
		"what PostgreSQL cannot store": {strings.Replace(lamp, "lamp", `la\u0000mp`, 1), want},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := readAnswer(tt.said, s)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnswersThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := shapeFor[found](t)
	for name, tt := range map[string]struct{ said, want string }{
		"empty":                 {"", "no JSON object"},
		"words":                 {"I do not know.", "no JSON object"},
		"braces of a sentence":  {"{maybe} or {not}", "no JSON object"},
		"cut in a text":         {`{"things":[{"reason":"r","name":"la`, "not finished"},
		"cut after a thing":     {`{"things":[{"reason":"r","name":"lamp","kind":2}`, "not finished"},
		"cut within the second": {`{"things":[{"reason":"r","name":"lamp","kind":2},{"reason":"r"`, "not finished"},
		"cut, fenced":           {"```json\n{\"things\":[{\"name\":\"lamp\",\"kind\":2},\n```", "not finished"},
		"cut, single quotes":    {`{'things':[{'name':'lamp','kind':2}`, "not finished"},
		"cut list":              {`[{"name":"lamp","kind":2},`, "not finished"},
		"malformed":             {`{"things" is {"things":[]}}`, "malformed"},
		"another shape":         {`{"items":[]}`, "has none of the properties asked for, which are things"},
		"another shape within":  {`{"things":[{"a":1}]}`, "things[0] has none of the properties asked for, which are reason, name"},
		"a text for a list":     {`{"things":"none"}`, `things must be a list, not "none"`},
		"a word for a number":   {`{"things":[{"name":"x","kind":"two"}]}`, `things[0].kind must be a whole number, not "two"`},
		"a fraction":            {`{"things":[{"name":"x","kind":2.5}]}`, "things[0].kind must be a whole number, not 2.5"},
		"a number too large":    {`{"things":[{"name":"x","kind":1e99}]}`, "things[0].kind must be a whole number"},
		"a number for a text":   {`{"things":[{"name":7,"kind":2}]}`, "things[0].name must be a text, not 7"},
		"a text for a truth":    {`{"things":[{"name":"x","kind":2,"sure":"yes"}]}`, `things[0].sure must be true or false, not "yes"`},
		"several":               {`{"things":[{"name":7,"kind":"x"}]}`, "must be a text, not 7; things[0].kind must be"},
		"a missing number":      {`{"things":[{"name":"x"}]}`, "things[0].kind is missing"},
		"nested without end":    {strings.Repeat(`{"things":[`, 100_000), "too deeply"},
		"brackets without end":  {strings.Repeat("[", 1<<20), "too deeply"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := readAnswer(tt.said, s)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %s, error %v, want %q in it", got, err, tt.want)
			}
		})
	}
}

// TestTruncationIsNeverTakenForAnAnswer truncates answers at every byte.
func TestTruncationIsNeverTakenForAnAnswer(t *testing.T) {
	t.Parallel()
	s := shapeFor[found](t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z"{}\[\],:' ]{0,12}`)
		whole := found{Things: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) thing {
			return thing{Reason: text.Draw(t, "reason"), Name: text.Draw(t, "name"), Kind: rapid.Int().Draw(t, "kind"), Alias: []string{}}
		}), 1, 4).Draw(t, "things")}
		data, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readAnswer(string(data), s)
		if err != nil {
			t.Fatalf("%s cannot be read: %v", data, err)
		}
		var back found
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole, back); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		cut := rapid.IntRange(1, len(data)-1).Draw(t, "cut")
		if got, err := readAnswer(string(data[:cut]), s); err == nil {
			t.Fatalf("%s is read as %s", data[:cut], got)
		}
	})
}

func FuzzReadAnswer(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `[]`, `{"things":[]}`, "```json\n{\"things\":[{\"name\":\"a\",\"kind\":1}]}\n```", `{'things':[{name:'a',kind:'1',},],}`,
		`<think>{</think>{"things":null}`, `{"things":[{"name":"a`, `{"things":"\ud800"}`, `[[[[[[`, `{"a":{"a":{"a":1}}}`, "{\"things\":[{\"kind\":1e400}]}",
		`{"things":[{"name":"a "b" c","kind":1}]}`, "{\x00", `{"things":[{"kind":-0,"weight":"NaN"}]} // no`,
	} {
		f.Add(seed)
	}
	s := shapeFor[found](f)
	f.Fuzz(func(t *testing.T, said string) {
		got, err := readAnswer(said, s)
		if err != nil {
			return
		}
		var value any
		if err := json.Unmarshal(got, &value); err != nil {
			t.Fatalf("%q is read as %q: %v", said, got, err)
		}
		if err := s.checker.Validate(value); err != nil {
			t.Fatalf("%q is read as %s: %v", said, got, err)
		}
		again, err := readAnswer(string(got), s)
		if err != nil || string(again) != string(got) {
			t.Fatalf("%s is read as %s (%v)", got, again, err)
		}
	})
}

func TestShapes(t *testing.T) {
	t.Parallel()
	type inner struct {
		At   time.Time `json:"at"`
		Rank uint8     `json:"rank"`
		Two  [2]int    `json:"two"`
	}
	type outer struct {
		Maybe *inner `json:"maybe,omitempty"`
	}
	s := shapeFor[outer](t)
	want := `{"type":"object","properties":{"maybe":{"type":["null","object"],"properties":{"at":{"type":"string"},` +
		`"rank":{"type":"integer"},"two":{"type":"array","items":{"type":"integer"}}},"required":["at","rank","two"],` +
		`"additionalProperties":false}},"required":["maybe"],"additionalProperties":false}`
	if diff := cmp.Diff(want, string(s.wire)); diff != "" || !s.strict {
		t.Errorf("strict %t, schema (-want +got):\n%s", s.strict, diff)
	}
	for _, bad := range []string{`{"maybe":{"at":"x","rank":300,"two":[1,2]}}`, `{"maybe":{"at":"x","rank":3,"two":[1]}}`} {
		if got, err := readAnswer(bad, s); err == nil {
			t.Errorf("bounds that are not sent are not checked: %s", got)
		}
	}
	if loose := shapeFor[struct {
		Any  any            `json:"any"`
		Some map[string]int `json:"some"`
	}](t); loose.strict {
		t.Errorf("a map and any are said to be enforceable: %s", loose.wire)
	} else if got, err := readAnswer(`{"any":{"x":[1,2.5,"3"]},"some":{"a":"1","b":null}}`, loose); err != nil ||
		string(got) != `{"any":{"x":[1,2.5,"3"]},"some":{"a":1,"b":0}}` {
		t.Errorf("%s, %v", got, err)
	}
	for _, odd := range []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[[]string](), reflect.TypeFor[struct{ F func() }]()} {
		if _, err := shapeOf(odd); err == nil {
			t.Errorf("%s has a shape", odd)
		}
	}
}

func BenchmarkReadAnswer(b *testing.B) {
	s := shapeFor[found](b)
	for name, text := range map[string]string{
		"1MiB":          `{"things":[` + strings.TrimSuffix(strings.Repeat(`{"reason":"r","name":"lamp","kind":2,"sure":true,"alias":[]},`, 1<<14), ",") + `]}`,
		"100KiB quotes": `{'things':[` + strings.TrimSuffix(strings.Repeat(`{'reason':'r','name':'lamp','kind':2},`, 2600), ",") + `]}`,
		"braces":        strings.Repeat("{a:", 40) + strings.Repeat("{x: y} ", 10_000),
	} {
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_, _ = readAnswer(text, s)
			}
		})
	}
}
