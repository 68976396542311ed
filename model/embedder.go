package model

import "context"

// Embedder turns texts into vectors, so that texts alike lie near each other.
type Embedder interface {
	// Name identifies the model and its version. It is stored with every
	// vector; vectors of different names are never compared.
	Name() string

	// Dimensions is how many numbers a vector has.
	Dimensions() int

	// Embed returns one vector of length one for each text, in order. No texts
	// give no vectors. It must be safe for concurrent use.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Lexical reports whether the vectors of an embedder are of words and their spelling,
// not of meanings: one says so that has a method of that name. Beside a ranking by
// words they add little.
func Lexical(e Embedder) bool {
	l, ok := e.(interface{ Lexical() bool })
	return ok && l.Lexical()
}
