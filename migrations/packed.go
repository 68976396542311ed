package migrations

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
)

// FS holds the migrations in the form that goose reads.
var FS fs.FS = unpacked()

// packed is the archive that make generate writes.
//
//go:embed migrations.zip
var packed []byte

// unpacked reads the archive's directory. A file is decompressed when it is read.
func unpacked() *zip.Reader {
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		panic("migrations: " + err.Error()) // embedded, and a test unpacks it
	}
	return archive
}
