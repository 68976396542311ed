package native_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/model/onnx/native"
)

// libc's own libraries exist on every supported machine, so the second process
// is tested even without ONNX Runtime.
func mathLibrary(t *testing.T) string {
	t.Helper()
	for _, pattern := range []string{"/lib/*-linux-gnu/libm.so.6", "/lib64/libm.so.6", "/usr/lib/libm.so.6"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return found[0]
		}
	}
	t.Skip("this system has no glibc")
	return ""
}

func TestALibraryThatIsNotTheRightOne(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("libraries are loaded on Linux only")
	}
	text := filepath.Join(t.TempDir(), "libonnxruntime.so")
	if err := os.WriteFile(text, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		mathLibrary(t):      "it is not ONNX Runtime's library",
		text:                "file too short",
		"/nowhere/to/be.so": "cannot open shared object file",
	} {
		library, err := native.Load(path)
		if err == nil {
			_ = library.Close()
			t.Fatalf("%s is loaded", path)
		}
		if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// mine returns the processes that the package has started.
func mine(t *testing.T) []string {
	t.Helper()
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	var children []string
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		children = append(children, strings.Fields(string(text))...)
	}
	return children
}

func TestNoProcessIsLeft(t *testing.T) {
	for range 3 {
		if _, err := native.Load(mathLibrary(t)); err == nil {
			t.Fatal("it is ONNX Runtime")
		}
	}
	if children := mine(t); len(children) > 0 {
		t.Errorf("there are still %v", children)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, name := range []string{"libonnxruntime.so.1.9.0", "libonnxruntime.so.1.31.0", "libonnxruntime_providers_shared.so"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	newest := filepath.Join(folder, "libonnxruntime.so.1.31.0")
	for named, want := range map[string]string{folder: newest, newest: newest} {
		if path, err := native.Find(named); err != nil || path != want {
			t.Errorf("%s: %s, %v", named, path, err)
		}
	}
	for named, want := range map[string]string{
		t.TempDir():                "holds no libonnxruntime.so",
		filepath.Join(folder, "x"): "there is no",
	} {
		if path, err := native.Find(named); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v", named, path, err)
		}
	}
	if path, err := native.Find(""); err != nil && !errors.Is(err, native.ErrNotFound) {
		t.Errorf("%s, %v", path, err)
	}
}

func TestLibrary(t *testing.T) {
	t.Parallel()
	path, err := native.Find(fetched.ONNXRuntime(t))
	if err != nil {
		t.Fatal(err)
	}
	library, err := native.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(library.Version(), "1.") {
		t.Errorf("version %q", library.Version())
	}
	network := filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(network, []byte("no network"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := library.Open(network, 1); err == nil || !strings.Contains(err.Error(), network) {
		t.Errorf("what is no network: %v", err)
	}
	if err := library.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := library.Open(network, 1); !errors.Is(err, native.ErrEnded) {
		t.Errorf("after Close: %v", err)
	}
}
