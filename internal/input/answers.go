package input

// StandingQuestion is a question that a group is to keep answered.
type StandingQuestion struct {
	Query  string `json:"query" flag:"-" to:"Text" maxLength:"1000" doc:"The question, in plain words"`
	Tokens int    `json:"tokens,omitempty" mcp:"-" minimum:"100" maximum:"32000" doc:"The most tokens of what it is answered from; left out: 2000"`
	Schema Object `json:"schema,omitzero" doc:"A JSON Schema of an object, whose values are filled in as well: a profile"`
}
