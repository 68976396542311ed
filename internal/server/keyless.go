package server

import (
	"context"
	"net"
	"net/http"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// local is the caller of requests from this machine that need no key.
var local = Caller{ID: "local", known: true, key: service.APIKey{Admin: true, Rights: service.RightsErase, Authority: graph.AuthorityUser}}

// ProtectFromAfar is [Server.Protect] for clients that cannot send a key: a
// request without one is admitted where a program on this machine sends it. It is
// for services that listen on the loopback interface alone.
//
// Browsers run programs of others on this machine. So a request that a page sent,
// one under a name that somebody else may have pointed here, and one that a proxy
// passed on, need a key.
func (s *Server) ProtectFromAfar(door string, most graph.Authority, next http.Handler) http.Handler {
	protected := s.Protect(door, most, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fromHere(r) {
			r = r.WithContext(context.WithValue(r.Context(), localKey{}, true))
		}
		protected.ServeHTTP(w, r)
	})
}

type localKey struct{}

// fromAfar are headers of requests that carry a key, that a page sent, or that a
// proxy passed on.
var fromAfar = []string{
	"Authorization", "X-API-Key", "Origin", "Referer", "Sec-Fetch-Site", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via",
}

// fromHere reports whether a program on this machine sent a request that no other
// made it send.
func fromHere(r *http.Request) bool {
	for _, name := range fromAfar {
		if _, ok := r.Header[http.CanonicalHeaderKey(name)]; ok {
			return false
		}
	}
	sender, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && isLoopback(sender) && isLoopback(hostOf(r.Host))
}

// hostOf is the host of a Host header, without its port.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return host
	}
	return strings.Trim(header, "[]")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") || ip != nil && ip.IsLoopback()
}

// calledHere refuses requests under a name of somebody else, where the service is
// for this machine alone. The operator allows the name under which a proxy offers the
// service as an origin. Over TLS no other name has our certificate. Who names no host, as
// health checks in HTTP/1.0 do, is no browser.
func (s *Server) calledHere(next http.Handler) http.Handler {
	if !s.options.ThisMachine || s.options.TLS != nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "" && !isLoopback(hostOf(r.Host)) && !s.AllowsOrigin("https://"+r.Host) && !s.AllowsOrigin("http://"+r.Host) {
			WriteProblem(w, http.StatusForbidden, "this service is for programs on its own machine; ask it as 127.0.0.1, or name the origin of the proxy before it: 'annals serve --cors-origins'")
			return
		}
		next.ServeHTTP(w, r)
	})
}
