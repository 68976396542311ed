package hub_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/annalsdb/annals/model/hub"
)

// A download stops when the server sends more than it listed. Files without listed
// size and checksum need Config.Unchecked.
func TestPullTakesWhatWasListed(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	serve := func(sizes string) string {
		mux := http.NewServeMux()
		mux.HandleFunc("/api/models/"+name+"/revision/main", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"sha": "c", "siblings": [{"rfilename": "model.onnx"%s}, {"rfilename": "tokenizer.json"%s}]}`, sizes, sizes)
		})
		mux.HandleFunc("/"+name+"/resolve/c/", func(w http.ResponseWriter, _ *http.Request) {
			for range 1000 {
				n, err := w.Write([]byte(strings.Repeat("x", 100000)))
				if sent.Add(int64(n)); err != nil || sizes == "" {
					return
				}
			}
		})
		server := httptest.NewServer(mux)
		t.Cleanup(server.Close)
		return server.URL
	}
	_, err := hub.Pull(t.Context(), hub.Config{Name: name, Folder: t.TempDir(), From: serve(`, "size": 1000`)})
	if err == nil || !strings.Contains(err.Error(), "more than the 1000 bytes that it listed") || sent.Load() > 50e6 {
		t.Errorf("it took %d bytes: %v", sent.Load(), err)
	}
	unknown := serve("")
	if _, err := hub.Pull(t.Context(), hub.Config{Name: name, Folder: t.TempDir(), From: unknown}); err == nil || !strings.Contains(err.Error(), "--unchecked") {
		t.Errorf("what cannot be checked is taken: %v", err)
	}
	if _, err := hub.Pull(t.Context(), hub.Config{Name: name, Folder: t.TempDir(), From: unknown, Unchecked: true}); err != nil {
		t.Error(err)
	}
}
