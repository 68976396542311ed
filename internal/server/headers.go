package server

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rs/cors"
)

// WithoutHeader says of an answer in a foreign format which models did not answer, so that
// memory was searched without them.
const WithoutHeader = "Annals-Without"

// safeHeaders sets the headers that keep browsers from running, framing or
// sniffing answers.
func safeHeaders(overTLS bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "private, no-cache")
		if overTLS {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}

// crossOrigin lets pages of other origins use the service where the operator
// says so. Keys are sent as headers: no cookies are involved.
func (s *Server) crossOrigin(next http.Handler) http.Handler {
	if len(s.options.CORSOrigins) == 0 {
		return next
	}
	return cors.New(cors.Options{
		AllowedOrigins: s.options.CORSOrigins,
		AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowedHeaders: []string{
			"Authorization", "X-API-Key", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "X-Request-Id", readAfter,
			"Content-Encoding", "X-Annals-Group", "X-Annals-Tools", "Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version", // what agents send to /mcp
			// what Zep's clients send, and what its integrations add
			"X-Fern-Language", "X-Fern-Runtime", "X-Fern-Runtime-Version", "X-Fern-Platform", "X-Fern-SDK-Name", "X-Fern-SDK-Version", "User-Agent",
		},
		ExposedHeaders: []string{"ETag", "Location", "Retry-After", "X-Request-Id", "Idempotent-Replayed", writtenAt, "Zep-Next-Cursor", "Annals-Ignored", WithoutHeader},
		MaxAge:         600,
	}).Handler(next)
}

// AllowsOrigin reports whether the operator lets pages of an origin use the service.
func (s *Server) AllowsOrigin(origin string) bool {
	return slices.Contains(s.options.CORSOrigins, "*") || slices.ContainsFunc(s.options.CORSOrigins, func(allowed string) bool { return strings.EqualFold(allowed, origin) })
}

// textOnly refuses paths and queries that are not text, which the database
// could not take, and paths with empty parts or dots in them, which the
// multiplexer would lead elsewhere.
func textOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query, err := url.QueryUnescape(r.URL.RawQuery)
		if err != nil || !isText(r.URL.Path) || !isText(query) {
			WriteProblem(w, http.StatusBadRequest, "the path or the query is not text in UTF-8, or holds a NUL")
			return
		}
		if !isClean(r.URL.EscapedPath()) {
			WriteProblem(w, http.StatusNotFound, "there is no such path: a part of it is empty, . or ..")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isClean(p string) bool {
	return p == path.Clean(p) || p == path.Clean(p)+"/"
}

func isText(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }
