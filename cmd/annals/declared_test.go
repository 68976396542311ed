package main

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/annalsdb/annals/internal/input"
)

// declared is an operation and its places in the interfaces.
type declared struct {
	in           any
	method, path string // of REST
	command      string
}

// operations lists the operations with inputs in internal/input that several interfaces have.
var operations = []declared{
	{in: input.ListFacts{}, method: "get", path: "/v1/groups/{group}/facts", command: "facts"},
	{in: input.NewTriple{}, method: "post", path: "/v1/groups/{group}/facts", command: "triple"},
	{in: input.FactChange{}, method: "patch", path: "/v1/groups/{group}/facts/{fact}", command: "facts edit"},
	{in: input.ListRejections{}, method: "get", path: "/v1/groups/{group}/rejections", command: "facts rejected"},
	{in: input.MarkChange{}, method: "post", path: "/v1/groups/{group}/marks", command: "mark"},
	{in: input.ListMarks{}, method: "get", path: "/v1/groups/{group}/marks", command: "mark list"},
	{in: input.ReleaseBody{}, method: "post", path: "/v1/groups/{group}/trust/release", command: "trust release"},
	{in: input.Timeline{}, method: "get", path: "/v1/groups/{group}/timeline", command: "timeline"},
	{in: input.Lanes{}, method: "get", path: "/v1/groups/{group}/lanes", command: "timeline"},
	{in: input.Diff{}, method: "get", path: "/v1/groups/{group}/diff", command: "diff"},
	{in: input.ListEntities{}, method: "get", path: "/v1/groups/{group}/entities", command: "entities"},
	{in: input.SplitOff{}, method: "post", path: "/v1/groups/{group}/entities/{entity}/split", command: "entities split"},
	{in: input.ListEpisodes{}, method: "get", path: "/v1/groups/{group}/episodes", command: "episodes"},
	{in: input.UndoEpisode{}, method: "delete", path: "/v1/groups/{group}/episodes/{episode}", command: "undo"},
	{in: input.ListCommunities{}, method: "get", path: "/v1/groups/{group}/communities", command: "communities"},
	{in: input.ListObservations{}, method: "get", path: "/v1/groups/{group}/observations", command: "observations"},
	{in: input.Page{}, method: "get", path: "/v1/groups/{group}/threads", command: "threads"},
	{in: input.Retention{}, method: "put", path: "/v1/groups/{group}/retention", command: "retention set"},
	{in: input.Judged{}, method: "post", path: "/v1/groups/{group}/retention/apply", command: "retention apply"},
	{in: input.Times{}, method: "get", path: "/v1/groups/{group}/answers", command: "answers"},
	{in: input.Construction{}, method: "post", path: "/v1/groups/{group}/context", command: "context"},
}

// The input of an operation is declared once: each field is in all interfaces, with the same
// meaning, except where its tags exclude it. The tests of tools check tools.
func TestWhatIsDeclaredStandsAtAllDoors(t *testing.T) {
	t.Parallel()
	document := openAPI(t)
	for _, o := range operations {
		root := (&app{}).command()
		cmd, _, err := root.Find(strings.Fields(o.command))
		if err != nil {
			t.Fatal(err)
		}
		rest := append(document.bodyOf(o.method, o.path), document.parametersOf(o.method, o.path)...)
		for _, f := range input.Fields(reflect.TypeOf(o.in)) {
			if !slices.Contains(rest, f.Name) {
				t.Errorf("%s %s does not take %s", o.method, o.path, f.Name)
			}
			if f.Flag() != "" {
				if flag := cmd.Flags().Lookup(f.Flag()); flag == nil || !strings.HasPrefix(flag.Usage, uncapitalised(f.Doc())) {
					t.Errorf("annals %s has no --%s, or with another meaning", o.command, f.Flag())
				}
			}
		}
	}
}

// A field added to a declaration becomes a flag, is read and is sent.
func TestAFieldIsAddedOnce(t *testing.T) {
	t.Parallel()
	type more struct {
		input.NewTriple
		Added string `json:"added,omitempty" to:"ExternalID" maxLength:"7" doc:"What is new"`
	}
	var in more
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	bind(flags, &in)
	if err := flags.Parse([]string{"--added", "x", "--valid-at", "2024-01-02"}); err != nil || in.Added != "x" {
		t.Fatalf("%+v, %v", in, err)
	}
	read, err := input.Read(in, struct {
		ExternalID, Predicate, Fact string
		Source, Target              struct {
			Name, Label string
			Attributes  json.RawMessage
		}
		Attributes                     json.RawMessage
		ValidAt, InvalidAt, OccurredAt string
		Force                          bool
	}{})
	if err != nil || read.ExternalID != "x" || read.ValidAt != "2024-01-02" {
		t.Errorf("read as %+v, %v", read, err)
	}
	if said, err := json.Marshal(input.Say[more](read)); err != nil || !strings.Contains(string(said), `"added":"x"`) {
		t.Errorf("sent as %s, %v", said, err)
	}
}
