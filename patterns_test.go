package annals_test

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPatterns compiles all patterns, which package pattern otherwise compiles when they are first
// used.
func TestPatterns(t *testing.T) {
	t.Parallel()
	compiled := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, expression := range patternsIn(file) {
			if _, err := regexp.Compile(expression); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			compiled++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if compiled < 60 {
		t.Errorf("found %d patterns: look for them where they are now", compiled)
	}
}

// patternsIn returns the constant expressions that a file makes patterns of.
func patternsIn(file *ast.File) []string {
	var found []string
	for node := range ast.Preorder(file) {
		call, ok := node.(*ast.CallExpr)
		if !ok || types.ExprString(call.Fun) != "pattern.New" {
			continue
		}
		value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(call.Args[0]))
		if err == nil && value.Value != nil {
			found = append(found, constant.StringVal(value.Value))
		}
	}
	return found
}
