// Package explorer serves the page on which people look at a memory. Its files are built from web/
// and embedded. It uses the REST interface like any program, with the key of the person who looks.
//
// The page keeps that key in its tab. No key is in a cookie or a URL, so another page has nothing
// that it could use.
package explorer

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/annalsdb/annals/internal/server"
)

//go:embed all:app
var built embed.FS

// policy lets the page run its own scripts, load its own files and send requests to this service,
// and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; " +
	"font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Options configures the page. The zero value is ready to use.
type Options struct {
	// Invitation lets the first person who has its code sign in without a key. nil: everybody needs
	// a key.
	Invitation *Invitation
}

// Mount adds the page to a server, at / and below /explore, and its files below
// /assets.
func Mount(s *server.Server, o Options) {
	files := read()
	for _, pattern := range []string{"GET /{$}", "GET /explore", "GET /explore/{view...}"} {
		s.Handle(pattern, noted("/explore", files["index.html"].page()))
	}
	s.Handle("GET /assets/{file...}", noted("/assets", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := files["assets/"+r.PathValue("file")]
		if !ok {
			server.WriteProblem(w, http.StatusNotFound, "the page has no such file; load it anew, it was built again")
			return
		}
		f.asset().ServeHTTP(w, r)
	})))
	if o.Invitation != nil {
		s.Handle("POST /explore/sign-in", noted("/explore/sign-in", o.Invitation))
	}
}

// noted sets the name of the route for the log and for metrics.
func noted(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		server.NoteRoute(r.Context(), route)
		next.ServeHTTP(w, r)
	})
}

// file is one built file of the page.
type file struct {
	content []byte
	kind    string
	tag     string
}

// read returns the files by their path.
func read() map[string]*file {
	files := map[string]*file{}
	err := fs.WalkDir(built, "app", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := built.ReadFile(name)
		if short, packed := strings.CutSuffix(name, ".gz"); packed && err == nil {
			name = short
			content, err = unpacked(content)
		}
		digest := sha256.Sum256(content)
		files[strings.TrimPrefix(name, "app/")] = &file{
			content: content, kind: kindOf(name), tag: strconv.Quote(hex.EncodeToString(digest[:8])),
		}
		return err
	})
	if err != nil || files["index.html"] == nil { // the files are compiled in
		panic("explorer: its files are not there; 'make web' builds them")
	}
	return files
}

func unpacked(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// kindOf returns the content type of a file. It does not depend on the types that the machine has
// registered.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	}
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		return kind
	}
	return "application/octet-stream"
}

// page serves a file that the browser has to revalidate each time: the names of the files that it
// loads change with their content.
func (f *file) page() http.Handler { return f.cached("no-cache") }

// asset serves a file whose content never changes under its name.
func (f *file) asset() http.Handler { return f.cached("public, max-age=31536000, immutable") }

func (f *file) cached(how string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", how)
		h.Set("ETag", f.tag)
		if r.Header.Get("If-None-Match") == f.tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Type", f.kind)
		_, _ = w.Write(f.content) // the caller may have disconnected
	})
}
