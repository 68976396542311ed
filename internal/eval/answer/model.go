package answer

import "context"

// Prompt is a question to a model.
type Prompt struct {
	Name         string // name of the prompt: answer_question
	Group        string // the group it is asked for
	System, User string

	// Repetition counts from 0. Each repetition must be asked anew: an answer
	// cached for one must not be used for another.
	Repetition int
}

// Model answers prompts. The program supplies it: benchmarks depend on no
// model.
type Model interface {
	Name() string
	// Write returns a text.
	Write(ctx context.Context, p Prompt) (string, error)
}

// Judge is a model that judges.
type Judge interface {
	Name() string
	// Judge returns a verdict: whether an answer is right.
	Judge(ctx context.Context, p Prompt) (bool, error)
}
