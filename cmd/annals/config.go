package main

import (
	"errors"
	"path/filepath"
	"strconv"

	"github.com/caarlos0/env/v11"

	"github.com/annalsdb/annals"
)

// config is what the environment says. Flags override it.
type config struct {
	DatabaseURL  string `env:"ANNALS_DATABASE_URL"`
	EmbeddingDim int    `env:"ANNALS_EMBEDDING_DIM"`
	LLM          string `env:"ANNALS_LLM"`
	Embedder     string `env:"ANNALS_EMBEDDER"`
	PostgresBin  string `env:"ANNALS_POSTGRES_BIN"`
	DataHome     string `env:"XDG_DATA_HOME"`
	Home         string `env:"HOME"`
}

// readConfig reads the environment. Only the dimension can be written wrongly:
// everything else is text.
func readConfig(environ map[string]string) (config, error) {
	c, err := env.ParseAsWithOptions[config](env.Options{Environment: environ})
	if err != nil {
		return c, &annals.Error{
			Code: annals.CodeInvalid, Field: "ANNALS_EMBEDDING_DIM",
			Message: strconv.Quote(environ["ANNALS_EMBEDDING_DIM"]) + " is not a number; set it to one such as 384, or unset it",
		}
	}
	return c, nil
}

// check refuses what this release cannot do.
func (c config) check() error {
	for name, value := range map[string]string{"ANNALS_LLM": c.LLM, "ANNALS_EMBEDDER": c.Embedder} {
		if value != "" && value != "offline" {
			return &annals.Error{
				Code: annals.CodeInvalid, Field: name,
				Message: "is " + value + "; this release knows only offline: unset it",
			}
		}
	}
	return nil
}

// dataDir is where the embedded cluster is kept.
func (c config) dataDir() (string, error) {
	switch {
	case c.DataHome != "":
		return filepath.Join(c.DataHome, "annals"), nil
	case c.Home != "":
		return filepath.Join(c.Home, ".local", "share", "annals"), nil
	}
	return "", errors.New("neither XDG_DATA_HOME nor HOME says where to keep the embedded database; set one, or set ANNALS_DATABASE_URL")
}
