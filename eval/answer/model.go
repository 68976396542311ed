package answer

import "context"

// Prompt is what a model is asked.
type Prompt struct {
	Name         string // of the question: answer_question
	Group        string // on whose behalf
	System, User string
}

// Model answers prompts. It is handed in by the program: benchmarks know models
// no more than the graph they search.
type Model interface {
	Name() string
	// Write returns a text.
	Write(ctx context.Context, p Prompt) (string, error)
	// Judge returns a verdict: whether an answer is right.
	Judge(ctx context.Context, p Prompt) (bool, error)
}
