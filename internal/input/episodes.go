package input

import "time"

// ListEpisodes selects episodes.
type ListEpisodes struct {
	Page
	State    string `query:"state" enum:"pending,processing,done,failed" doc:"Only those in this state"`
	ThreadID string `query:"thread_id" maxLength:"512" doc:"Only those of this conversation"`
	Source   string `query:"source" enum:"message,text,json,run" doc:"Only those of this form"`
	Trust    string `query:"trust" enum:"believed,candidate,all" doc:"Which to list: believed, without what is in quarantine; candidate, that alone; or all; left out: believed"`
}

// NewMessage is a message to add to a thread.
type NewMessage struct {
	Content    string `json:"content" minLength:"1" example:"I moved to Lisbon last week."`
	Actor      string `json:"actor,omitempty" maxLength:"512" doc:"Who says it" example:"Alice"`
	Role       string `json:"role,omitempty" maxLength:"512" doc:"user, assistant, system, tool …"`
	OccurredAt string `json:"occurred_at,omitempty" doc:"When; left out: now"`
	ExternalID string `json:"external_id,omitempty" maxLength:"512" doc:"Your own name for it, unique in the group"`
	Metadata   Object `json:"metadata,omitzero" doc:"Kept as it is"`
	Force      bool   `json:"force,omitempty" doc:"Take it in even where it was erased"`
}

// NewMessages are messages to add to a thread.
type NewMessages struct {
	Messages      []NewMessage `json:"messages" minItems:"1" maxItems:"1000" doc:"In the order they were said"`
	ReturnContext bool         `json:"return_context,omitempty" doc:"Answer with what is known that is relevant to them"`
}

// Judged holds the parameter of removals that may judge later episodes anew.
type Judged struct {
	AnyReader bool `query:"any_reader" doc:"Let the present model judge later episodes that another one read; else they are refused"`
}

// Tried holds the parameter of operations that have a dry run.
type Tried struct {
	DryRun bool `query:"dry_run" to:"-" doc:"Do nothing, and tell what would be done"`
}

// Removal holds the parameters of the removal of one record.
type Removal struct {
	Judged
	Tried
}

// UndoEpisode holds the parameters of undoing or erasing an episode.
type UndoEpisode struct {
	Removal
	Erase bool `query:"erase" flag:"-" to:"-" doc:"Remove it from the history too, for good"`
}

// Retention is how long a group keeps its episodes.
type Retention struct {
	MaxAgeSeconds *int64     `json:"max_age_seconds,omitempty" flag:"-" to:"-" minimum:"1" maximum:"3155760000" doc:"Since they were said, up to 100 years; left out: without end"`
	MaxEpisodes   *int32     `json:"max_episodes,omitempty" minimum:"1" doc:"The latest so many; left out: any number"`
	AppliedAt     *time.Time `json:"applied_at,omitempty" flag:"-" readOnly:"true" doc:"When it was last applied"`
}
