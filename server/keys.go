package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/service"
)

// Key is an API key that the operator set, beside those of the database.
type Key struct {
	Name   string   // stands for it in the log
	Groups []string // that it opens, and namespaces, as in acme:*; empty: all
	hash   [sha256.Size]byte
}

// The bounds on the secret of a key that an operator sets.
const (
	MinSecret = 16
	MaxSecret = 512
)

// ParseKeys reads keys as ANNALS_API_KEYS has them: secrets divided by commas,
// each of 16 to 512 letters, digits and - . _ ~ + /. Before one may stand the
// groups that it opens, as in alice|bob=SECRET or acme:*=SECRET; without, it
// opens all.
func ParseKeys(text string) ([]Key, error) {
	var keys []Key
	for i, entry := range strings.Split(text, ",") {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		groups, secret, scoped := strings.Cut(entry, "=")
		if !scoped {
			groups, secret = "", entry
		}
		if !isSecret(secret) { // and it is not said what it is
			return nil, graph.Invalid("ANNALS_API_KEYS", "its key number %d is not %d to %d letters, digits and - . _ ~ + /; "+
				"'openssl rand -hex 32' makes one", i+1, MinSecret, MaxSecret)
		}
		key := Key{Name: "static-" + fingerprint(secret), hash: sha256.Sum256([]byte(secret))}
		if scoped {
			key.Groups = strings.Split(groups, "|")
			for _, g := range key.Groups {
				if err := graph.ValidateGroupPattern(g); err != nil {
					return nil, graph.Invalid("ANNALS_API_KEYS", "its key number %d names a group that cannot be: %v", i+1, err)
				}
			}
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func isSecret(s string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/"
	return len(s) >= MinSecret && len(s) <= MaxSecret && strings.Trim(s, allowed) == ""
}

// Caller is whoever a key was given to.
type Caller struct {
	ID    string // of the key: an id, or the name of a static one
	key   service.APIKey
	known bool
}

// Admin reports whether the caller may use all groups, and what is about all.
func (c Caller) Admin() bool { return c.key.Admin }

// Opens reports whether the caller may use a group.
func (c Caller) Opens(groupID string) bool { return c.known && c.key.Opens(groupID) }

// Groups are those that the caller may use, and namespaces, as in acme:*; nil:
// all.
func (c Caller) Groups() []string {
	if c.key.Admin {
		return nil
	}
	return append([]string{}, c.key.Groups...)
}

// Within is which groups the caller may list: of one namespace, or those that
// the key names.
func (c Caller) Within() service.Within {
	groups := c.Groups()
	if len(groups) == 1 {
		if namespace, ok := graph.NamespaceOf(groups[0]); ok {
			return service.Within{Namespace: namespace}
		}
	}
	return service.Within{Among: groups}
}

type callerKey struct{}

// CallerOf is who made the request behind [Server.Protect].
func CallerOf(ctx context.Context) Caller {
	caller, _ := ctx.Value(callerKey{}).(Caller)
	return caller
}

// Protect lets those in who have an API key, as often as it allows, and gives
// them the memory as [Server.ClientOf] has it.
func (s *Server) Protect(next http.Handler) http.Handler {
	follow := s.following(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, err := s.authenticate(r)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		noteCaller(r.Context(), caller.ID)
		if wait := s.limits.take(caller.ID); wait > 0 {
			w.Header().Set("Retry-After", seconds(wait))
			WriteProblem(w, http.StatusTooManyRequests, "this key makes more requests than it may; wait as long as Retry-After says")
			return
		}
		bound, err := s.bind(r.WithContext(context.WithValue(r.Context(), callerKey{}, caller)), caller)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		follow.ServeHTTP(w, bound)
	})
}

func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if !errors.Is(err, errNoKey) && !errors.Is(err, service.ErrNoAPIKey) {
		s.log.ErrorContext(r.Context(), "caller not let in", "error", err)
		ProblemOf(err).write(w)
		return
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="annals"`)
	detail := "there is no such key, or it was revoked or has expired; 'annals keys create' makes one"
	if errors.Is(err, errNoKey) {
		detail = "send an API key as Authorization: Bearer KEY; 'annals keys create' makes one"
	}
	WriteProblem(w, http.StatusUnauthorized, detail)
}

var errNoKey = errors.New("the request has no key")

func (s *Server) authenticate(r *http.Request) (Caller, error) {
	secret := secretOf(r)
	if secret == "" {
		return Caller{}, errNoKey
	}
	if caller, ok := s.static(secret); ok {
		return caller, nil
	}
	key, err := service.New(s.options.Client).Authenticate(r.Context(), secret)
	return Caller{ID: key.ID.String(), key: key, known: err == nil}, err
}

// secretOf reads the key of a request: Authorization with the scheme Bearer, or
// Api-Key as Zep's clients send it, else X-API-Key.
func secretOf(r *http.Request) string {
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") || strings.EqualFold(scheme, "Api-Key") {
		return strings.TrimSpace(secret)
	}
	return r.Header.Get("X-API-Key")
}

// static finds a key that the operator set. All are compared, each in the same
// time, so that how long it takes says nothing about them.
func (s *Server) static(secret string) (Caller, bool) {
	hash := sha256.Sum256([]byte(secret))
	var caller Caller
	for _, k := range s.options.Keys {
		if subtle.ConstantTimeCompare(hash[:], k.hash[:]) == 1 {
			caller = Caller{ID: k.Name, known: true, key: service.APIKey{Admin: len(k.Groups) == 0, Groups: k.Groups}}
		}
	}
	return caller, caller.known
}
