package archive

import (
	"fmt"

	"github.com/annalsdb/annals/graph"
)

const (
	// Version is the version of the format. Import refuses files of a higher version. Version 1 was
	// written before the first release, which restarted the numbers of migrations; its rows are the
	// same.
	Version = 2

	formatName = "export"
)

// Header is the first line of a file.
type Header struct {
	Annals     string `json:"annals"`  // "export"
	Version    int    `json:"version"` // of the format
	Schema     int64  `json:"schema"`  // the number of the newest migration that the writer knew
	Group      string `json:"group"`
	Embedder   string `json:"embedder"`   // the embedder of the group's vectors
	Dimensions int    `json:"dimensions"` // the dimensions of the vectors
	Vectors    bool   `json:"vectors"`    // whether the file has the vectors
}

// check returns an error unless this program can read the file.
func (h Header) check(schema int64) error {
	switch {
	case h.Annals != formatName || h.Version < 1:
		return graph.Invalid("import", "this is no export of Annals: its first line does not say so")
	case h.Version > Version:
		return graph.Invalid("import", "the file is in version %d of the format, this program reads up to %d; import it with a newer Annals",
			h.Version, Version)
	case h.Version > 1 && h.Schema > schema: // version 1 numbered migrations differently
		return graph.Invalid("import", "the file comes from a newer Annals (schema %d, here %d); import it with that version",
			h.Schema, schema)
	}
	return nil
}

// trailer is the last line.
type trailer struct {
	Lines  int64  `json:"lines"`
	SHA256 string `json:"sha256"`
}

// damaged returns the error for a file that was changed or cut.
func damaged(format string, args ...any) error {
	return graph.Invalid("import", "the file is damaged: %s; nothing was stored. Export the group again",
		fmt.Sprintf(format, args...))
}
