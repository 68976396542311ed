package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

const (
	maxReadLines  = 500
	maxReadBytes  = 256 << 10 // of a file that is read
	maxWriteBytes = 64 << 10  // of one append
	maxFolderFile = 4 << 20   // the size that a file may reach
)

type readFileArguments struct {
	Filename  string `json:"filename" jsonschema:"path in your folder"`
	LineStart int    `json:"line_start,omitempty" jsonschema:"the first line to read, from 0"`
	NumLines  int    `json:"num_lines,omitempty" jsonschema:"how many lines to read, at most 500; 100 is the default"`
}

type appendFileArguments struct {
	Filename string `json:"filename" jsonschema:"path in your folder"`
	Content  string `json:"content" jsonschema:"what is written at its end"`
}

// folderFunctions returns the functions that read and write files. [os.Root] keeps paths and links
// within the folder.
func folderFunctions(folder string) []function {
	return []function{
		reads("read_from_text_file", "Reads lines of a text file in your folder.",
			func(_ context.Context, _ *turn, a readFileArguments) (string, error) {
				return readFolderFile(folder, a)
			}),
		reads("append_to_text_file", "Writes at the end of a text file in your folder, which is made where it is missing.",
			func(_ context.Context, _ *turn, a appendFileArguments) (string, error) {
				return "It is written.", appendFolderFile(folder, a)
			}),
	}
}

// folderOf returns the folder of a group's agents; empty: there is none.
func (o Options) folderOf(groupID string) string {
	if o.Folder == "" || !o.FolderOfGroup {
		return o.Folder
	}
	if groupID == "." || !filepath.IsLocal(groupID) || strings.ContainsAny(groupID, `/\`) {
		return ""
	}
	folder := filepath.Join(o.Folder, groupID)
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() { // refuses a link, which may lead to another group's folder
		return ""
	}
	return folder
}

func within(folder string, do func(*os.Root) error) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return &graph.Error{Code: graph.CodeUnavailable, Field: "filename", Message: "the folder cannot be opened", Err: err}
	}
	defer func() { _ = root.Close() }()
	return do(root)
}

// refusedFile converts an error to one for the model. It does not reveal where the folder is.
func refusedFile(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return graph.Invalid("filename", "there is no %q", name)
	case errors.Is(err, fs.ErrPermission):
		return graph.Invalid("filename", "%q may not be used", name)
	}
	return graph.Invalid("filename", "%q cannot be used: it must be a text file within the folder", name)
}

// regular opens regular files only: pipes and devices may never end.
func regular(root *os.Root, name string, flag int) (*os.File, int64, error) {
	if info, err := root.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, 0, refusedFile(name, fs.ErrInvalid)
	} else if err != nil && (flag&os.O_CREATE == 0 || !errors.Is(err, fs.ErrNotExist)) {
		return nil, 0, refusedFile(name, err)
	}
	file, err := root.OpenFile(name, flag, 0o600)
	if err != nil {
		return nil, 0, refusedFile(name, err)
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, 0, errors.Join(refusedFile(name, fs.ErrInvalid), file.Close())
	}
	return file, info.Size(), nil
}

func unwritten(name string, err error) error {
	return &graph.Error{Code: graph.CodeUnavailable, Field: "filename", Message: fmt.Sprintf("%q could not be written to", name), Err: err}
}

func readFolderFile(folder string, a readFileArguments) (string, error) {
	if a.NumLines == 0 {
		a.NumLines = 100
	}
	if a.LineStart < 0 || a.NumLines < 1 || a.NumLines > maxReadLines {
		return "", graph.Invalid("num_lines", "is %d from %d on; it must be 1 to %d", a.NumLines, a.LineStart, maxReadLines)
	}
	var text string
	err := within(folder, func(root *os.Root) error {
		file, _, err := regular(root, a.Filename, os.O_RDONLY)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		content, err := io.ReadAll(io.LimitReader(file, maxReadBytes))
		if err != nil {
			return refusedFile(a.Filename, err)
		}
		if !utf8.Valid(content[:len(content)-min(len(content), utf8.UTFMax)]) {
			return graph.Invalid("filename", "%q is no text", a.Filename)
		}
		text = strings.ToValidUTF8(string(content), "")
		return nil
	})
	if err != nil {
		return "", err
	}
	lines := strings.Split(text, "\n")
	if a.LineStart >= len(lines) {
		return "", graph.Invalid("line_start", "is %d; the first %d bytes of %s have %s", a.LineStart, maxReadBytes, a.Filename, each.Count(len(lines), "line"))
	}
	return strings.Join(lines[a.LineStart:min(a.LineStart+a.NumLines, len(lines))], "\n"), nil
}

func appendFolderFile(folder string, a appendFileArguments) error {
	if len(a.Content) > maxWriteBytes {
		return graph.Invalid("content", "has %d bytes; the limit is %d", len(a.Content), maxWriteBytes)
	}
	return within(folder, func(root *os.Root) error {
		file, size, err := regular(root, a.Filename, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
		if err != nil {
			return err
		}
		if size+int64(len(a.Content)) > maxFolderFile {
			return errors.Join(graph.Invalid("filename", "%q would have more than %d bytes", a.Filename, maxFolderFile), file.Close())
		}
		_, err = file.WriteString(a.Content + "\n")
		if err = errors.Join(err, file.Close()); err != nil {
			return unwritten(a.Filename, err)
		}
		return nil
	})
}
