// Package hub keeps models in a folder. It downloads them from a hub or a mirror,
// and lists those that are there.
//
// A hub is any server with the routes of huggingface.co:
// /api/models/NAME/revision/REVISION lists a model's files with their checksums,
// and /NAME/resolve/COMMIT/FILE returns a file. A mirror may also be a folder that
// holds models by their names.
//
// A model lives in the folder of its name. Its files are downloaded in sequence. A
// file gets its name only when it is complete and its checksum is right, so that
// an interrupted download can resume. At the end the list of files is written to
// annals.json: a model without it is incomplete.
package hub

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/each"
)

// Model is a complete model in the folder.
type Model struct {
	Name     string    `json:"name"`
	Use      string    `json:"use"` // its name in ANNALS_EMBEDDER or ANNALS_RERANKER
	Folder   string    `json:"folder"`
	Source   string    `json:"source"`
	Revision string    `json:"revision,omitempty"`
	Pulled   time.Time `json:"pulled"`
	Bytes    int64     `json:"bytes"`
	Files    []File    `json:"files"`
}

// File is one of a model's files.
type File struct {
	Name   string `json:"name"` // path in the folder, with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// manifest is the file that lists the contents of a model's folder.
const manifest = "annals.json"

var namePattern = regexp.MustCompile(`^[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*$`)

// short maps well-known short names to full names.
var short = map[string]string{
	"all-MiniLM-L6-v2":      "sentence-transformers/all-MiniLM-L6-v2",
	"bge-small-en-v1.5":     "BAAI/bge-small-en-v1.5",
	"ms-marco-MiniLM-L6-v2": "cross-encoder/ms-marco-MiniLM-L6-v2",
	"potion-base-8M":        "minishlab/potion-base-8M",
}

// FullName returns the OWNER/NAME of a model, given that or a short name.
func FullName(name string) (string, error) {
	full := cmp.Or(short[name], name)
	if !namePattern.MatchString(full) || strings.Contains(full, "..") {
		known := slices.Sorted(maps.Keys(short))
		return "", fmt.Errorf("%q is no name of a model: write OWNER/NAME as the hub does, or one of %s", name, strings.Join(known, ", "))
	}
	return full, nil
}

// Folder returns the folder of a model below under, and whether the model is there
// and complete.
func Folder(under, name string) (string, bool) {
	full, err := FullName(name)
	if err != nil {
		return "", false
	}
	folder := filepath.Join(under, filepath.FromSlash(full))
	_, err = read(folder)
	return folder, err == nil
}

// List returns the complete models, sorted by name.
func List(under string) ([]Model, error) {
	found, err := filepath.Glob(filepath.Join(under, "*", "*", manifest))
	if err != nil {
		return nil, err
	}
	var models []Model
	for _, path := range found {
		model, err := read(filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		models = append(models, model)
	}
	each.Sort(models, func(a, b Model) int { return strings.Compare(a.Name, b.Name) })
	return models, nil
}

// read reads the manifest of a model's folder.
func read(folder string) (Model, error) {
	content, err := os.ReadFile(filepath.Join(folder, manifest))
	if err != nil {
		return Model{}, err
	}
	var model Model
	if err := json.Unmarshal(content, &model); err != nil {
		return Model{}, fmt.Errorf("%s is damaged: %w; pull the model again", filepath.Join(folder, manifest), err)
	}
	model.Folder = folder
	return model, nil
}

// Verify compares the files of a model with their checksums. The error names each
// wrong file.
func (m Model) Verify() error {
	var wrong []error
	for _, file := range m.Files {
		sum, err := checksums(filepath.Join(m.Folder, filepath.FromSlash(file.Name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			wrong = append(wrong, fmt.Errorf("%s is gone", file.Name))
		case err != nil:
			wrong = append(wrong, err)
		case sum.sha256 != file.SHA256:
			wrong = append(wrong, fmt.Errorf("%s is not what was pulled: its SHA-256 is %s and was %s", file.Name, sum.sha256, file.SHA256))
		}
	}
	return errors.Join(wrong...)
}

// keep writes the manifest into the model's folder.
func (m Model) keep() error {
	content, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	part := filepath.Join(m.Folder, manifest+partial)
	if err := os.WriteFile(part, append(content, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(m.Folder, manifest))
}
