package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/annalsdb/annals/graph"
)

// checkTimeout is longer than the service needs to give up on its database.
const checkTimeout = 6 * time.Second

// ask checks whether the service on this machine is ready. It is the health check of a container,
// which has no curl.
func (s serving) ask(ctx context.Context) error {
	host, port, err := net.SplitHostPort(s.listen)
	if err != nil {
		return graph.Invalid("listen", "%q is not host:port", s.listen)
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "localhost"
	}
	scheme := "http"
	transport := &http.Transport{}
	if s.cert != "" { // the certificate names the public host, not this machine
		scheme, transport.TLSClientConfig = "https", &tls.Config{InsecureSkipVerify: true} //nolint:gosec // nothing is sent
	}
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("ask %s: %w", s.listen, err)
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return fmt.Errorf("nothing answers: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(io.LimitReader(response.Body, 1000)) // the body only adds detail
		return fmt.Errorf("it is not ready: %s", said)
	}
	return nil
}
