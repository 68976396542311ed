package graph

import "encoding/json"

// Answered is a question with its answer, as those are told who read a memory.
type Answered struct {
	Question string
	Answer   string
	Data     json.RawMessage // its values; nil: none were asked for
}
