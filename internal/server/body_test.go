package server

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// The read deadline of a body does not limit the handler, with or without a body, and also if an
// inner handler sets the deadline again, as the interfaces do. The bare deadline would limit it.
func TestADeadlineOfTheBodyIsNoneOfTheAnswer(t *testing.T) {
	t.Parallel()
	const within = 20 * time.Millisecond
	passed := make(chan struct{})
	begun := make(chan struct{}, 3)
	mux := http.NewServeMux()
	mux.HandleFunc("/timely", func(w http.ResponseWriter, r *http.Request) {
		timely(w, r, within)
		if r.URL.Query().Has("anew") {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(within))
		}
		_, err := io.ReadAll(r.Body)
		begun <- struct{}{}
		<-passed
		if err = errors.Join(err, r.Context().Err()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	mux.HandleFunc("/bare", func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(within))
		<-r.Context().Done()
		close(passed)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	answers := make(chan string, 3)
	for _, ask := range []struct{ path, body string }{{"/timely", ""}, {"/timely", "{}"}, {"/timely?anew", "{}"}} {
		go func() {
			response, err := s.Client().Post(s.URL+ask.path, "text/plain", strings.NewReader(ask.body))
			if err != nil {
				answers <- err.Error()
				return
			}
			text, err := io.ReadAll(response.Body)
			answers <- string(text) + errorText(errors.Join(err, response.Body.Close()))
		}()
	}
	for range 3 {
		<-begun
	}
	if response, err := s.Client().Get(s.URL + "/bare"); err == nil {
		_ = response.Body.Close()
	}
	for range 3 {
		if said := <-answers; said != "" {
			t.Errorf("a request was given up: %s", said)
		}
	}
}

// The server does not wait for a body that does not arrive.
func TestABodyComesInTime(t *testing.T) {
	t.Parallel()
	read := make(chan error, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		timely(w, r, time.Millisecond)
		_, err := io.ReadAll(r.Body)
		read <- err
	}))
	defer s.Close()
	body, never := io.Pipe()
	go func() {
		response, err := s.Client().Post(s.URL, "text/plain", body)
		if err == nil {
			_ = response.Body.Close()
		}
	}()
	if err := <-read; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("reading it ended with %v", err)
	}
	_ = never.Close()
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
