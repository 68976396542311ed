package archive

import (
	"fmt"

	"github.com/annalsdb/annals/graph"
)

const (
	// Version is the version of the format. Files of a higher version are refused.
	// Files of version 1 were written before the first release, which counted
	// migrations anew; the rows are the same.
	Version = 2

	formatName = "export"
)

// Header is the first line of a file. It says what the rest is.
type Header struct {
	Annals     string `json:"annals"`  // "export"
	Version    int    `json:"version"` // of the format
	Schema     int64  `json:"schema"`  // number of the newest migration that the writer knows
	Group      string `json:"group"`
	Embedder   string `json:"embedder"`   // that made the vectors of the group
	Dimensions int    `json:"dimensions"` // of its vectors
	Vectors    bool   `json:"vectors"`    // they are in the file
}

// check fails unless this program can read what the header announces.
func (h Header) check(schema int64) error {
	switch {
	case h.Annals != formatName || h.Version < 1:
		return graph.Invalid("import", "this is no export of Annals: its first line does not say so")
	case h.Version > Version:
		return graph.Invalid("import", "the file is in version %d of the format, this program reads up to %d; import it with a newer Annals",
			h.Version, Version)
	case h.Version > 1 && h.Schema > schema: // before, migrations were counted otherwise
		return graph.Invalid("import", "the file comes from a newer Annals (schema %d, here %d); import it with that version",
			h.Schema, schema)
	}
	return nil
}

// trailer is the last line: what must have come before it.
type trailer struct {
	Lines  int64  `json:"lines"`
	SHA256 string `json:"sha256"`
}

// damaged makes the error for a file that is not what was exported.
func damaged(format string, args ...any) error {
	return graph.Invalid("import", "the file is damaged: %s; nothing was stored. Export the group again",
		fmt.Sprintf(format, args...))
}
