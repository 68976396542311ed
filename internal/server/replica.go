package server

import (
	"context"
	"net/http"
	"strings"

	"github.com/annalsdb/annals"
)

// The headers by which a request that is answered from a replica sees what another request wrote,
// perhaps through another process.
const (
	writtenAt = "Annals-Written-At"
	readAfter = "Annals-Read-After"
)

// following makes reads wait until the replica has the LSN that a request names, and returns the
// LSN of each write. It does nothing without a replica.
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

// writes reports whether a request may write; searches are POST requests that do not.
func writes(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return false
	}
	return !strings.HasSuffix(r.URL.Path, "/search") && !strings.HasSuffix(r.URL.Path, "/context")
}

// writtenResponse adds a header with the LSN after the write.
type writtenResponse struct {
	response
	ctx    context.Context //nolint:containedctx // of the one request
	server *Server
	told   bool
}

// WriteHeader sets that header: by then everything is committed.
func (w *writtenResponse) WriteHeader(status int) {
	if !w.told && status >= http.StatusOK && status < http.StatusMultipleChoices {
		w.told = true
		if lsn, err := w.server.ClientOf(w.ctx).LSN(w.ctx); err == nil {
			w.Header().Set(writtenAt, lsn.String())
		}
	}
	w.response.WriteHeader(status)
}

// Write calls WriteHeader if nobody has.
func (w *writtenResponse) Write(b []byte) (int, error) {
	if !w.told {
		w.WriteHeader(http.StatusOK)
	}
	return w.response.Write(b)
}
