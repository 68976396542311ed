package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/erasing"
	"github.com/annalsdb/annals/internal/service"
)

// Caller is the holder of an API key.
type Caller struct {
	ID    string // the id of a key, or the name of a configured one
	key   service.APIKey
	known bool
}

// Admin reports whether the caller may use all groups, and the routes about all of them.
func (c Caller) Admin() bool { return c.key.Admin }

// Opens reports whether the caller may use a group.
func (c Caller) Opens(groupID string) bool { return c.known && c.key.Opens(groupID) }

// Rights returns what the caller may do in the groups that the key opens.
func (c Caller) Rights() service.Rights { return c.key.Rights }

// Authority returns the highest authority with which the caller can write.
func (c Caller) Authority() graph.Authority { return c.key.Authority }

// May reports whether the caller has the rights that are needed.
func (c Caller) May(needed service.Rights) bool { return c.known && c.key.Rights.Allow(needed) }

// Require returns an error if the caller lacks the rights. A context without a caller, as in a
// program that runs in the same process, has all rights.
func Require(ctx context.Context, needed service.Rights) error {
	caller, ok := ctx.Value(callerKey{}).(Caller)
	if !ok || caller.May(needed) {
		return nil
	}
	return NewProblem(http.StatusForbidden, fmt.Sprintf("this key may %s, and this takes one that may %s; 'annals keys create --rights %s' makes one",
		mayOnly[caller.key.Rights], needed, needed))
}

var mayOnly = map[service.Rights]string{service.RightsRead: "only read", service.RightsWrite: "read and write"}

// NeededFor returns the rights that a request needs by its method, unless its route defines others.
func NeededFor(method string) service.Rights {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return service.RightsRead
	case http.MethodDelete:
		return service.RightsErase
	}
	return service.RightsWrite
}

// Groups returns the groups and namespaces, as in acme:*, that the caller may use; nil: all.
func (c Caller) Groups() []string {
	if c.key.Admin {
		return nil
	}
	return append([]string{}, c.key.Groups...)
}

// Within returns the groups that the caller may list.
func (c Caller) Within() service.Within { return service.Within{Among: c.Groups()} }

type callerKey struct{}

// CallerOf returns the caller of a request behind [Server.Protect].
func CallerOf(ctx context.Context) Caller {
	caller, _ := ctx.Value(callerKey{}).(Caller)
	return caller
}

// Protect admits requests with a valid API key, within its rate limit, and gives them the client
// that [Server.ClientOf] returns. Their writes are recorded with the door, and have at most the
// authority most.
func (s *Server) Protect(door string, most graph.Authority, next http.Handler) http.Handler {
	return s.ProtectWith(door, most, func(w http.ResponseWriter, _ *http.Request, p *Problem) { p.Write(w) }, next)
}

// ProtectWith is [Server.Protect] for an interface with its own form of errors.
func (s *Server) ProtectWith(door string, most graph.Authority, refuse Refuse, next http.Handler) http.Handler {
	follow := s.following(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, err := s.authenticate(r)
		if err != nil {
			refuse(w, r, s.notLetIn(w, r, err))
			return
		}
		noteCaller(r.Context(), caller.ID)
		if wait := s.limits.take(caller.ID); wait > 0 {
			w.Header().Set("Retry-After", seconds(wait))
			refuse(w, r, NewProblem(http.StatusTooManyRequests, "this key makes more requests than it may; wait as long as Retry-After says"))
			return
		}
		ctx := graph.WithOrigin(context.WithValue(r.Context(), callerKey{}, caller), graph.Origin{Door: door, Key: caller.ID, Cap: caller.key.Authority}.Capped(most))
		if !caller.May(service.RightsErase) {
			ctx = erasing.Forbid(ctx)
		}
		bound, err := s.bind(r.WithContext(ctx), caller)
		if err != nil {
			refuse(w, r, s.notLetIn(w, r, err))
			return
		}
		follow.ServeHTTP(w, bound)
	})
}

// notLetIn returns the problem for a caller that is not admitted.
func (s *Server) notLetIn(w http.ResponseWriter, r *http.Request, err error) *Problem {
	if !errors.Is(err, errNoKey) && !errors.Is(err, service.ErrNoAPIKey) {
		s.log.ErrorContext(r.Context(), "caller not let in", "error", err)
		return ProblemOf(err)
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="annals"`)
	detail := "there is no such key, or it was revoked or has expired; 'annals keys create' makes one"
	if errors.Is(err, errNoKey) {
		detail = "send an API key as Authorization: Bearer KEY; 'annals keys create' makes one"
	}
	return NewProblem(http.StatusUnauthorized, detail)
}

var errNoKey = errors.New("the request has no key")

func (s *Server) authenticate(r *http.Request) (Caller, error) {
	if here, _ := r.Context().Value(localKey{}).(bool); here {
		return local, nil
	}
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

// secretOf returns the API key of a request: Authorization with the scheme Bearer, or Api-Key as
// Zep's clients send it, else X-API-Key.
func secretOf(r *http.Request) string {
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") || strings.EqualFold(scheme, "Api-Key") {
		return strings.TrimSpace(secret)
	}
	return r.Header.Get("X-API-Key")
}

// static looks up a configured key. It compares all of them in constant time, so that the time
// reveals nothing.
func (s *Server) static(secret string) (Caller, bool) {
	hash := sha256.Sum256([]byte(secret))
	var caller Caller
	for _, k := range s.options.Keys {
		if subtle.ConstantTimeCompare(hash[:], k.hash[:]) == 1 {
			caller = Caller{ID: k.Name, known: true, key: service.APIKey{
				Admin: len(k.Groups) == 0, Groups: k.Groups, Rights: k.Rights, Authority: k.Authority,
			}}
		}
	}
	return caller, caller.known
}
