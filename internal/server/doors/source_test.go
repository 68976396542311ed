package doors_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// source is the Go code of an interface that has no description of its own. Its
// routes are written as {"POST", "/path", with((*call).method)}, or
// "POST /path": {status, with(a.method)}, and what a method takes is the type of its
// last parameter.
type source struct {
	types   map[string]ast.Expr
	methods map[string]*ast.FuncDecl
	routes  []sourceRoute
	roots   []string // such as /api/v2
}

type sourceRoute struct {
	list         string // that it stands in
	method, path string
	takes        *shape // nil: no body
}

var (
	routePath = regexp.MustCompile(`^(?:(GET|POST|PUT|PATCH|DELETE) )?(/[a-z{][^ ]*)$`)
	rootPath  = regexp.MustCompile(`^/api/v\d+$`)
)

func readSource(t *testing.T, folder string) *source {
	t.Helper()
	s := &source{types: map[string]ast.Expr{}, methods: map[string]*ast.FuncDecl{}}
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
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
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				s.types[n.Name.Name] = n.Type
			case *ast.FuncDecl:
				s.methods[n.Name.Name] = n
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && rootPath.MatchString(text) && !slices.Contains(s.roots, text) {
					s.roots = append(s.roots, text)
				}
			}
			return true
		})
	}
	slices.Sort(s.roots)
	list := ""
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				list = n.Names[0].Name
			case *ast.FuncDecl:
				list = n.Name.Name
			case *ast.CompositeLit:
				if len(n.Elts) == 3 {
					s.route(list, literal(n.Elts[0])+" "+literal(n.Elts[1]), n.Elts[2])
				}
			case *ast.KeyValueExpr:
				if value, ok := n.Value.(*ast.CompositeLit); ok && len(value.Elts) == 2 {
					s.route(list, literal(n.Key), value.Elts[1])
				}
			}
			return true
		})
	}
	return s
}

// root is what stands before the path of a route. Where there are several, the list
// that the route stands in names it, as v4UserRoutes does; else it is the first.
func (s *source) root(r sourceRoute) string {
	for _, root := range s.roots {
		if strings.HasPrefix(r.list, root[strings.LastIndex(root, "/")+1:]) {
			return root
		}
	}
	if len(s.roots) == 0 {
		return ""
	}
	return s.roots[0]
}

func literal(e ast.Expr) string {
	if basic, ok := e.(*ast.BasicLit); ok {
		text, _ := strconv.Unquote(basic.Value)
		return text
	}
	return ""
}

// route notes one, where the pattern is that of one.
func (s *source) route(list, pattern string, answer ast.Expr) {
	match := routePath.FindStringSubmatch(pattern)
	if match == nil || match[1] == "" {
		return
	}
	r := sourceRoute{list: list, method: match[1], path: match[2]}
	if call, ok := answer.(*ast.CallExpr); ok && len(call.Args) == 1 {
		if name, ok := call.Fun.(*ast.Ident); ok && strings.HasSuffix(strings.ToLower(name.Name), "with") {
			if method, ok := call.Args[0].(*ast.SelectorExpr); ok {
				r.takes = s.parameter(method.Sel.Name)
			}
		}
	}
	s.routes = append(s.routes, r)
}

func (s *source) parameter(method string) *shape {
	declared := s.methods[method]
	if declared == nil {
		return nil
	}
	list := declared.Type.Params.List
	return s.shape(list[len(list)-1].Type, 0)
}

// shape is that of a type. Types of other packages take anything.
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
