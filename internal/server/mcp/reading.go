package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/service"
)

func (d *door) reading() {
	add(d, tool{
		name: "get_episodes", title: "List episodes", reads: true,
		about: "The latest episodes that were added to memory, word for word, each with how far it has come on its way into the graph.",
	}, d.getEpisodes)
	addOne(d, tool{
		name: "get_entity_edge", title: "Get a fact", reads: true,
		about: "One fact by its UUID, as it is believed now.",
	}, d.getEntityEdge)
	addOne(d, tool{
		name: "get_episode_entities", title: "What episodes gave", reads: true,
		about: "The entities and facts that the graph has of some episodes: where what is remembered comes from, the other way round.",
	}, d.getEpisodeEntities)
	addOne(d, tool{
		name: "memory_timeline", title: "Timeline", reads: true,
		about: "What changed when, in words: what began, ended and happened, the earliest first. Of more changes than max_changes the latest.",
	}, d.timeline)
	addOne(d, tool{
		name: "get_status", title: "Status", reads: true,
		about: "Whether memory works, and how many episodes of a group wait to be read, are done or failed.",
	}, d.status)
}

type getEpisodesInput struct {
	OfGroups
	MaxEpisodes int `json:"max_episodes,omitempty" minimum:"1" maximum:"200" default:"10"`
}

type episodesOutput struct {
	Message  string        `json:"message"`
	Episodes []episodeView `json:"episodes"`
}

func (d *door) getEpisodes(ctx context.Context, in getEpisodesInput) (episodesOutput, error) {
	c, groups, err := d.several(ctx, in.GroupIDs)
	if err != nil {
		return episodesOutput{}, err
	}
	var latest []annals.EpisodeHit
	for _, group := range groups {
		episodes, err := c.Episodes(ctx, annals.EpisodeFilter{GroupID: group, Limit: in.MaxEpisodes})
		if err != nil {
			return episodesOutput{}, err
		}
		found, err := client{c, group}.annotated(ctx, annals.Query{}, service.Rows{Episodes: episodes})
		if err != nil {
			return episodesOutput{}, err
		}
		latest = append(latest, found.Episodes...)
	}
	each.Sort(latest, func(a, b annals.EpisodeHit) int { return b.OccurredAt.Compare(a.OccurredAt) })
	latest = latest[:min(len(latest), in.MaxEpisodes)]
	message := "Episodes retrieved successfully"
	if len(latest) == 0 {
		message = "No episodes found"
	}
	return episodesOutput{Message: message, Episodes: each.Of(latest, viewEpisode)}, nil
}

type edgeInput struct {
	UUID string `json:"uuid" maxLength:"64" doc:"of the fact"`
	OfGroup
}

func (d *door) getEntityEdge(ctx context.Context, c client, in edgeInput) (factView, error) {
	id, err := parseID("uuid", in.UUID)
	if err != nil {
		return factView{}, err
	}
	fact, err := c.fact(ctx, id)
	if err != nil {
		return factView{}, err
	}
	found, err := c.annotated(ctx, annals.Query{}, service.Rows{Facts: []annals.Fact{fact}})
	if err != nil {
		return factView{}, err
	}
	return viewFact(found.Facts[0]), nil
}

// fact returns a fact. It fails if the fact is no longer believed.
func (c client) fact(ctx context.Context, id uuid.UUID) (annals.Fact, error) {
	versions, err := c.History(ctx, c.group, id)
	if err != nil {
		return annals.Fact{}, err
	}
	last := versions[len(versions)-1]
	if !last.Current {
		return annals.Fact{}, &annals.Error{
			Code: annals.CodeNotFound, Field: "uuid",
			Message: fmt.Sprintf("fact %s is no longer believed; memory_as_of with known_at has what was believed before", id),
		}
	}
	return last.Fact, nil
}

type episodeEntitiesInput struct {
	EpisodeUUIDs []string `json:"episode_uuids" maxItems:"20"`
	OfGroup
}

type graphOutput struct {
	Message string     `json:"message"`
	Nodes   []nodeView `json:"nodes"`
	Edges   []factView `json:"edges"`
}

func (d *door) getEpisodeEntities(ctx context.Context, c client, in episodeEntitiesInput) (graphOutput, error) {
	out := graphOutput{Message: fmt.Sprintf("Retrieved provenance for %d episode(s)", len(in.EpisodeUUIDs))}
	var entities, facts []uuid.UUID
	for _, text := range in.EpisodeUUIDs {
		id, err := parseID("episode_uuids", text)
		if err != nil {
			return out, err
		}
		named, stated, err := c.gave(ctx, id)
		if err != nil {
			return out, err
		}
		entities, facts = append(entities, named...), append(facts, stated...)
	}
	var err error
	out.Nodes, out.Edges, err = c.rows(ctx, entities, facts)
	return out, err
}

// gave returns the entities that an episode mentions and the facts that it states.
func (c client) gave(ctx context.Context, episode uuid.UUID) (entities, facts []uuid.UUID, err error) {
	if _, err := c.Episode(ctx, c.group, episode); err != nil {
		return nil, nil, err
	}
	trace, err := c.Trace(ctx, c.group, episode)
	if err != nil {
		return nil, nil, err
	}
	entities = each.Of(trace, func(entry annals.TraceEntry) uuid.UUID { return entry.EntityID })
	for _, entity := range distinct(entities) {
		about, err := c.Facts(ctx, annals.FactFilter{GroupID: c.group, EntityID: entity, Limit: annals.MaxRows})
		if err != nil {
			return nil, nil, err
		}
		for _, fact := range about {
			if slices.Contains(fact.Episodes, episode) {
				facts = append(facts, fact.ID)
			}
		}
	}
	return entities, facts, nil
}

