package mcp

import (
	"context"
	"net/url"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

const (
	groupsAtOnce   = 100  // per page of the list of resources
	groupsShown    = 1000 // in the resource that lists all, and in completions
	entitiesListed = 20   // of the default group
)

// listResources lists the groups that the caller may use, in pages. The first page also has the
// most mentioned entities of the default group. Clients find other entities by the templates, whose
// arguments [door.complete] completes.
func (d *door) listResources(ctx context.Context, params *sdk.ListResourcesParams) (*sdk.ListResourcesResult, error) {
	after := ""
	if params != nil {
		after = params.Cursor
	}
	if after != "" {
		if err := graph.ValidateGroupID(after); err != nil {
			return nil, d.plain(ctx, "resources/list", graph.Invalid("cursor", "is none that this list gave; begin without one"), nil)
		}
	}
	groups, err := d.memory.groups(ctx, after)
	if err != nil {
		return nil, d.plain(ctx, "resources/list", err, nil)
	}
	listed := &sdk.ListResourcesResult{Cacheable: sdk.Cacheable{CacheScope: "private"}, Resources: []*sdk.Resource{}}
	if after == "" {
		listed.Resources = append(listed.Resources, &sdk.Resource{
			Name: "groups", Title: "Groups", URI: groupsURI, Description: "The memories that can be used", MIMEType: d.resourceType(ctx),
		})
	}
	for _, group := range groups {
		listed.Resources = append(listed.Resources, d.groupResource(ctx, group))
	}
	if len(groups) == groupsAtOnce {
		listed.NextCursor = groups[len(groups)-1].ID
	}
	if after == "" {
		entities, err := d.defaultEntities(ctx)
		if err != nil {
			return nil, d.plain(ctx, "resources/list", err, nil)
		}
		listed.Resources = append(listed.Resources, entities...)
	}
	return listed, nil
}

// resourceType returns the content type of resources.
func (d *door) resourceType(ctx context.Context) string {
	if d.manner(ctx).structured {
		return jsonType
	}
	return textType
}

func (d *door) groupResource(ctx context.Context, group annals.Group) *sdk.Resource {
	r := &sdk.Resource{
		Name: group.ID, Title: group.Name, URI: groupsURI + "/" + url.PathEscape(group.ID), Description: group.Description, MIMEType: d.resourceType(ctx),
	}
	if r.Description == "" {
		r.Description = "The memory " + group.ID + ": its episodes and its most mentioned entities"
	}
	return r
}

// defaultEntities returns resources for the entities of the default group.
func (d *door) defaultEntities(ctx context.Context) ([]*sdk.Resource, error) {
	if d.memory.fallback(ctx) == "" {
		return nil, nil
	}
	c, err := d.one(ctx, "")
	if isMissing(err) {
		return nil, nil // the header names a group that the key does not open
	}
	if err != nil {
		return nil, err
	}
	entities, err := c.Entities(ctx, annals.EntityFilter{GroupID: c.group, Limit: entitiesListed})
	return each.Of(entities, func(e annals.Entity) *sdk.Resource {
		return &sdk.Resource{
			Name: e.Name, URI: groupsURI + "/" + url.PathEscape(c.group) + "/entities/" + e.ID.String(), MIMEType: d.resourceType(ctx),
			Description: "What the memory " + c.group + " knows of " + e.Name,
		}
	}), err
}

// complete offers groups and entities for the arguments of templates.
func (d *door) complete(ctx context.Context, request *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	typed := strings.ToLower(request.Params.Argument.Value)
	var offered []string
	var err error
	switch request.Params.Argument.Name {
	case "group", "group_id":
		var groups groupsView
		groups, err = d.manyGroups(ctx)
		offered = each.Of(groups.Groups, func(g annals.Group) string { return g.ID })
	case "entity":
		named := ""
		if request.Params.Context != nil {
			named = request.Params.Context.Arguments["group"]
		}
		offered, err = d.entityNames(ctx, named)
	}
	if err != nil && !isMissing(err) {
		return nil, d.plain(ctx, "completion/complete", err, nil)
	}
	const most = 100 // the limit of the protocol
	values := slices.DeleteFunc(offered, func(value string) bool { return !strings.HasPrefix(strings.ToLower(value), typed) })
	total := len(values)
	if values = values[:min(total, most)]; values == nil {
		values = []string{}
	}
	return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: values, Total: total, HasMore: total > most}}, nil
}

// manyGroups reads up to groupsShown groups that the caller may use.
func (d *door) manyGroups(ctx context.Context) (groupsView, error) {
	found := groupsView{Groups: []annals.Group{}}
	for after := ""; len(found.Groups) < groupsShown; {
		groups, err := d.memory.groups(ctx, after)
		if err != nil {
			return groupsView{}, err
		}
		if found.Groups = append(found.Groups, groups...); len(groups) < groupsAtOnce {
			return found, nil
		}
		after = groups[len(groups)-1].ID
	}
	found.More = true
	return found, nil
}

func (d *door) entityNames(ctx context.Context, group string) ([]string, error) {
	c, err := d.one(ctx, group)
	if err != nil {
		return nil, err
	}
	entities, err := c.Entities(ctx, annals.EntityFilter{GroupID: c.group, Limit: maxRows})
	return each.Of(entities, func(e annals.Entity) string { return e.Name }), err
}
