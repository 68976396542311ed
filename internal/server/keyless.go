package server

import (
	"context"
	"net"
	"net/http"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// local is the caller of requests from this machine that need no API key.
var local = Caller{ID: "local", known: true, key: service.APIKey{Admin: true, Rights: service.RightsErase, Authority: graph.AuthorityUser}}

// ProtectFromAfar is [Server.Protect] for clients that cannot send an API key: a program on this
// machine needs none. Use it only for services that listen on the loopback interface alone.
//
// Browsers run foreign code on this machine. So a request still needs a key if a page sent it, if a
// proxy forwarded it, or if its Host is a name that others may have pointed at this machine.
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

// fromAfar lists headers of requests that carry a key, or that a page sent or a proxy forwarded.
var fromAfar = []string{
	"Authorization", "X-API-Key", "Origin", "Referer", "Sec-Fetch-Site", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via",
}

// fromHere reports whether a program on this machine sent the request on its own account.
func fromHere(r *http.Request) bool {
	for _, name := range fromAfar {
		if _, ok := r.Header[http.CanonicalHeaderKey(name)]; ok {
			return false
		}
	}
	sender, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && isLoopback(sender) && isLoopback(hostOf(r.Host))
}

// hostOf returns the host of a Host header without its port.
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

// calledHere refuses requests with a foreign Host if the service is only for this machine. The
// operator allows the name of a proxy as a CORS origin. Over TLS it does not apply: no other name
// has our certificate. Requests without a Host, such as health checks in HTTP/1.0, do not come from
// browsers.
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
