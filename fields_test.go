package annals_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
)

// TestFieldsAreShown holds what types.go tells of the fields of types of other packages against
// the types.
func TestFieldsAreShown(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "types.go", nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, declaration := range file.Decls {
		if d, ok := declaration.(*ast.GenDecl); ok && d.Tok == token.TYPE {
			shown[d.Specs[0].(*ast.TypeSpec).Name.Name] = d.Doc.Text()
		}
	}
	for _, value := range []any{
		annals.Community{},
		annals.Construction{},
		annals.Entity{},
		annals.Episode{},
		annals.Fact{},
		annals.Filter{},
		annals.Ontology{},
		annals.Query{},
		annals.Result{},
		annals.Triple{},
	} {
		of := reflect.TypeOf(value)
		if diff := cmp.Diff(fieldsOf(of), fieldsIn(shown[of.Name()])); diff != "" {
			t.Errorf("types.go does not show the fields of %s as they are (-want +got):\n%s", of.Name(), diff)
		}
		delete(shown, of.Name())
	}
	for name := range shown {
		t.Errorf("types.go shows %s, which nothing is held against", name)
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
