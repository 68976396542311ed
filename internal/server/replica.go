package server

import (
	"context"
	"net/http"
	"strings"

	"github.com/annalsdb/annals"
)

// The headers by which a request sees what another one wrote, perhaps through
// another process, although it is answered from a replica.
const (
	writtenAt = "Annals-Written-At"
	readAfter = "Annals-Read-After"
)

// following makes reads wait for the place in the log that a request names, and
// tells the place of each write, where there is a replica.
func (s *Server) following(next http.Handler) http.Handler {
	if !s.options.Client.HasReplica() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := r.Header.Get(readAfter); name != "" {
			lsn, err := annals.ParseLSN(name)
			if err != nil {
				WriteProblem(w, http.StatusBadRequest, readAfter+" is not what a "+writtenAt+" said, such as 16/B374D848")
				return
			}
			r = r.WithContext(annals.ReadAfter(r.Context(), lsn))
		}
		if writes(r) {
			w = &writtenResponse{response: response{ResponseWriter: w}, ctx: r.Context(), server: s}
		}
		next.ServeHTTP(w, r)
	})
}

// writes reports whether a request may write: a search may be posted too.
func writes(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return false
	}
	return !strings.HasSuffix(r.URL.Path, "/search") && !strings.HasSuffix(r.URL.Path, "/context")
}

// writtenResponse says where in the log what was written ends.
type writtenResponse struct {
	response
	ctx    context.Context //nolint:containedctx // of the one request
	server *Server
	told   bool
}

// WriteHeader begins the answer, when all is committed.
func (w *writtenResponse) WriteHeader(status int) {
	if !w.told && status >= http.StatusOK && status < http.StatusMultipleChoices {
		w.told = true
		if lsn, err := w.server.ClientOf(w.ctx).LSN(w.ctx); err == nil {
			w.Header().Set(writtenAt, lsn.String())
		}
	}
	w.response.WriteHeader(status)
}

// Write begins the answer where WriteHeader has not.
func (w *writtenResponse) Write(b []byte) (int, error) {
	if !w.told {
		w.WriteHeader(http.StatusOK)
	}
	return w.response.Write(b)
}
