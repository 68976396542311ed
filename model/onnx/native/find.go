package native

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// ErrNotFound means that ONNX Runtime's library is in none of the usual places.
var ErrNotFound = errors.New("ONNX Runtime's library (libonnxruntime.so) is in none of the usual places")

// Find returns the path of ONNX Runtime's library. named is the file or its
// folder. If it is empty, Find looks next to this program and in the folders
// where distributions, Linuxbrew and pip install libraries.
func Find(named string) (string, error) {
	if !supported {
		return "", ErrUnsupported
	}
	if named == "" {
		for _, folder := range usualFolders() {
			if path := libraryIn(folder); path != "" {
				return path, nil
			}
		}
		return "", ErrNotFound
	}
	info, err := os.Stat(named)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no %s: name ONNX Runtime's library, or the folder that holds it", named)
	case err != nil:
		return "", err
	case !info.IsDir():
		return filepath.Abs(named)
	}
	path := libraryIn(named)
	if path == "" {
		return "", fmt.Errorf("the folder %s holds no %s", named, patterns[0])
	}
	return filepath.Abs(path)
}

// usualFolders returns the folders to search, in order.
func usualFolders() []string {
	var folders []string
	if program, err := os.Executable(); err == nil {
		if followed, err := filepath.EvalSymlinks(program); err == nil {
			program = followed
		}
		folder := filepath.Dir(program)
		folders = append(folders, folder, filepath.Join(folder, "lib"), filepath.Join(folder, "..", "lib"))
	}
	triplet := map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[runtime.GOARCH]
	return append(folders,
		"/usr/local/lib", "/usr/local/lib64", "/usr/local/lib/"+triplet,
		"/usr/lib/"+triplet, "/usr/lib64", "/usr/lib",
		"/opt/onnxruntime/lib", "/usr/local/onnxruntime/lib",
		"/opt/onnxruntime/capi", // pip install --target /opt onnxruntime
		"/home/linuxbrew/.linuxbrew/lib")
}

// patterns are the library's names, the plain name first.
var patterns = []string{"libonnxruntime.so", "libonnxruntime.so.1", "libonnxruntime.so.1.*"}

// libraryIn returns the newest library in a folder, or the empty string.
func libraryIn(folder string) string {
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil || len(found) == 0 {
			continue
		}
		// The longer version is newer: 1.31 and 1.9.
		newest := slices.MaxFunc(found, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
		if isFile(newest) {
			return newest
		}
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
