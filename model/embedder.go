package model

import "context"

// Embedder converts texts to vectors, so that similar texts lie close together.
type Embedder interface {
	// Name identifies the model and its version. It is stored with every
	// vector; vectors of different names are never compared.
	Name() string

	// Dimensions is the length of a vector; 0: not known before the first answer.
	Dimensions() int

	// Embed returns one vector of length one for each text, in order. Without texts
	// it returns no vectors. It must be safe for concurrent use.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Lexical reports whether the vectors of an embedder represent words and spellings,
// not meanings. Such an embedder has a method Lexical that returns true. Its vectors
// add little to a ranking by words.
func Lexical(e Embedder) bool {
	l, ok := e.(interface{ Lexical() bool })
	return ok && l.Lexical()
}
