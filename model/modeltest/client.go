package modeltest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
)

// Client returns an HTTP client that passes every request to a handler without
// a network, whatever its address. Under testing/synctest, retries and limits
// then take no real time.
func Client(h http.Handler) *http.Client { return &http.Client{Transport: inProcess{h}} }

type inProcess struct{ handler http.Handler }

// RoundTrip answers a request without a network.
func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	aborted := make(chan bool, 1)
	go func() {
		defer func() { aborted <- recover() != nil }()
		p.handler.ServeHTTP(recorder, r)
	}()
	if !<-aborted {
		return recorder.Result(), nil
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	response := recorder.Result()
	response.Body = io.NopCloser(io.MultiReader(bytes.NewReader(recorder.Body.Bytes()), broken{}))
	return response, nil
}

// broken is the end of an interrupted body.
type broken struct{}

// Read fails like an interrupted connection.
func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
