package mcp

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// The rows in the format of Graphiti's server, with a few more fields.
type (
	nodeView struct {
		UUID       string         `json:"uuid"`
		Name       string         `json:"name"`
		Aliases    []string       `json:"aliases"`
		Labels     []string       `json:"labels"`
		Summary    string         `json:"summary"`
		Attributes map[string]any `json:"attributes"`
		GroupID    string         `json:"group_id"`
		CreatedAt  time.Time      `json:"created_at"`
	}

	factView struct {
		UUID           string         `json:"uuid"`
		Name           string         `json:"name" jsonschema:"the kind of fact, such as LIVES_IN"`
		Fact           string         `json:"fact"`
		SourceNodeUUID string         `json:"source_node_uuid"`
		SourceNodeName string         `json:"source_node_name"`
		TargetNodeUUID string         `json:"target_node_uuid"`
		TargetNodeName string         `json:"target_node_name"`
		Kind           string         `json:"kind" jsonschema:"state: it goes on; event: it happens and does not end"`
		When           string         `json:"when" jsonschema:"when it holds or happened, in words, as exactly as that is known, and what disputes it"`
		ValidAt        *time.Time     `json:"valid_at" jsonschema:"when it began to hold or to happen; null: not known"`
		InvalidAt      *time.Time     `json:"invalid_at" jsonschema:"when it stopped holding, or an event was over; null: it still holds"`
		ValidFrom      boundView      `json:"valid_from" jsonschema:"how valid_at is known"`
		ValidUntil     boundView      `json:"valid_until" jsonschema:"how invalid_at is known"`
		CreatedAt      time.Time      `json:"created_at"`
		ExpiredAt      *time.Time     `json:"expired_at" jsonschema:"when its end became known; null: never"`
		Episodes       []string       `json:"episodes" jsonschema:"the episodes that state it"`
		Attributes     map[string]any `json:"attributes"`
		GroupID        string         `json:"group_id"`
	}

	boundView struct {
		Basis     string `json:"basis" jsonschema:"stated: the text says it; said: it held, or was over, when it was said; inferred: another fact ended it; unknown"`
		Precision string `json:"precision" jsonschema:"instant, day, week, month, season, year or decade; empty where unknown"`
	}

	episodeView struct {
		UUID              string    `json:"uuid"`
		Name              string    `json:"name"`
		Content           string    `json:"content"`
		Source            string    `json:"source"`
		SourceDescription string    `json:"source_description"`
		Actor             string    `json:"actor"`
		Saga              string    `json:"saga"`
		Note              string    `json:"note,omitempty" jsonschema:"what became of what it says, such as until May 2024, now Porto"`
		OccurredAt        time.Time `json:"occurred_at" jsonschema:"its reference time"`
		CreatedAt         time.Time `json:"created_at"`
		State             string    `json:"state" jsonschema:"pending, processing, done or failed"`
		Error             string    `json:"error,omitempty"`
		GroupID           string    `json:"group_id"`
	}

	communityView struct {
		UUID    string `json:"uuid"`
		Name    string `json:"name"`
		Summary string `json:"summary"`
		GroupID string `json:"group_id"`
	}
)

func viewNode(e annals.EntityHit) nodeView {
	return nodeView{
		UUID: e.ID.String(), Name: e.Name, Aliases: list(e.Aliases), Labels: list(e.Labels), Summary: e.StillSo(),
		Attributes: attributes(e.Attributes), GroupID: e.GroupID, CreatedAt: e.CreatedAt,
	}
}

func viewFact(f annals.FactHit) factView {
	shown := f.JSON()
	return factView{
		UUID: f.ID.String(), Name: f.Predicate, Fact: f.Told(), SourceNodeUUID: f.SourceID.String(), SourceNodeName: f.Source,
		TargetNodeUUID: f.TargetID.String(), TargetNodeName: f.Target, Kind: string(shown.Kind), When: f.Note(time.Now()),
		ValidAt: shown.ValidAt, InvalidAt: shown.InvalidAt, ValidFrom: boundView(shown.ValidFrom), ValidUntil: boundView(shown.ValidUntil),
		CreatedAt: f.CreatedAt, ExpiredAt: shown.ExpiredAt, Episodes: each.Of(f.Episodes, uuid.UUID.String),
		Attributes: attributes(f.Attributes), GroupID: f.GroupID,
	}
}

func viewEpisode(e annals.EpisodeHit) episodeView {
	return episodeView{
		UUID: e.ID.String(), Name: e.Name, Content: e.Content, Source: string(e.Source), SourceDescription: e.SourceDescription,
		Actor: e.Actor, Saga: e.ThreadID, Note: e.Note(time.Now()), OccurredAt: e.OccurredAt, CreatedAt: e.CreatedAt, State: string(e.State), Error: forAgents(e.Error),
		GroupID: e.GroupID,
	}
}

func viewCommunity(m annals.Membership) communityView {
	return communityView{UUID: m.ID.String(), Name: m.Name, Summary: m.Summary, GroupID: m.GroupID}
}

func list(s []string) []string { return append([]string{}, s...) }

// attributes decodes a JSON object from the database.
func attributes(raw json.RawMessage) map[string]any {
	values := map[string]any{}
	_ = json.Unmarshal(raw, &values) // empty on an error
	return values
}

// parseID parses the id of a row.
func parseID(field, s string) (uuid.UUID, error) {
	id, err := uuid.Parse(s)
	if err != nil {
		return uuid.Nil, graph.Invalid(field, "%q is not a UUID, as the tools that find things return them", s)
	}
	return id, nil
}

// parseOptionalID is parseID for an id that may be empty.
func parseOptionalID(field, s string) (uuid.UUID, error) {
	if s == "" {
		return uuid.Nil, nil
	}
	return parseID(field, s)
}
