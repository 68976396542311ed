package annals_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
)

// TestFieldsAreShown compares the fields that comments show of types of other
// packages, of which 'go doc annals Fact' would tell nothing, with the types.
func TestFieldsAreShown(t *testing.T) {
	t.Parallel()
	shown := map[string]string{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declaration := range file.Decls {
			if d, ok := declaration.(*ast.GenDecl); ok && d.Tok == token.TYPE && strings.Contains(d.Doc.Text(), "\ttype ") {
				shown[d.Specs[0].(*ast.TypeSpec).Name.Name] = d.Doc.Text()
			}
		}
	}
	for _, value := range []any{
		annals.Answer{},
		annals.Community{},
		annals.Construction{},
		annals.Entity{},
		annals.Episode{},
		annals.Fact{},
		annals.Filter{},
		annals.Observation{},
		annals.Ontology{},
		annals.Origin{},
		annals.Query{},
		annals.Question{},
		annals.Result{},
		annals.StandingAnswer{},
		annals.Triple{},
	} {
		of := reflect.TypeOf(value)
		if diff := cmp.Diff(fieldsOf(of), fieldsIn(shown[of.Name()])); diff != "" {
			t.Errorf("the comment of %s does not show its fields as they are (-want +got):\n%s", of.Name(), diff)
		}
		delete(shown, of.Name())
	}
	for name := range shown {
		t.Errorf("the comment of %s shows fields that nothing is compared with", name)
	}
}

func fieldsOf(of reflect.Type) []string {
	var fields []string
	for field := range of.Fields() {
		fields = append(fields, field.Name+" "+field.Type.String())
	}
	return fields
}

// fieldsIn are the names and types in the struct that a comment shows.
func fieldsIn(comment string) []string {
	var fields []string
	for line := range strings.Lines(comment) {
		field, ok := strings.CutPrefix(line, "\t\t")
		if !ok {
			continue
		}
		declared, _, _ := strings.Cut(field, "//")
		fields = append(fields, strings.Join(strings.Fields(declared), " "))
	}
	return fields
}
