package explorer

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/annalsdb/annals/internal/server"
)

// How long an invitation is valid, and how many bytes its request may have.
const (
	standing   = 10 * time.Minute
	maxRequest = 4 << 10
)

// Invitation exchanges a code for an API key, once, within ten minutes. The code is in the fragment
// of a URL, which browsers send to no server.
type Invitation struct {
	code  string
	key   string
	until time.Time
	mu    sync.Mutex
	used  bool
}

// Invite creates an invitation for a key.
func Invite(key string) *Invitation {
	return &Invitation{code: rand.Text(), key: key, until: time.Now().Add(standing)}
}

// Code returns the code that the invitation accepts.
func (i *Invitation) Code() string { return i.code }

// ServeHTTP answers {"code": …} with {"key": …}, once.
func (i *Invitation) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		server.WriteProblem(w, http.StatusForbidden, "only the page itself signs in here")
		return
	}
	if r.Header.Get("Content-Type") != "application/json" { // pages of other origins cannot send it
		server.WriteProblem(w, http.StatusUnsupportedMediaType, "this takes application/json")
		return
	}
	var asked struct {
		Code string `json:"code"`
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, maxRequest)).Decode(&asked); err != nil {
		server.WriteProblem(w, http.StatusBadRequest, `this takes {"code": "…"}`)
		return
	}
	if !i.take(asked.Code) {
		server.WriteProblem(w, http.StatusUnauthorized, "this link was used already, or is too old; 'annals explore' makes another")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(map[string]string{"key": i.key}) // the caller may have disconnected
}

// take uses up the invitation if the code is right.
func (i *Invitation) take(code string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.used || time.Now().After(i.until) || subtle.ConstantTimeCompare([]byte(code), []byte(i.code)) != 1 {
		return false
	}
	i.used = true
	return true
}
