package db_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// No two structs that sqlc generates for rows, views or tables have the same fields. A query whose
// rows fit another struct reads the view of that struct: SELECT e.* FROM
// annals_internal.entity_rows e.
func TestRowsHaveOneStructEach(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.sql.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no generated queries", err)
	}
	alike, rows := map[string]string{}, 0 // names by the fields
	for _, file := range append(files, "models.go", "batch.go") {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			declared, ok := node.(*ast.TypeSpec)
			if !ok {
				return true
			}
			fields, ok := declared.Type.(*ast.StructType)
			if !ok || !strings.HasSuffix(declared.Name.Name, "Row") && file != "models.go" {
				return false // arguments
			}
			rows++
			shape := types.ExprString(fields)
			if other, there := alike[shape]; there {
				t.Errorf("%s and %s are the same %s", declared.Name.Name, other, shape)
			}
			alike[shape] = declared.Name.Name
			return false
		})
	}
	if rows < 50 {
		t.Errorf("looked at %d structs; the test no longer finds them", rows)
	}
}
