package input

// Brought selects rows by their origin. All fields that are set must match.
type Brought struct {
	Source   string `query:"source" maxLength:"512" doc:"What came with this source description, such as the name of a file"`
	ThreadID string `query:"thread_id" maxLength:"512" doc:"What was said in this conversation"`
	Door     string `query:"door" maxLength:"512" doc:"What came by this door: cli, rest, mcp, import, …"`
	Key      string `query:"key" maxLength:"512" doc:"What this API key or user of the database wrote"`
	Run      string `query:"run_id" to:"Run" maxLength:"512" doc:"What this run of an agent wrote: run_id in the metadata"`
	Since    string `query:"since" maxLength:"64" doc:"What was taken in from this time on" example:"2024-03-15"`
	Until    string `query:"until" maxLength:"64" doc:"What was taken in before this time"`
}

// Waiting selects what waits for a review.
type Waiting struct {
	Kind string `query:"kind" enum:"candidate,disputed,low_trust,second_hand" doc:"Only candidates; what is disputed; what only assistants and documents say; or what is told at second hand"`
	Added
}

// Added selects the facts of an origin.
type Added struct {
	Relation string `query:"relation" maxLength:"512" doc:"Only facts of this relation" example:"WORKS_AT"`
	Brought
}

// Decided selects the facts that a decision is about.
type Decided struct {
	Facts []string `json:"facts,omitempty" flag:"-" to:"FactIDs" maxItems:"1000" doc:"These facts"`
	All   bool     `json:"all,omitempty" doc:"All that wait and that the rest chooses"`
}

// ReviewDecision is a decision about facts under review.
type ReviewDecision struct {
	Do string `json:"decision" flag:"-" enum:"approve,reject,edit,leave" doc:"approve: believe it. reject: it stays rejected. edit: believe it, corrected. leave: take an approval back, so that it waits again"`
	Decided
	Edit *FactChange `json:"edit,omitempty" flag:"-" to:"-" doc:"With edit: what is different"`
}

// TakeBack holds the parameters of taking back everything of an origin.
type TakeBack struct {
	Brought
	Removal
}
