package input

// StandingQuestion is a question that a group is to keep answered.
type StandingQuestion struct {
	Query  string `json:"query" flag:"-" to:"Text" maxLength:"1000" doc:"The question, in plain words"`
	Tokens int    `json:"tokens,omitempty" mcp:"-" minimum:"100" maximum:"32000" doc:"The most tokens of what it is answered from; left out: 2000"`
	Schema Object `json:"schema,omitzero" doc:"A JSON Schema of an object, whose values are filled in as well: a profile"`
}

// Asking holds the parameters of a question besides its query.
type Asking struct {
	Tokens int    `json:"tokens,omitempty" minimum:"100" maximum:"32000" doc:"The most tokens of what the answer is made from; left out: 2000"`
	Schema Object `json:"schema,omitzero" doc:"A JSON Schema of an object, whose values are filled in as well"`
}

// Construction sets the form of a context.
type Construction struct {
	Hits         int    `json:"hits,omitempty" minimum:"0" doc:"The most facts, entities, communities and episodes it may show in all; left out: no limit"`
	Tokens       int    `json:"tokens,omitempty" minimum:"0" doc:"The most tokens it may have; left out: no limit"`
	Citations    bool   `json:"citations,omitempty" doc:"Say behind each line where it is from"`
	DatesInWords bool   `json:"dates_in_words,omitempty" to:"Words" doc:"Dates of episodes in words: 8 March 2024, instead of 2024-03-08; those of facts always are"`
	Task         bool   `json:"task,omitempty" query:"task" doc:"The query is a task: begin with how it was done, the skills for it"`
	Encoding     string `json:"encoding,omitempty" enum:"o200k_base,cl100k_base" doc:"How tokens are counted; left out: o200k_base"`
}
