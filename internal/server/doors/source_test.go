package doors_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// source is the Go code of an interface without a description. Its routes are written as "POST
// /path": with(function), or "POST /path": {status, with(a.method)}. A function's last parameter is
// the type of the body.
type source struct {
	types   map[string]ast.Expr
	methods map[string]*ast.FuncDecl
	routes  []sourceRoute
}

type sourceRoute struct {
	method, path string
	takes        *shape // nil: no body
}

var routePath = regexp.MustCompile(`^(GET|POST|PUT|PATCH|DELETE) (/[a-z{][^ ]*)$`)

func readSource(t *testing.T, folders ...string) *source {
	t.Helper()
	s := &source{types: map[string]ast.Expr{}, methods: map[string]*ast.FuncDecl{}}
	var files []*ast.File
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				s.types[n.Name.Name] = n.Type
			case *ast.FuncDecl:
				s.methods[n.Name.Name] = n
			}
			return true
		})
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if pair, ok := n.(*ast.KeyValueExpr); ok {
				s.route(literal(pair.Key), pair.Value)
			}
			return true
		})
	}
	return s
}

func literal(e ast.Expr) string {
	if basic, ok := e.(*ast.BasicLit); ok {
		text, _ := strconv.Unquote(basic.Value)
		return text
	}
	return ""
}

// route records a route, if the pattern is one.
func (s *source) route(pattern string, answer ast.Expr) {
	match := routePath.FindStringSubmatch(pattern)
	if match == nil {
		return
	}
	if composite, ok := answer.(*ast.CompositeLit); ok && len(composite.Elts) == 2 {
		answer = composite.Elts[1]
	}
	r := sourceRoute{method: match[1], path: match[2]}
	if call, ok := answer.(*ast.CallExpr); ok && len(call.Args) > 0 {
		if strings.HasSuffix(strings.ToLower(nameOf(call.Fun)), "with") {
			r.takes = s.parameter(nameOf(call.Args[len(call.Args)-1]))
		}
	}
	s.routes = append(s.routes, r)
}

// nameOf returns the name of a function, without its package.
func nameOf(function ast.Expr) string {
	switch function := function.(type) {
	case *ast.SelectorExpr:
		return function.Sel.Name
	case *ast.Ident:
		return function.Name
	}
	return ""
}

func (s *source) parameter(method string) *shape {
	declared := s.methods[method]
	if declared == nil {
		return nil
	}
	list := declared.Type.Params.List
	return s.shape(list[len(list)-1].Type, 0)
}

// shape returns the shape of a type. Types of other packages accept anything.
func (s *source) shape(e ast.Expr, depth int) *shape {
	out := &shape{kind: "any"}
	if depth > 2*maxDepth {
		return out
	}
	switch e := e.(type) {
	case *ast.StarExpr:
		return s.shape(e.X, depth)
	case *ast.ArrayType:
		return &shape{kind: "array", items: s.shape(e.Elt, depth+1)}
	case *ast.SelectorExpr: // of another package
		if named := s.types[e.Sel.Name]; named != nil {
			return s.shape(named, depth+1)
		}
	case *ast.IndexExpr: // as in nullable[string]
		return s.shape(e.Index, depth+1)
	case *ast.MapType:
		return &shape{kind: "object"}
	case *ast.Ident:
		switch e.Name {
		case "string", "moment":
			out.kind = "string"
		case "bool":
			out.kind = "boolean"
		case "int", "int32", "int64", "number":
			out.kind = "integer"
		case "float64":
			out.kind = "number"
		default:
			if named := s.types[e.Name]; named != nil {
				return s.shape(named, depth+1)
			}
		}
	case *ast.StructType:
		out.kind, out.properties = "object", map[string]*shape{}
		for _, field := range e.Fields.List {
			s.field(out, field, depth)
		}
	}
	return out
}

func (s *source) field(of *shape, field *ast.Field, depth int) {
	name := ""
	if field.Tag != nil {
		tags, _ := strconv.Unquote(field.Tag.Value)
		name, _, _ = strings.Cut(reflect.StructTag(tags).Get("json"), ",")
	}
	inner := s.shape(field.Type, depth+1)
	if len(field.Names) == 0 && name == "" { // embedded
		for name, property := range inner.properties {
			of.properties[name] = property
		}
		return
	}
	if name == "-" {
		return
	}
	if name == "" {
		name = field.Names[0].Name
	}
	of.properties[name] = inner
}
