package migrations

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
)

// FS holds the migrations, as goose reads them.
var FS fs.FS = unpacked()

// packed are the migrations as make generate packs them.
//
//go:embed migrations.zip
var packed []byte

// unpacked reads the list of what is packed. Each file is unpacked when it is read.
func unpacked() *zip.Reader {
	archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		panic("migrations: " + err.Error()) // it is part of the program, and a test unpacks it
	}
	return archive
}
