package annals_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var updateAPI = flag.Bool("update-api", false, "write testdata/api.txt anew")

// The names that importers may rely on: every exported name of these packages.
var promised = []string{".", "graph", "temporal", "model", "migrations", "worker", "metrics", "agent", "client", "langchain"}

// TestPromisedNames compares the promised names with the list: add new ones here deliberately.
func TestPromisedNames(t *testing.T) {
	t.Parallel()
	const list = "testdata/api.txt"
	var names []string
	eachFile(t, func(path string, source []byte) {
		if !slices.Contains(promised, filepath.ToSlash(filepath.Dir(path))) {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			for _, declared := range declaredBy(d) {
				if !slices.ContainsFunc(strings.Split(declared, "."), func(part string) bool { return !ast.IsExported(part) }) {
					names = append(names, file.Name.Name+"."+declared)
				}
			}
		}
	})
	slices.Sort(names)
	text := strings.Join(names, "\n") + "\n"
	if *updateAPI {
		if err := os.WriteFile(list, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text, "\n")); diff != "" {
		t.Errorf("%s is not what is exported (- listed, + exported); if that is meant: go test . -run TestPromisedNames -update-api\n%s", list, diff)
	}
	t.Logf("%d names", len(names))
}

// declaredBy lists the names in a declaration; those of methods have their type.
func declaredBy(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		for node := range ast.Preorder(d.Recv.List[0].Type) {
			if of, ok := node.(*ast.Ident); ok {
				return []string{of.Name + "." + d.Name.Name}
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}
