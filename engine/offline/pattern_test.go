package offline

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// TestPatternsCompile finds what would otherwise fail only with the first text that meets it.
func TestPatternsCompile(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	compiled := 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for node := range ast.Preorder(file) {
			call, ok := node.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				continue
			}
			called, isName := call.Fun.(*ast.Ident)
			literal, isLiteral := call.Args[0].(*ast.BasicLit)
			if !isName || called.Name != "newPattern" || !isLiteral {
				continue
			}
			expression, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := regexp.Compile(expression); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			compiled++
		}
	}
	if compiled < 50 {
		t.Errorf("found %d patterns: look for them where they are now", compiled)
	}
	for verb, ways := range relations {
		for _, way := range ways {
			if way.after != nil && way.after() == nil {
				t.Errorf("%s %s: no pattern", verb, way.predicate)
			}
		}
	}
}
