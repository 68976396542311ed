package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/input"
)

func (d *door) writing() {
	addOne(d, tool{
		name: "add_memory", title: "Add to memory",
		about: "Add an episode to memory: something said, a document, or JSON. This is the main way to put information into the graph. " +
			"It is stored at once and read into entities and facts in the background, those of one group in order; get_status says how far that is.",
	}, d.addMemory)
	addOne(d, tool{
		name: "add_triplet", title: "Add one fact",
		about: "Add one fact that is known as such: source entity, kind of fact, target entity. Its ends are recognised among the known " +
			"entities, and what it contradicts is closed. Use add_memory for texts.",
	}, d.addTriplet)
}

type addMemoryInput struct {
	graph.EpisodeInput
	Name    string `json:"name" doc:"a short title of the episode"`
	Content string `json:"content" mcp:"episode_body" minLength:"1" maxLength:"1048576" doc:"the content; with source json a JSON document as a string"`
	OfGroup
	Source graph.Source `json:"source,omitempty" doc:"text (the default), message (something said; put 'Name: ' before it or give actor) or json"`
	UUID   string       `json:"uuid,omitempty" to:"-" maxLength:"64" doc:"an id for the episode; adding the same one again changes nothing"`

	// An empty list hides earlier messages of the saga from the reader; other values have no
	// effect. Hosts do not see this argument.
	PreviousEpisodeUUIDs []string `json:"previous_episode_uuids,omitempty" to:"-" maxItems:"1000" unlisted:"true"`
}

type addMemoryOutput struct {
	Message string `json:"message"`
	UUID    string `json:"uuid"`
	GroupID string `json:"group_id"`
	New     bool   `json:"new" jsonschema:"false: it was there already"`
}

func (d *door) addMemory(ctx context.Context, c client, in addMemoryInput) (addMemoryOutput, error) {
	episode, err := in.episode(c.group)
	if err != nil {
		return addMemoryOutput{}, err
	}
	stored, err := d.memory.add(ctx, c.Client, episode)
	if err != nil {
		return addMemoryOutput{}, err
	}
	out := addMemoryOutput{
		Message: fmt.Sprintf("Episode '%s' queued for processing in group '%s'", in.Name, c.group),
		UUID:    stored.ID.String(), GroupID: c.group, New: stored.New,
	}
	if !stored.New {
		out.Message = fmt.Sprintf("Episode '%s' is in group '%s' already; nothing was changed", in.Name, c.group)
	}
	if stored.Note != "" {
		out.Message += " (" + stored.Note + ")"
	}
	return out, nil
}

// episode returns the episode to store. The given id also becomes the external id, so that a
// repeated call is recognised.
func (in addMemoryInput) episode(group string) (annals.Episode, error) {
	id, err := parseOptionalID("uuid", in.UUID)
	if err != nil {
		return annals.Episode{}, err
	}
	in.Source = graph.Source(strings.ToLower(string(in.Source)))
	e, err := input.Read(in, annals.Episode{GroupID: group, ID: id, Source: graph.SourceText})
	if err != nil {
		return annals.Episode{}, err
	}
	if in.UUID != "" {
		e.ExternalID = id.String()
	}
	if in.PreviousEpisodeUUIDs != nil && len(in.PreviousEpisodeUUIDs) == 0 {
		e.Previous = new(int)
	}
	return e, nil
}

// ignored lists arguments that have no effect.
func (in addMemoryInput) ignored() []string {
	if len(in.PreviousEpisodeUUIDs) > 0 {
		return []string{"previous_episode_uuids"}
	}
	return nil
}

type addTripletInput struct {
	input.NewTriple
	OfGroup
	SourceUUID string `json:"source_node_uuid,omitempty" to:"-" maxLength:"64" doc:"an entity that is known, in place of its name"`
	TargetUUID string `json:"target_node_uuid,omitempty" to:"-" maxLength:"64" doc:"an entity that is known, in place of its name"`
}

func (d *door) addTriplet(ctx context.Context, c client, in addTripletInput) (graphOutput, error) {
	triple, err := input.Read(in, annals.Triple{GroupID: c.group})
	if err != nil {
		return graphOutput{}, err
	}
	if triple.Source.Name, err = c.nameOf(ctx, in.SourceUUID, in.Source); err != nil {
		return graphOutput{}, err
	}
	if triple.Target.Name, err = c.nameOf(ctx, in.TargetUUID, in.Target); err != nil {
		return graphOutput{}, err
	}
	added, err := c.AddTriple(ctx, triple)
	if err != nil {
		return graphOutput{}, err
	}
	out := graphOutput{Message: fmt.Sprintf("Triplet '%s -[%s]-> %s' added", triple.Source.Name, in.Predicate, triple.Target.Name)}
	out.Nodes, out.Edges, err = c.rows(ctx, []uuid.UUID{added.SourceID, added.TargetID}, []uuid.UUID{added.FactID})
	return out, err
}

// nameOf returns the name of an entity that is given by its id or name.
func (c client) nameOf(ctx context.Context, id, name string) (string, error) {
	if id == "" {
		return name, nil
	}
	entity, err := c.Entity(ctx, c.group, id)
	return entity.Name, err
}
