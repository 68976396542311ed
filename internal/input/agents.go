package input

// NewBlock is a block of an agent's working context.
type NewBlock struct {
	Label       string `json:"label" minLength:"1" maxLength:"512"`
	Description string `json:"description,omitempty" doc:"What it is for; the agent is told"`
	Value       string `json:"value,omitempty"`
	Limit       int    `json:"limit,omitempty" minimum:"0" maximum:"100000" doc:"Characters of the value; left out: 2000"`
	ReadOnly    bool   `json:"read_only,omitempty" doc:"The agent may not edit it"`
}

// NewEvent is an event to send to an agent.
type NewEvent struct {
	Kind       string `json:"kind,omitempty" enum:"message,login,upload,alert,heartbeat" doc:"Left out: message"`
	Content    string `json:"content,omitempty" flag:"-" doc:"What is said; a message and an alert have some"`
	Actor      string `json:"actor,omitempty" maxLength:"512" doc:"Who says it"`
	OccurredAt string `json:"occurred_at,omitempty" doc:"When; left out: now"`
	ExternalID string `json:"external_id,omitempty" maxLength:"512" doc:"Your own name for it: told twice it is heard once"`
}

// BlockEdit is the new content of a block.
type BlockEdit struct {
	Value   string `json:"value" doc:"All that it is to say"`
	Version int64  `json:"version,omitempty" minimum:"0" doc:"Edit it only while it is in this version"`
	By      string `json:"by,omitempty" maxLength:"512" to:"EditedBy" doc:"Who edits it, for its history"`
}

// NewDocument is a document for an agent to read.
type NewDocument struct {
	Name string `json:"name" minLength:"1" maxLength:"512"`
	Text string `json:"text" minLength:"1"`
}

// NewPassage is a passage to keep in an agent's archive.
type NewPassage struct {
	Content string   `json:"content" minLength:"1"`
	Tags    []string `json:"tags,omitempty" maxItems:"20" doc:"Words to find it by"`
}

// Recall is a search of the messages between an agent and its users.
type Recall struct {
	Query string   `query:"query" to:"Text" maxLength:"8192" doc:"Left out: everything, the newest first"`
	Roles []string `query:"roles" enum:"user,assistant" doc:"Left out: both"`
	Since string   `query:"since" maxLength:"64" doc:"Said then or later"`
	Until string   `query:"until" maxLength:"64" doc:"Said before"`
	Skip  int      `query:"skip" minimum:"0" doc:"How many to leave out"`
	Limit int      `query:"limit" minimum:"1" maximum:"200" default:"20" doc:"How many at the most"`
}

// Passages is a search of an agent's archive and documents.
type Passages struct {
	Query   string   `query:"query" to:"Text" maxLength:"8192"`
	Tags    []string `query:"tags" doc:"Passages with any of them"`
	AllTags bool     `query:"all_tags" doc:"None of the tags may be missing"`
	Skip    int      `query:"skip" minimum:"0" doc:"How many to leave out"`
	Limit   int      `query:"limit" minimum:"1" maximum:"200" default:"20" doc:"How many at the most"`
}
