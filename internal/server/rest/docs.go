package rest

import (
	"bytes"
	_ "embed"
	"net/http"
	"reflect"
	"slices"
	"sort"
	"strings"
	"text/template"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed docs.html
var docsHTML string

// The template does not escape: its data is compiled in, and its function html escapes
// descriptions. The package html/template would add a tenth of a megabyte to the program.
var docsTemplate = template.Must(template.New("docs").Parse(docsHTML))

// docsRoute is a route on the page.
type docsRoute struct {
	Method     string
	Path       string
	Operation  *huma.Operation
	Parameters []*huma.Param
	Body       string // names of schemas, by content type
	Answers    []docsAnswer
}

type docsAnswer struct {
	Status, Description, Schema string
}

// docsSchema is an object on the page.
type docsSchema struct {
	Name   string
	Fields []docsField
}

type docsField struct {
	Name, Type, Description string
	Required                bool
}

// docsPage renders the OpenAPI document as a page, which loads nothing from elsewhere and runs no
// script.
func docsPage(document *huma.OpenAPI) http.Handler {
	var page bytes.Buffer
	err := docsTemplate.Execute(&page, map[string]any{
		"Info": document.Info, "Tags": routesByTag(document), "Schemas": schemasOf(document),
	})
	if err != nil { // the template and its data are compiled in
		panic("rest: " + err.Error())
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
		_, _ = w.Write(page.Bytes()) // the caller may have disconnected
	})
}

type docsTag struct {
	Name   string
	Routes []docsRoute
}

func routesByTag(document *huma.OpenAPI) []docsTag {
	var tags []docsTag
	for path, item := range document.Paths {
		for _, op := range operationsOf(item) {
			i := slices.IndexFunc(tags, func(t docsTag) bool { return t.Name == op.Tags[0] })
			if i < 0 {
				tags, i = append(tags, docsTag{Name: op.Tags[0]}), len(tags)
			}
			tags[i].Routes = append(tags[i].Routes, docsRoute{
				Method: op.Method, Path: path, Operation: op, Parameters: op.Parameters, Body: bodyOf(op), Answers: answersOf(op),
			})
		}
	}
	sort.Slice(tags, func(i, j int) bool { return tags[i].Name < tags[j].Name }) // slices.SortFunc is compiled for each type, 13 kB each time
	for _, t := range tags {
		sort.Slice(t.Routes, func(i, j int) bool { return t.Routes[i].Path+t.Routes[i].Method < t.Routes[j].Path+t.Routes[j].Method })
	}
	return tags
}

// operationsOf returns the operations of a path.
func operationsOf(item *huma.PathItem) []*huma.Operation {
	all := []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete}
	return slices.DeleteFunc(all, func(op *huma.Operation) bool { return op == nil })
}

func bodyOf(op *huma.Operation) string {
	if op.RequestBody == nil {
		return ""
	}
	return contentOf(op.RequestBody.Content)
}

func contentOf(content map[string]*huma.MediaType) string {
	var parts []string
	for kind, media := range content {
		parts = append(parts, kind+" "+typeOf(media.Schema))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

func answersOf(op *huma.Operation) []docsAnswer {
	var answers []docsAnswer
	for status, response := range op.Responses {
		answers = append(answers, docsAnswer{Status: status, Description: response.Description, Schema: contentOf(response.Content)})
	}
	sort.Slice(answers, func(i, j int) bool { return answers[i].Status < answers[j].Status })
	return answers
}

func schemasOf(document *huma.OpenAPI) []docsSchema {
	var schemas []docsSchema
	for name, schema := range document.Components.Schemas.Map() {
		s := docsSchema{Name: name}
		for field, property := range schema.Properties {
			s.Fields = append(s.Fields, docsField{
				Name: field, Type: typeOf(property), Description: property.Description, Required: slices.Contains(schema.Required, field),
			})
		}
		sort.Slice(s.Fields, func(i, j int) bool { return s.Fields[i].Name < s.Fields[j].Name })
		schemas = append(schemas, s)
	}
	sort.Slice(schemas, func(i, j int) bool { return schemas[i].Name < schemas[j].Name })
	return schemas
}

// typeOf describes the type of a schema in a few words.
func typeOf(s *huma.Schema) string {
	switch {
	case s == nil:
		return ""
	case s.Ref != "":
		return s.Ref[strings.LastIndex(s.Ref, "/")+1:]
	case len(s.OneOf) > 0:
		var parts []string
		for _, one := range s.OneOf {
			parts = append(parts, typeOf(one))
		}
		return strings.Join(parts, " or ")
	case s.Type == huma.TypeArray:
		return "list of " + typeOf(s.Items)
	case s.Type == "":
		return "any JSON"
	case s.Format != "" && s.Type == huma.TypeString:
		return s.Format
	}
	return s.Type
}

const schemaPrefix = "#/components/schemas/"

// schemaName returns the name of a type in the OpenAPI document, and so in generated clients: Fact
// for the Go type FactJSON.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	switch name {
	case "FactChangeJSON", "EntityChangeJSON": // the input of a change has the plain name
		return strings.Replace(name, "ChangeJSON", "Difference", 1)
	case "Found":
		return "SearchResult"
	}
	return strings.TrimSuffix(name, "JSON")
}

// describeAnswers declares that lists in responses are never null, only empty. Lists in requests
// may be null, which counts as missing.
func describeAnswers(document *huma.OpenAPI) {
	asked := references{document.Components.Schemas, map[*huma.Schema]bool{}}
	for _, item := range document.Paths {
		for _, op := range operationsOf(item) {
			if op.RequestBody != nil {
				for _, content := range op.RequestBody.Content {
					asked.add(content.Schema)
				}
			}
		}
	}
	for _, schema := range document.Components.Schemas.Map() {
		for _, property := range schema.Properties {
			if property.Type == huma.TypeArray && !asked.found[schema] {
				property.Nullable = false
			}
		}
	}
}

// references collects schemas and all schemas that they refer to.
type references struct {
	registry huma.Registry
	found    map[*huma.Schema]bool
}

func (r references) add(s *huma.Schema) {
	if s != nil && s.Ref != "" {
		s = r.registry.SchemaFromRef(s.Ref)
	}
	if s == nil || r.found[s] {
		return
	}
	r.found[s] = true
	for _, property := range s.Properties {
		r.add(property)
	}
	for _, one := range append(append(append([]*huma.Schema{s.Items, s.Not}, s.OneOf...), s.AnyOf...), s.AllOf...) {
		r.add(one)
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		r.add(values)
	}
}
