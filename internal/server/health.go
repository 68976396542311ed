package server

import (
	"context"
	"io"
	"net/http"
	"time"
)

const readyTimeout = 5 * time.Second

// healthy answers as long as the process runs. An orchestrator restarts a process that does not
// answer; a database that is down is no reason for that.
func healthy(w http.ResponseWriter, _ *http.Request) { writeText(w, "ok\n") }

// ready reports whether the service can do its work.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	if err := s.options.Ready(ctx); err != nil {
		s.log.WarnContext(r.Context(), "not ready", "error", err)
		WriteProblem(w, http.StatusServiceUnavailable, "the database does not answer or is not migrated; the log has more")
		return
	}
	writeText(w, "ready\n")
}

func writeText(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, text) // the caller may have disconnected
}
