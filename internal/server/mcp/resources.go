package mcp

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

const (
	scheme    = "annals://"
	groupsURI = scheme + "groups"
	jsonType  = "application/json"
	textType  = "text/plain"
)

// resources adds what a person may attach to a conversation. The list is made for each request,
// because it depends on the key.
func (d *door) resources() {
	d.sdk.AddResource(&sdk.Resource{
		Name: "groups", Title: "Groups", URI: groupsURI, Description: "The memories that can be used",
	}, d.read)
	for _, t := range []*sdk.ResourceTemplate{
		{Name: "group", Title: "Group", URITemplate: groupsURI + "/{group}", Description: "A memory: how many episodes it has, and its most mentioned entities"},
		{Name: "entities", Title: "Entities", URITemplate: groupsURI + "/{group}/entities", Description: "The entities of a memory, the most mentioned first"},
		{Name: "entity", Title: "Entity", URITemplate: groupsURI + "/{group}/entities/{entity}", Description: "An entity, by its UUID or name, with the facts about it"},
		{Name: "skills", Title: "Skills", URITemplate: groupsURI + "/{group}/skills", Description: "How tasks are done, as runs of agents have shown"},
	} {
		d.sdk.AddResourceTemplate(t, d.read)
	}
}

// read returns the resource with a URI.
func (d *door) read(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := request.Params.URI
	found, err := d.resource(ctx, uri)
	if isMissing(err) {
		return nil, sdk.ResourceNotFoundError(graph.Brief(uri, maxEcho))
	}
	if err != nil {
		return nil, d.plain(ctx, "resources/read", err, nil)
	}
	contents := &sdk.ResourceContents{URI: uri, MIMEType: textType, Text: found.say()}
	if d.manner(ctx).structured {
		text, err := json.Marshal(found)
		if err != nil {
			return nil, d.plain(ctx, "resources/read", err, nil)
		}
		contents.MIMEType, contents.Text = jsonType, string(text)
	}
	return &sdk.ReadResourceResult{
		Cacheable: sdk.Cacheable{CacheScope: "private"}, // it depends on the key
		Contents:  []*sdk.ResourceContents{contents},
	}, nil
}

func (d *door) resource(ctx context.Context, uri string) (answer, error) {
	parts := strings.Split(strings.TrimPrefix(uri, scheme), "/")
	for i, part := range parts {
		name, err := url.PathUnescape(part)
		if err != nil {
			return nil, graph.Invalid("uri", "%q is not escaped as an address is", part)
		}
		parts[i] = name
	}
	if len(parts) == 1 {
		return d.manyGroups(ctx)
	}
	c, err := d.one(ctx, parts[1])
	if err != nil {
		return nil, err
	}
	switch len(parts) {
	case 2:
		return c.overview(ctx)
	case 3:
		if parts[2] == "skills" {
			return d.findSkills(ctx, c, findSkillsInput{})
		}
		return c.entities(ctx, maxRows)
	}
	return c.portrait(ctx, parts[3])
}

type groupsView struct {
	Groups []annals.Group `json:"groups"`
	More   bool           `json:"more,omitempty" jsonschema:"there are more than these; resources/list has all of them"`
}

type entitiesView struct {
	Entities []nodeView `json:"entities"`
}

func (c client) entities(ctx context.Context, limit int) (entitiesView, error) {
	entities, err := c.Entities(ctx, annals.EntityFilter{GroupID: c.group, Limit: limit})
	if err != nil {
		return entitiesView{}, err
	}
	found, err := c.annotated(ctx, annals.Query{}, service.Rows{Entities: entities})
	return entitiesView{each.Of(found.Entities, viewNode)}, err
}

type groupView struct {
	annals.Group
	Episodes map[graph.State]int `json:"episodes"`
	entitiesView
}

func (c client) overview(ctx context.Context) (groupView, error) {
	group, err := c.Group(ctx, c.group)
	if err != nil {
		return groupView{}, err
	}
	counts, err := c.EpisodeCounts(ctx, c.group)
	if err != nil {
		return groupView{}, err
	}
	entities, err := c.entities(ctx, entitiesListed)
	return groupView{group, counts, entities}, err
}

type portraitView struct {
	Entity nodeView   `json:"entity"`
	Facts  []factView `json:"facts"`
}

func (c client) portrait(ctx context.Context, idOrName string) (portraitView, error) {
	entity, err := c.Entity(ctx, c.group, idOrName)
	if err != nil {
		return portraitView{}, err
	}
	facts, err := c.Facts(ctx, annals.FactFilter{GroupID: c.group, EntityID: entity.ID, Limit: maxRows})
	if err != nil {
		return portraitView{}, err
	}
	found, err := c.annotated(ctx, annals.Query{}, service.Rows{Facts: facts, Entities: []annals.Entity{entity}})
	if err != nil {
		return portraitView{}, err
	}
	return portraitView{viewNode(found.Entities[0]), each.Of(found.Facts, viewFact)}, nil
}
