package annals

import (
	"log/slog"

	"github.com/annalsdb/annals/engine"
	"github.com/annalsdb/annals/model"
)

// Config says what a [Client] works with. Only DatabaseURL has no default.
type Config struct {
	// Analyst reads episodes. Defaults to the offline rules, a floor that
	// needs no model.
	Analyst engine.Analyst

	// DatabaseURL names a migrated PostgreSQL, 15 to 18, with pgvector:
	// postgres://user:password@host/name.
	DatabaseURL string

	// Embedder turns text into vectors. It must make as many dimensions as the
	// database was set up with. Defaults to the offline feature-hashing
	// embedder, which knows spellings, not meanings.
	Embedder model.Embedder

	// Log receives what an operator wants to know. Defaults to nothing.
	Log *slog.Logger
}
