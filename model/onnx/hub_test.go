package onnx_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model/onnx"
)

const (
	hubModel = "annals-tests/tiny-model"
	commit   = "0123456789abcdef0123456789abcdef01234567"
)

// hubServer is a Hugging Face hub with one model. It counts its requests.
func hubServer(t *testing.T, files map[string]string) (address string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/models/"+hubModel+"/revision/main", func(w http.ResponseWriter, _ *http.Request) {
		var siblings []map[string]any
		for _, name := range slices.Sorted(maps.Keys(files)) {
			siblings = append(siblings, map[string]any{"rfilename": name, "size": len(files[name])})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"id": hubModel, "sha": commit, "siblings": siblings})
	})
	mux.HandleFunc("GET /"+hubModel+"/resolve/"+commit+"/{name...}", func(w http.ResponseWriter, r *http.Request) {
		content, ok := files[r.PathValue("name")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		sum := sha256.Sum256([]byte(content))
		w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:])+`"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

func TestAModelOfTheHubIsDownloadedOnce(t *testing.T) {
	t.Parallel()
	files := modelFiles(t, tinyBERT)
	files["onnx/model.onnx"] = files["model.onnx"]
	delete(files, "model.onnx")
	files["onnx/model_O4.onnx"] = "not wanted"
	files["pytorch_model.bin"] = "not wanted"
	files["1_Pooling/config.json"] = `{"pooling_mode_cls_token": true}`
	address, requests := hubServer(t, files)
	config := onnx.Config{Model: hubModel, CacheDir: t.TempDir(), Endpoint: address}

	first := openConfig(t, config)
	if first.Name() != "onnx:tiny-model" {
		t.Errorf("the model is called %s", first.Name())
	}
	local := open(t, map[string]string{"1_Pooling/config.json": files["1_Pooling/config.json"]})
	if d := far(embed(t, local, "ann")[0], embed(t, first, "ann")[0]); d > tolerance {
		t.Errorf("the downloaded model differs by %v from the same in a folder", d)
	}
	folder := filepath.Join(config.CacheDir, "annals-tests", "tiny-model")
	for _, name := range []string{"onnx/model_O4.onnx", "pytorch_model.bin"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			t.Errorf("%s is downloaded too", name)
		}
	}

	before := requests.Load()
	openConfig(t, config)
	if asked := requests.Load() - before; asked != 0 {
		t.Errorf("opening it again asks the hub %d times", asked)
	}
}

func TestDownloadingSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	serve := func(without string) string {
		files := modelFiles(t, tinyBERT)
		delete(files, without)
		address, _ := hubServer(t, files)
		return address
	}
	tests := map[string]struct {
		endpoint, model, file string
		want                  []string
	}{
		"no network":    {closed.URL, hubModel, "", []string{"download the embedding model " + hubModel, "without a network, copy the model's folder"}},
		"no such model": {serve(""), "annals-tests/other", "", []string{"download the embedding model annals-tests/other", "404"}},
		"no ONNX":       {serve("model.onnx"), hubModel, "", []string{"no model.onnx or onnx/model.onnx"}},
		"no such file":  {serve(""), hubModel, "onnx/model_O9.onnx", []string{"no onnx/model_O9.onnx"}},
		"no tokeniser":  {serve("tokenizer.json"), hubModel, "", []string{"no tokenizer.json"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := onnx.Open(t.Context(), onnx.Config{
				Model: test.model, File: test.file, CacheDir: t.TempDir(), Endpoint: test.endpoint, Library: fetched.ONNXRuntime(t),
			})
			for _, want := range test.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("the error says %v and not %q", err, want)
				}
			}
		})
	}
}

// An interrupted download is resumed, and not taken for a model.
func TestABrokenDownloadIsTriedAgain(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	files := modelFiles(t, tinyBERT)
	address, _ := hubServer(t, files)
	var broken atomic.Bool
	broken.Store(true)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() && r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/config.json") {
			http.Error(w, "out of order", http.StatusBadGateway)
			return
		}
		http.Redirect(w, r, address+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(proxy.Close)
	config := onnx.Config{Model: hubModel, CacheDir: t.TempDir(), Endpoint: proxy.URL, Library: fetched.ONNXRuntime(t)}
	if _, err := onnx.Open(t.Context(), config); err == nil || !strings.Contains(err.Error(), "502") {
		t.Fatalf("a broken download ends with %v", err)
	}
	broken.Store(false)
	if e := openConfig(t, config); e.MaxTokens() != tinyBERT.positions {
		t.Errorf("config.json is not there after the second try: texts are cut at %d tokens", e.MaxTokens())
	}
}

func TestDownloadingHeedsItsContext(t *testing.T) {
	t.Parallel()
	library := fetched.ONNXRuntime(t)
	asked, release := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(asked)
		<-release
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	_, err := onnx.Open(ctx, onnx.Config{Model: hubModel, CacheDir: t.TempDir(), Endpoint: server.URL, Library: library})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled download ends with %v", err)
	}
}
