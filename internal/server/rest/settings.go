package rest

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// ontology describes the JSON that [graph.ParseOntology] accepts.
type ontology struct {
	EntityTypes   []entityType `json:"entity_types,omitempty" doc:"Kinds of entities to look for"`
	FactTypes     []factType   `json:"fact_types,omitempty" doc:"Kinds of facts to look for"`
	ExcludedTypes []string     `json:"excluded_types,omitempty" doc:"Kinds of entities not to keep"`
	Instructions  string       `json:"instructions,omitempty" doc:"Anything else to heed, in words"`
}

type entityType struct {
	Name        string         `json:"name" minLength:"1" example:"Product"`
	Description string         `json:"description,omitempty"`
	Attributes  map[string]any `json:"attributes,omitempty" doc:"A JSON schema of what to note about one"`
}

type factType struct {
	Name        string         `json:"name" minLength:"1" example:"BOUGHT"`
	Description string         `json:"description,omitempty"`
	Pairs       []typePair     `json:"pairs,omitempty" doc:"Between which kinds it may hold; left out: between any"`
	Attributes  map[string]any `json:"attributes,omitempty" doc:"A JSON schema of what to note about one"`
}

type typePair struct {
	Source string `json:"source,omitempty" doc:"Left out: any"`
	Target string `json:"target,omitempty" doc:"Left out: any"`
}

type usageList struct {
	Usage []annals.Usage `json:"usage"`
}

func (a *api) settings() {
	tags := []string{"settings"}
	const path = "/v1/groups/{group}/ontology"
	described := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[ontology](), true, "Ontology")
	answered := map[string]*huma.Response{
		"200": {Description: "The ontology", Content: map[string]*huma.MediaType{"application/json": {Schema: described}}},
	}
	addWithHeaders(a, operation{
		OperationID: "get-ontology", Method: http.MethodGet, Path: path, Tags: tags, Summary: "Get the kinds of entities and facts a group looks for",
		Responses: answered,
	}, func(ctx context.Context, in *struct {
		InGroup
		UnlessKnown
	},
	) (*tagged[any], error) {
		o, err := a.client(ctx).Ontology(ctx, in.Group)
		if err != nil {
			return nil, err
		}
		tag, err := contentTag(o)
		if err != nil {
			return nil, err
		}
		return unlessTag[any](in.UnlessKnown, tag, o)
	})
	addWithHeaders(a, operation{
		OperationID: "set-ontology", Method: http.MethodPut, Path: path, Tags: tags, Summary: "Give a group its kinds of entities and facts",
		Description: "Episodes read from now on are read for them; {} takes them away again.", Responses: answered,
	}, a.setOntology)
	add(a, op("get-usage", "GET", "/v1/groups/{group}/usage", []string{"usage"}, "Tell what a group has cost in calls, tokens and dollars"),
		func(ctx context.Context, in *InGroup) (*body[usageList], error) {
			usage, err := a.client(ctx).Usage(ctx, in.Group)
			return answer(usageList{some(usage)}, err)
		})
}

func (a *api) setOntology(ctx context.Context, in *struct {
	InGroup
	IfUnchanged
	Body    ontology
	RawBody []byte
},
) (*tagged[any], error) {
	o, err := graph.ParseOntology(in.RawBody)
	if err != nil {
		return nil, err
	}
	if err := a.storeOntology(ctx, in.Group, o, in.IfUnchanged); err != nil {
		return nil, err
	}
	tag, err := contentTag(o)
	return &tagged[any]{ETag: tag, Body: o}, err
}

func (a *api) storeOntology(ctx context.Context, group string, o annals.Ontology, condition IfUnchanged) error {
	if condition.IfMatch == "" {
		return a.client(ctx).SetOntology(ctx, group, o)
	}
	now, err := a.client(ctx).Ontology(ctx, group)
	if err != nil {
		return err
	}
	tag, err := contentTag(now)
	if err != nil {
		return err
	}
	if !condition.matches(tag) {
		return changed("the ontology")
	}
	return a.client(ctx).ReplaceOntology(ctx, group, now, o)
}
