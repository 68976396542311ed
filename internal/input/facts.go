package input

import (
	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// ListFacts selects facts.
type ListFacts struct {
	Page
	Times
	Entity string   `query:"entity" to:"-" maxLength:"512" doc:"Only facts about this entity, by its id or a name that only one goes by"`
	Trust  string   `query:"trust" enum:"believed,candidate,disputed,all" doc:"Which facts to list: believed, with those that are disputed; candidate, which wait to be confirmed; disputed alone; or all; left out: believed"`
	ToldBy []string `query:"told_by,explode" maxItems:"100" doc:"Only what one of these speakers told, by any name of theirs: what they believe"`
}

// NewTriple is a fact to add without a text.
type NewTriple struct {
	Source           string `json:"source" flag:"-" mcp:"source_node_name" to:"Source.Name" minLength:"1" maxLength:"512" doc:"Who or what it is about" example:"Alice"`
	Predicate        string `json:"predicate" flag:"-" mcp:"edge_name" minLength:"1" maxLength:"512" doc:"The kind of fact" example:"WORKS_AT"`
	Target           string `json:"target" flag:"-" mcp:"target_node_name" to:"Target.Name" minLength:"1" maxLength:"512" doc:"Who or what it is about as well" example:"Acme Corp"`
	Fact             string `json:"fact,omitempty" maxLength:"512" doc:"It as one sentence; left out: made of the three words"`
	SourceLabel      string `json:"source_label,omitempty" mcp:"-" to:"Source.Label" maxLength:"512" doc:"The source's type, such as Person"`
	TargetLabel      string `json:"target_label,omitempty" mcp:"-" to:"Target.Label" maxLength:"512" doc:"The target's type"`
	Attributes       Object `json:"attributes,omitzero" mcp:"-" doc:"Of the fact"`
	SourceAttributes Object `json:"source_attributes,omitzero" mcp:"-" to:"Source.Attributes" doc:"Of the source"`
	TargetAttributes Object `json:"target_attributes,omitzero" mcp:"-" to:"Target.Attributes" doc:"Of the target"`
	ValidAt          string `json:"valid_at,omitempty" doc:"Since when it holds; left out: read from the sentence"`
	InvalidAt        string `json:"invalid_at,omitempty" doc:"Until when it held"`
	OccurredAt       string `json:"occurred_at,omitempty" mcp:"-" doc:"When it became known; left out: now"`
	ExternalID       string `json:"external_id,omitempty" mcp:"-" maxLength:"512" doc:"Your own name for it, unique in the group: adding it again changes nothing"`
	Force            bool   `json:"force,omitempty" mcp:"-" doc:"Take it in even where it was erased"`
}

// FactChange is a correction of a fact.
type FactChange struct {
	Predicate  *string `json:"predicate,omitempty" minLength:"1" maxLength:"512" doc:"The kind of fact" example:"WORKS_AT"`
	Fact       *string `json:"fact,omitempty" minLength:"1" maxLength:"512" doc:"It as one sentence"`
	Attributes *Object `json:"attributes,omitempty" doc:"In place of those it has"`
	ValidAt    *string `json:"valid_at,omitempty" maxLength:"64" doc:"Since when it holds; an empty text: not known"`
	InvalidAt  *string `json:"invalid_at,omitempty" maxLength:"64" doc:"Until when it held; an empty text: it still holds"`
	AsKnownAt  string  `json:"as_known_at,omitempty" maxLength:"64" doc:"Alone: put back all that was believed of it at this time, as its known_from"`
}

// ListRejections selects facts that were withdrawn or taken back.
type ListRejections struct {
	Page
	All bool `query:"all" to:"Lifted" doc:"Also those that were readmitted since"`
}

// MarkChange is a change of the marks of facts, episodes, entities and skills.
type MarkChange struct {
	IDs       []string   `json:"ids" flag:"-" mcp:"uuids" minItems:"1" maxItems:"1000" doc:"Of facts, episodes, entities, skills: all are marked, or none"`
	Mark      graph.Mark `json:"mark" flag:"-" enum:"expires,keeps,pinned,unpinned,useful,wrong,outdated,unjudged" doc:"keeps ends expires, unpinned ends pinned, unjudged takes back what the same key found. Entities can only be pinned, skills only judged"`
	ExpiresAt string     `json:"expires_at,omitempty" flag:"at" maxLength:"64" doc:"With expires: from when on it is hidden" example:"2030-01-01"`
}

// ListMarks selects marks.
type ListMarks struct {
	Page
	ID uuid.UUID `query:"id" flag:"-" to:"SubjectID" format:"uuid" doc:"Only of this fact, episode, entity or skill"`
}

// ReleaseBody selects what to release from quarantine.
type ReleaseBody struct {
	Episodes []string `json:"episodes,omitempty" flag:"-" to:"EpisodeIDs" maxItems:"1000" doc:"These episodes"`
	Thread   string   `json:"thread,omitempty" flag:"thread-id" to:"ThreadID" maxLength:"512" doc:"All that is in quarantine of this conversation now"`
	All      bool     `json:"all,omitempty" doc:"All that is in quarantine of the group now"`
	Hold     bool     `json:"hold,omitempty" flag:"undo" doc:"Put them back into quarantine"`
}
