package annals_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const maxLines = 400

// TestEveryExportedNameHasAComment reads all Go by hand. In a group of constants
// or variables one comment above stands for all, and a line's own behind it for
// that line.
func TestEveryExportedNameHasAComment(t *testing.T) {
	t.Parallel()
	eachFile(t, func(path string, source []byte) {
		found, err := uncommented(path, source)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			t.Errorf("%s is exported and has no comment: say what it is for", name)
		}
	})
}

func TestFilesAreShort(t *testing.T) {
	t.Parallel()
	eachFile(t, func(path string, source []byte) {
		if n := strings.Count(string(source), "\n"); n > maxLines {
			t.Errorf("%s has %d lines, of at most %d: split it by what its parts are about", path, n, maxLines)
		}
	})
}

// eachFile calls do with each file of Go that is not generated and no test.
func eachFile(t *testing.T, do func(path string, source []byte)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err == nil && !strings.HasPrefix(string(source), "// Code generated ") {
			do(path, source)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// uncommented lists the exported names of a file that no comment explains.
func uncommented(path string, source []byte) ([]string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []string
	miss := func(name *ast.Ident, comments ...*ast.CommentGroup) {
		if name.IsExported() && !slices.ContainsFunc(comments, func(c *ast.CommentGroup) bool { return c.Text() != "" }) {
			found = append(found, fmt.Sprintf("%s: %s", files.Position(name.Pos()), name.Name))
		}
	}
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || receiver(d).IsExported() {
				miss(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					miss(s.Name, s.Doc, s.Comment, onlyOf(d))
				case *ast.ValueSpec:
					for _, name := range s.Names {
						miss(name, s.Doc, s.Comment, d.Doc)
					}
				}
			}
		}
	}
	return found, nil
}

// onlyOf is the comment of a declaration that declares one thing alone.
func onlyOf(d *ast.GenDecl) *ast.CommentGroup {
	if d.Lparen.IsValid() {
		return nil
	}
	return d.Doc
}

// receiver is the name of the type that a method belongs to.
func receiver(d *ast.FuncDecl) *ast.Ident {
	var name *ast.Ident
	for node := range ast.Preorder(d.Recv.List[0].Type) {
		if id, ok := node.(*ast.Ident); ok && name == nil {
			name = id
		}
	}
	return name
}

func TestUncommentedNamesAreFound(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]int{
		"func F() {}":                   1,
		"// F does.\nfunc F() {}":       0,
		"func f() {}":                   0,
		"type t int\n\nfunc (t) M() {}": 0,
		"// T is.\ntype T[A any] int\n\nfunc (*T[A]) M() {}": 1,
		"// Some.\nconst (\n\tA = 1\n\tB = 2\n)":             0,
		"const (\n\tA = 1 // one\n\tB = 2\n)":                1,
		"// Some.\ntype (\n\tA int\n\t// B is.\n\tB int\n)":  1,
		"var X, Y = 1, 2": 2,
	} {
		if got, err := uncommented("a.go", []byte("package p\n\n"+source)); err != nil || len(got) != want {
			t.Errorf("%q: %q (%v), want %d", source, got, err, want)
		}
	}
}
