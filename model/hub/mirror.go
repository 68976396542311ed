package hub

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// mirror is a folder that holds models by their names, or the files of the
// wanted model. A file SHA256SUMS in the model's folder, in the format of
// sha256sum, states the checksums.
type mirror struct {
	config Config
	folder string
}

// list lists the files of the folder.
func (m *mirror) list(context.Context) (string, []remote, error) {
	m.folder = filepath.Join(m.config.From, filepath.FromSlash(m.config.Name))
	if info, err := os.Stat(m.folder); err != nil || !info.IsDir() {
		m.folder = m.config.From
	}
	info, err := os.Stat(m.folder)
	if err != nil || !info.IsDir() {
		return "", nil, errors.New("there is no such folder; the address of a hub begins with https://")
	}
	sums, err := readSums(filepath.Join(m.folder, "SHA256SUMS"))
	if err != nil {
		return "", nil, err
	}
	var files []remote
	err = filepath.WalkDir(m.folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := os.Stat(path) // follows links, which download caches use
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		name, err := filepath.Rel(m.folder, path)
		name = filepath.ToSlash(name)
		files = append(files, remote{name: name, bytes: info.Size(), sha256: sums[name]})
		return err
	})
	return "", files, err
}

// readSums reads a file of sha256sum. The file need not exist.
func readSums(path string) (map[string]string, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	sums := map[string]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		sum, name, found := strings.Cut(lines.Text(), " ")
		if !found {
			return nil, fmt.Errorf("%s has a line that is no checksum and name: %q", path, lines.Text())
		}
		sums[strings.TrimPrefix(strings.TrimLeft(name, " *"), "./")] = strings.ToLower(sum)
	}
	return sums, lines.Err()
}

// fetch copies a file.
func (m *mirror) fetch(_ context.Context, file remote, part string) error {
	from, err := os.Open(filepath.Join(m.folder, filepath.FromSlash(file.name)))
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.Create(part)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}
