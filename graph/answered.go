package graph

import "encoding/json"

// Answered is a question with the answer that was given. Readers of a memory
// see it in this form.
type Answered struct {
	Question string
	Answer   string
	Data     json.RawMessage // the answer's values as JSON; nil if none were asked for
}
