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

// How long an invitation stands, and how long its request may be.
const (
	standing   = 10 * time.Minute
	maxRequest = 4 << 10
)

// Invitation gives a key to who has a code, once, within ten minutes. The code
// stands in the part of an address that browsers send to nobody.
type Invitation struct {
	code  string
	key   string
	until time.Time
	mu    sync.Mutex
	used  bool
}

// Invite makes an invitation to use a key.
func Invite(key string) *Invitation {
	return &Invitation{code: rand.Text(), key: key, until: time.Now().Add(standing)}
}

// Code is what the invitation is taken up with.
func (i *Invitation) Code() string { return i.code }

// ServeHTTP takes {"code": …} and answers with {"key": …}, the first time.
func (i *Invitation) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		server.WriteProblem(w, http.StatusForbidden, "only the page itself signs in here")
		return
	}
	if r.Header.Get("Content-Type") != "application/json" { // which pages of others cannot send
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
	_ = json.NewEncoder(w).Encode(map[string]string{"key": i.key}) // the caller may be gone
}

// take uses the invitation up, if the code is right.
func (i *Invitation) take(code string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.used || time.Now().After(i.until) || subtle.ConstantTimeCompare([]byte(code), []byte(i.code)) != 1 {
		return false
	}
	i.used = true
	return true
}
