// Command pack compresses the migrations into the file that programs embed. As text they would
// add half a megabyte to every program. make generate runs it in the root of the module.
package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := pack("migrations"); err != nil {
		fmt.Fprintln(os.Stderr, "pack the migrations:", err)
		os.Exit(1)
	}
}

func pack(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.sql")) // in their order
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		w, err := archive.Create(filepath.Base(file))
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "migrations.zip"), packed.Bytes(), 0o644)
}
