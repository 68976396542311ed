package answer

import "context"

// Prompt is what a model is asked.
type Prompt struct {
	Name         string // of the question: answer_question
	Group        string // on whose behalf
	System, User string

	// Repetition counts from 0. Each is to be asked anew, and no answer to
	// another is to be remembered for it.
	Repetition int
}

// Model answers prompts. It is handed in by the program: benchmarks know models
// no more than the graph they search.
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