// rows reads entities and facts by their ids, without duplicates and without those that are gone.
func (c client) rows(ctx context.Context, entities, facts []uuid.UUID) ([]nodeView, []factView, error) {
	var rows service.Rows
	for _, id := range distinct(entities) {
		switch entity, err := c.Entity(ctx, c.group, id.String()); {
		case err == nil && !slices.ContainsFunc(rows.Entities, func(e annals.Entity) bool { return e.ID == entity.ID }):
			rows.Entities = append(rows.Entities, entity)
		case err != nil && annals.CodeOf(err) != annals.CodeNotFound:
			return nil, nil, err
		}
	}
	for _, id := range distinct(facts) {
		switch fact, err := c.fact(ctx, id); {
		case err == nil:
			rows.Facts = append(rows.Facts, fact)
		case annals.CodeOf(err) != annals.CodeNotFound:
			return nil, nil, err
		}
	}
	found, err := c.annotated(ctx, annals.Query{}, rows)
	return each.Of(found.Entities, viewNode), each.Of(found.Facts, viewFact), err
}

// distinct returns each id once, without the zero id.
func distinct(ids []uuid.UUID) []uuid.UUID {
	seen := map[uuid.UUID]bool{uuid.Nil: true}
	return slices.DeleteFunc(slices.Clone(ids), func(id uuid.UUID) bool {
		known := seen[id]
		seen[id] = true
		return known
	})
}

type timelineInput struct {
	input.Times
	OfGroup
	MaxChanges int `json:"max_changes,omitempty" to:"-" minimum:"1" maximum:"200" default:"50"`
}

type timelineOutput struct {
	Message string       `json:"message"`
	Changes []changeView `json:"changes"`
}

type changeView struct {
	At         time.Time `json:"at"`
	When       string    `json:"when" jsonschema:"what is known of the time"`
	Event      string    `json:"event" jsonschema:"began, ended or happened"`
	Words      string    `json:"words"`
	Note       string    `json:"note,omitempty" jsonschema:"what became of the fact: until when it held, and what disputes it"`
	FactUUID   string    `json:"fact_uuid"`
	RecordedAt time.Time `json:"recorded_at" jsonschema:"when memory learned of it"`
}

func (d *door) timeline(ctx context.Context, c client, in timelineInput) (timelineOutput, error) {
	f, err := input.Read(in, annals.TimelineFilter{GroupID: c.group, LatestFirst: true, Limit: in.MaxChanges + 1})
	if err != nil {
		return timelineOutput{}, err
	}
	changes, err := c.Timeline(ctx, f)
	if err != nil {
		return timelineOutput{}, err
	}
	out := timelineOutput{Message: each.Count(len(changes), "change")}
	if len(changes) > in.MaxChanges {
		changes = changes[:in.MaxChanges]
		out.Message = "The last " + each.Count(in.MaxChanges, "change") + "; as_of has those before a time"
	}
	slices.Reverse(changes) // oldest first
	notes, err := c.notes(ctx, annals.Query{ValidAt: f.AsOf, KnownAt: f.KnownAt}, changes)
	out.Changes = each.Of(changes, func(c annals.Change) changeView {
		return changeView{At: c.At, When: c.When(), Event: c.Event, Words: c.Words, Note: notes[c.FactID], FactUUID: c.FactID.String(), RecordedAt: c.RecordedAt}
	})
	return out, err
}

// notes returns, for facts that began or happened, until when they held and what disputes them.
func (c client) notes(ctx context.Context, at annals.Query, changes []annals.Change) (map[uuid.UUID]string, error) {
	ids := each.Of(changes, func(change annals.Change) uuid.UUID { return change.FactID })
	if len(ids) == 0 {
		return nil, nil
	}
	facts, err := service.New(c.Client).ListFacts(ctx, service.List{GroupID: c.group, IDs: distinct(ids), Limit: annals.MaxRows})
	if err != nil {
		return nil, err
	}
	found, err := c.annotated(ctx, at, service.Rows{Facts: facts})
	reading, notes := cmp.Or(at.ValidAt, time.Now()), map[uuid.UUID]string{}
	for _, f := range found.Facts {
		if notes[f.ID] = f.Caveat(reading); f.Ended(reading) && at.KnownAt.IsZero() {
			notes[f.ID] = strings.TrimSuffix(f.Valid.PhraseOfEnd()+"; "+notes[f.ID], "; ")
		}
	}
	return notes, err
}

type statusInput struct {
	OfGroup
}

type statusOutput struct {
	Status   string        `json:"status" jsonschema:"ok or error"`
	Message  string        `json:"message"`
	GroupID  string        `json:"group_id,omitempty"`
	Episodes episodeCounts `json:"episodes" jsonschema:"of the group, by how far they have come"`
}

type episodeCounts struct {
	Pending    int `json:"pending"`
	Processing int `json:"processing"`
	Done       int `json:"done"`
	Failed     int `json:"failed"`
}

func (d *door) status(ctx context.Context, c client, in statusInput) (statusOutput, error) {
	counts, err := c.EpisodeCounts(ctx, c.group)
	if err != nil { // the failure is the answer
		return statusOutput{Status: "error", Message: d.plain(ctx, "get_status", err, nil).Error(), GroupID: c.group}, nil
	}
	return statusOutput{
		Status: "ok", GroupID: c.group,
		Message: fmt.Sprintf("Annals is running and connected to its PostgreSQL database; %s reads episodes, %s makes vectors", c.Analyst(), c.Embedder().Name()),
		Episodes: episodeCounts{
			Pending: counts[graph.StatePending], Processing: counts[graph.StateProcessing], Done: counts[graph.StateDone],
			Failed: counts[graph.StateFailed],
		},
	}, nil
}
