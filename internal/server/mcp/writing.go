package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

func (d *door) writing() {
	add(d, tool{
		name: "add_memory", title: "Add to memory",
		about: "Add an episode to memory: something said, a document, or JSON. This is the main way to put information into the graph. " +
			"It is stored at once and read into entities and facts in the background, those of one group in order; get_status says how far that is.",
	}, d.addMemory)
	add(d, tool{
		name: "add_triplet", title: "Add one fact",
		about: "Add one fact that is known as such: source entity, kind of fact, target entity. Its ends are recognised among the known " +
			"entities, and what it contradicts is closed. Use add_memory for texts.",
	}, d.addTriplet)
}

type addMemoryInput struct {
	Name              string `json:"name" jsonschema:"a short title of the episode"`
	EpisodeBody       string `json:"episode_body" jsonschema:"the content; with source json a JSON document as a string"`
	GroupID           string `json:"group_id,omitempty" jsonschema:"the memory to add to; left out: the default group"`
	Source            string `json:"source,omitempty" jsonschema:"text (the default), message (something said; put 'Name: ' before it or give actor) or json"`
	SourceDescription string `json:"source_description,omitempty" jsonschema:"where it is from, in words"`
	UUID              string `json:"uuid,omitempty" jsonschema:"an id for the episode; adding the same one again changes nothing"`
	ReferenceTime     string `json:"reference_time,omitempty" jsonschema:"when it was said or happened, RFC 3339 such as 2025-01-15T10:30:00Z, or a date; without a zone UTC; left out: now"`
	Actor             string `json:"actor,omitempty" jsonschema:"who said or wrote it"`
	ExpiresAt         string `json:"expires_at,omitempty" jsonschema:"when it is hidden and soon after undone; left out: never"`
	Saga              string `json:"saga,omitempty" jsonschema:"the conversation or series of episodes it belongs to, by a name of your own; see summarize_saga"`

	// An empty list shows the reader no earlier messages of the saga; any other
	// has no effect. No host is told of it.
	PreviousEpisodeUUIDs []string `json:"previous_episode_uuids,omitempty"`
}

type addMemoryOutput struct {
	Message string `json:"message"`
	UUID    string `json:"uuid"`
	GroupID string `json:"group_id"`
	New     bool   `json:"new" jsonschema:"false: it was there already"`
}

func (d *door) addMemory(ctx context.Context, in addMemoryInput) (addMemoryOutput, error) {
	c, err := d.one(ctx, in.GroupID)
	if err != nil {
		return addMemoryOutput{}, err
	}
	episode, err := in.episode(c.group)
	if err != nil {
		return addMemoryOutput{}, err
	}
	stored, err := d.memory.add(ctx, c.Client, episode)
	if err != nil {
		return addMemoryOutput{}, inArguments(err)
	}
	out := addMemoryOutput{
		Message: fmt.Sprintf("Episode '%s' queued for processing in group '%s'", in.Name, c.group),
		UUID:    stored.ID.String(), GroupID: c.group, New: stored.New,
	}
	if !stored.New {
		out.Message = fmt.Sprintf("Episode '%s' is in group '%s' already; nothing was changed", in.Name, c.group)
	}
	return out, nil
}

// episode is the episode to store. A given id becomes the external id too, so
// that adding it again is recognised.
func (in addMemoryInput) episode(group string) (annals.Episode, error) {
	id, err := parseOptionalID("uuid", in.UUID)
	if err != nil {
		return annals.Episode{}, err
	}
	at, err := graph.ParseTime("reference_time", in.ReferenceTime)
	if err != nil {
		return annals.Episode{}, err
	}
	expires, err := graph.ParseTime("expires_at", in.ExpiresAt)
	if err != nil {
		return annals.Episode{}, err
	}
	e := annals.Episode{
		ExpiresAt: expires, GroupID: group, ID: id, Name: in.Name, Content: in.EpisodeBody, Source: graph.SourceText, Actor: in.Actor,
		SourceDescription: in.SourceDescription, ThreadID: in.Saga, OccurredAt: at,
	}
	if in.UUID != "" {
		e.ExternalID = id.String()
	}
	if in.Source != "" {
		e.Source = graph.Source(strings.ToLower(in.Source))
	}
	if in.PreviousEpisodeUUIDs != nil && len(in.PreviousEpisodeUUIDs) == 0 {
		e.Previous = new(int)
	}
	return e, nil
}

// ignored names arguments that have no effect.
func (in addMemoryInput) ignored() []string {
	if len(in.PreviousEpisodeUUIDs) > 0 {
		return []string{"previous_episode_uuids"}
	}
	return nil
}

// arguments maps fields of the library to arguments of the tools.
var arguments = map[string]string{
	"content": "episode_body", "occurred_at": "reference_time", "thread_id": "saga", "external_id": "uuid", "group": "group_id",
	"predicate": "edge_name",
}

// inArguments puts the tool's name for an argument into an error.
func inArguments(err error) error {
	known, ok := errors.AsType[*annals.Error](err)
	if !ok || arguments[known.Field] == "" {
		return err
	}
	told := *known
	told.Field = arguments[known.Field]
	return &told
}

type addTripletInput struct {
	SourceNodeName string `json:"source_node_name" jsonschema:"who or what it is about"`
	EdgeName       string `json:"edge_name" jsonschema:"the kind of fact, such as WORKS_FOR"`
	Fact           string `json:"fact" jsonschema:"it as one sentence"`
	TargetNodeName string `json:"target_node_name"`
	GroupID        string `json:"group_id,omitempty" jsonschema:"left out: the default group"`
	SourceNodeUUID string `json:"source_node_uuid,omitempty" jsonschema:"an entity that is known, in place of its name"`
	TargetNodeUUID string `json:"target_node_uuid,omitempty" jsonschema:"an entity that is known, in place of its name"`
	ValidAt        string `json:"valid_at,omitempty" jsonschema:"since when it holds, RFC 3339 or a date; left out: read from the sentence, else now"`
	InvalidAt      string `json:"invalid_at,omitempty" jsonschema:"until when it held"`
}

type tripletOutput struct {
	Message string     `json:"message"`
	Nodes   []nodeView `json:"nodes"`
	Edges   []factView `json:"edges"`
}

func (d *door) addTriplet(ctx context.Context, in addTripletInput) (tripletOutput, error) {
	c, err := d.one(ctx, in.GroupID)
	if err != nil {
		return tripletOutput{}, err
	}
	triple := annals.Triple{GroupID: c.group, Predicate: in.EdgeName, Fact: in.Fact}
	if triple.ValidAt, err = graph.ParseTime("valid_at", in.ValidAt); err != nil {
		return tripletOutput{}, err
	}
	if triple.InvalidAt, err = graph.ParseTime("invalid_at", in.InvalidAt); err != nil {
		return tripletOutput{}, err
	}
	if triple.Source.Name, err = c.nameOf(ctx, in.SourceNodeUUID, in.SourceNodeName); err != nil {
		return tripletOutput{}, err
	}
	if triple.Target.Name, err = c.nameOf(ctx, in.TargetNodeUUID, in.TargetNodeName); err != nil {
		return tripletOutput{}, err
	}
	added, err := c.AddTriple(ctx, triple)
	if err != nil {
		return tripletOutput{}, inArguments(err)
	}
	out := tripletOutput{Message: fmt.Sprintf("Triplet '%s -[%s]-> %s' added", triple.Source.Name, in.EdgeName, triple.Target.Name)}
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
