package chats

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/archive"
)

// conversations matches the files of the archive to read. Large exports have several, numbered.
var conversations = regexp.MustCompile(`^conversations([-_]?\d+)?\.json$`)

// Open opens an export: the downloaded archive, or its file conversations.json.
func Open(name string, o Options) (*Reader, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read the export: %w", err)
	}
	var magic [4]byte
	if _, err := io.ReadFull(file, magic[:]); err == nil && bytes.Equal(magic[:], []byte("PK\x03\x04")) {
		_ = file.Close()
		return openZip(name, o)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("read the export: %w", err)
	}
	r, err := NewReader(file, o)
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	r.close = file.Close
	return r, nil
}

func openZip(name string, o Options) (*Reader, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, graph.Invalid("import", "the archive cannot be read: %v; download it again", err)
	}
	var files []*zip.File
	var others archive.Unmapped
	for _, f := range z.File {
		switch {
		case conversations.MatchString(path.Base(f.Name)):
			files = append(files, f)
		case !strings.HasSuffix(f.Name, "/"):
			others.Add("file of the archive that has no conversations", f.Name)
		}
	}
	if len(files) == 0 {
		_ = z.Close()
		return nil, graph.Invalid("import", "the archive has no conversations.json: it is no export of %s", o.From)
	}
	slices.SortFunc(files, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	var open io.Closer
	r, err := newReader(o, func() (*archive.Elements, error) {
		if open != nil {
			_ = open.Close()
		}
		if len(files) == 0 {
			return nil, io.EOF
		}
		file, err := files[0].Open()
		if err != nil {
			return nil, graph.Invalid("import", "%s of the archive cannot be read: %v; download it again", files[0].Name, err)
		}
		files, open = files[1:], file
		return archive.NewElements(checked{file}), nil
	})
	if err != nil {
		_ = z.Close()
		return nil, err
	}
	r.Unmapped, r.close = others, z.Close
	return r, nil
}

// checked reports a wrong checksum as a damaged archive.
type checked struct{ io.Reader }

// Read reads from the file.
func (c checked) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrFormat) {
		err = graph.Invalid("import", "the archive is damaged: %v; download it again", err)
	}
	return n, err
}
