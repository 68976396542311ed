package hub_test

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/annalsdb/annals/model/hub"
)

const (
	name   = "annals-tests/tiny-model"
	commit = "0123456789abcdef0123456789abcdef01234567"
)

// server is a hub with one model. Files of more than a kilobyte have an LFS
// checksum, the others git's.
type server struct {
	files     map[string]string
	lists     map[string]string // a file as it is listed; otherwise as it is
	breaks    atomic.Int64      // so many answers break off in the middle
	stalls    atomic.Int64      // so many answers stop in the middle
	ranges    atomic.Int64      // how many asked for the rest of a file
	downloads atomic.Int64
}

func (s *server) start(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/models/"+name+"/revision/main", func(w http.ResponseWriter, _ *http.Request) {
		var siblings []map[string]any
		for file, content := range s.files {
			if listed, ok := s.lists[file]; ok {
				content = listed
			}
			entry := map[string]any{"rfilename": file, "size": len(content)}
			blob := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content))
			entry["blobId"] = hex.EncodeToString(blob[:])
			if len(content) > 1024 {
				sum := sha256.Sum256([]byte(content))
				entry["blobId"], entry["lfs"] = "that of a pointer", map[string]any{"sha256": hex.EncodeToString(sum[:])}
			}
			siblings = append(siblings, entry)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"sha": commit, "siblings": siblings})
	})
	mux.HandleFunc("GET /"+name+"/resolve/"+commit+"/{name...}", func(w http.ResponseWriter, r *http.Request) {
		content, ok := s.files[r.PathValue("name")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		s.downloads.Add(1)
		if r.Header.Get("Range") != "" {
			s.ranges.Add(1)
		}
		if len(content) > 1024 && s.breaks.Add(-1) >= 0 {
			w.Header().Set("Content-Length", fmt.Sprint(len(content)))
			_, _ = w.Write([]byte(content[:len(content)/2]))
			panic(http.ErrAbortHandler)
		}
		if len(content) > 1024 && s.stalls.Add(-1) >= 0 {
			w.Header().Set("Content-Length", fmt.Sprint(len(content)))
			_, _ = w.Write([]byte(content[:len(content)/2]))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			return
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func model() map[string]string {
	return map[string]string{
		"onnx/model.onnx": strings.Repeat("network ", 1000), "tokenizer.json": `{"a": "tokeniser"}`, "config.json": "{}",
		"1_Pooling/config.json": "{ }", "pytorch_model.bin": "not wanted", "onnx/model_O4.onnx": "not wanted",
	}
}

func pull(t *testing.T, from, into string) hub.Model {
	t.Helper()
	pulled, err := hub.Pull(t.Context(), hub.Config{Name: name, Folder: into, From: from})
	if err != nil {
		t.Fatal(err)
	}
	return pulled
}

func TestPull(t *testing.T) {
	t.Parallel()
	s, into := &server{files: model()}, t.TempDir()
	address := s.start(t)
	pulled := pull(t, address, into)
	if pulled.Use != "onnx:"+name || pulled.Revision != commit || len(pulled.Files) != 4 {
		t.Errorf("%+v", pulled)
	}
	folder, there := hub.Folder(into, name)
	if !there || folder != filepath.Join(into, "annals-tests", "tiny-model") {
		t.Fatalf("it is in %s: %v", folder, there)
	}
	for _, file := range pulled.Files {
		if content, err := os.ReadFile(filepath.Join(folder, file.Name)); err != nil || string(content) != s.files[file.Name] {
			t.Errorf("%s: %v", file.Name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "pytorch_model.bin")); err == nil {
		t.Error("what is of no use is fetched too")
	}

	// Existing files are not downloaded again; changed ones are.
	before := s.downloads.Load()
	pull(t, address, into)
	if n := s.downloads.Load() - before; n != 0 {
		t.Errorf("%d files are fetched again", n)
	}
	if err := os.WriteFile(filepath.Join(folder, "config.json"), []byte("{} "), 0o600); err != nil {
		t.Fatal(err)
	}
	models, err := hub.List(into)
	if err != nil || len(models) != 1 {
		t.Fatalf("%v, %v", models, err)
	}
	if err := models[0].Verify(); err == nil || !strings.Contains(err.Error(), "config.json is not what was pulled") {
		t.Errorf("a changed file: %v", err)
	}
	if err := pull(t, address, into).Verify(); err != nil {
		t.Error(err)
	}
	if n := s.downloads.Load() - before; n != 1 {
		t.Errorf("%d files are fetched, and one was changed", n)
	}
}

// The download resumes within a call, and in a later one.
func TestPullGoesOnWhereItBrokeOff(t *testing.T) {
	t.Parallel()
	s, into := &server{files: model()}, t.TempDir()
	s.breaks.Store(1)
	if err := pull(t, s.start(t), into).Verify(); err != nil {
		t.Error(err)
	}
	if s.ranges.Load() != 1 {
		t.Errorf("%d requests went on", s.ranges.Load())
	}

	later := t.TempDir()
	part := filepath.Join(later, name, "onnx", "model.onnx.part")
	if err := os.MkdirAll(filepath.Dir(part), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(part, []byte(model()["onnx/model.onnx"][:5000]), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, there := hub.Folder(later, name); there {
		t.Error("half a model is taken for one")
	}
	if err := pull(t, s.start(t), later).Verify(); err != nil {
		t.Error(err)
	}
	if s.ranges.Load() != 2 {
		t.Errorf("%d requests went on", s.ranges.Load())
	}
}

func TestPullGoesOnWhereNothingComes(t *testing.T) {
	t.Parallel()
	s, into := &server{files: model()}, t.TempDir()
	s.stalls.Store(1)
	pulled, err := hub.Pull(t.Context(), hub.Config{Name: name, Folder: into, From: s.start(t), Quiet: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := pulled.Verify(); err != nil {
		t.Error(err)
	}
	if s.ranges.Load() != 1 {
		t.Errorf("%d requests went on", s.ranges.Load())
	}
}

func TestPullSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	without := func(file string) map[string]string {
		files := model()
		delete(files, file)
		return files
	}
	long := model()["onnx/model.onnx"]
	outside := model()
	outside["../../outside"] = "x"
	for title, test := range map[string]struct {
		server *server
		config hub.Config
		want   string
	}{
		"a name that is none":        {config: hub.Config{Name: "../x"}, want: "is no name of a model"},
		"no such model":              {server: &server{files: model()}, config: hub.Config{Name: "annals-tests/other"}, want: "404"},
		"no network":                 {server: &server{files: without("onnx/model.onnx")}, want: "no model.onnx or onnx/model.onnx or model.safetensors"},
		"no tokeniser":               {server: &server{files: without("tokenizer.json")}, want: "no tokenizer.json"},
		"another large file":         {server: &server{files: model(), lists: map[string]string{"onnx/model.onnx": strings.ToUpper(long)}}, want: "onnx/model.onnx: its SHA-256 is"},
		"another small file":         {server: &server{files: model(), lists: map[string]string{"config.json": "[]"}}, want: "config.json: its checksum is"},
		"a file outside the folder":  {server: &server{files: outside}, config: hub.Config{File: "../../outside"}, want: "would not be in its folder"},
		"a folder that is not there": {config: hub.Config{From: "/nowhere/at/all"}, want: "there is no such folder"},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			config := test.config
			config.Folder = t.TempDir()
			if config.Name == "" {
				config.Name = name
			}
			if config.From == "" {
				config.From = test.server.start(t)
			}
			if _, err := hub.Pull(t.Context(), config); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
			if models, err := hub.List(config.Folder); err != nil || len(models) != 0 {
				t.Errorf("afterwards there are %v, %v", models, err)
			}
		})
	}
}

func TestPullFromAFolder(t *testing.T) {
	t.Parallel()
	from := t.TempDir()
	files := map[string]string{"model.safetensors": "table", "tokenizer.json": "{}"}
	for file, content := range files {
		path := filepath.Join(from, "minishlab", "potion-base-8M", file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pulled, err := hub.Pull(t.Context(), hub.Config{Name: "potion-base-8M", Folder: t.TempDir(), From: from})
	if err != nil || pulled.Use != "static:minishlab/potion-base-8M" {
		t.Fatalf("%+v, %v", pulled, err)
	}
	if err := pulled.Verify(); err != nil {
		t.Error(err)
	}
	sums := filepath.Join(from, "minishlab", "potion-base-8M", "SHA256SUMS")
	if err := os.WriteFile(sums, []byte(strings.Repeat("0", 64)+"  ./tokenizer.json\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = hub.Pull(t.Context(), hub.Config{Name: "potion-base-8M", Folder: t.TempDir(), From: from})
	if err == nil || !strings.Contains(err.Error(), "tokenizer.json: its SHA-256 is") {
		t.Errorf("with another checksum: %v", err)
	}
}
