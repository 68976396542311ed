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

// WithoutHeader names the models that did not answer and without which memory was searched. Answers
// in a foreign format have it, because they have no field for that.
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

// crossOrigin lets pages of the origins that the operator allows use the service. Keys are sent as
// headers, so no cookies are involved.
func (s *Server) crossOrigin(next http.Handler) http.Handler {
	if len(s.options.CORSOrigins) == 0 {
		return next
	}
	return cors.New(cors.Options{
		AllowedOrigins: s.options.CORSOrigins,
		AllowedMethods: []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete},
		AllowedHeaders: []string{
			"Authorization", "X-API-Key", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "X-Request-Id", readAfter,
			"Content-Encoding", "X-Annals-Group", "X-Annals-Tools", "Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version", // agents send these to /mcp
			// Zep's clients and integrations send these
			"X-Fern-Language", "X-Fern-Runtime", "X-Fern-Runtime-Version", "X-Fern-Platform", "X-Fern-SDK-Name", "X-Fern-SDK-Version", "User-Agent",
		},
		ExposedHeaders: []string{"ETag", "Location", "Retry-After", "X-Request-Id", "Idempotent-Replayed", writtenAt, "Zep-Next-Cursor", "Annals-Ignored", WithoutHeader},
		MaxAge:         600,
	}).Handler(next)
}

// AllowsOrigin reports whether the operator allows pages of an origin.
func (s *Server) AllowsOrigin(origin string) bool {
	return slices.Contains(s.options.CORSOrigins, "*") || slices.ContainsFunc(s.options.CORSOrigins, func(allowed string) bool { return strings.EqualFold(allowed, origin) })
}

// textOnly refuses paths and queries that are not valid text, which the database could not store.
// It also refuses paths with empty parts or dots, which the multiplexer would redirect.
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
