package modeltest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
)

// Client returns an HTTP client whose requests reach a handler without a
// network, whatever address they are for. Retries and limits are tested with it
// under testing/synctest, in no time.
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

// broken is where a connection ends too early.
type broken struct{}

// Read fails as a broken connection does.
func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
