package model_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// rerankServer scores a text by its length, 0.01 per byte, and answers in
// reverse order, unless its script says otherwise.
type rerankServer struct {
	script func(rerankAsked) rerankReply

	mu    sync.Mutex
	calls []rerankAsked
}

// rerankAsked is a request that the server received.
type rerankAsked struct {
	address, key string
	n            int // which request it is, from 1
	body         map[string]any
	query        string
	texts        []string
}

// rerankReply is the server's reaction; the zero reply returns scores.
type rerankReply struct {
	status int         // other than 200
	header http.Header // beside the usual
	body   string      // in place of the scores
	hang   bool        // until the client gives up
}

func (s *rerankServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked, err := s.read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var reply rerankReply
	if s.script != nil {
		reply = s.script(asked)
	}
	if reply.hang {
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	}
	for name, values := range reply.header {
		w.Header()[name] = values
	}
	if reply.status != 0 {
		w.WriteHeader(reply.status)
	}
	if reply.body == "" {
		reply.body = scored(asked, func(text string) float64 { return float64(len(text)) / 100 })
	}
	_, _ = io.WriteString(w, reply.body)
}

func (s *rerankServer) read(r *http.Request) (rerankAsked, error) {
	asked := rerankAsked{address: r.URL.String(), key: r.Header.Get("Authorization")}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return asked, err
	}
	var sent struct {
		Query            string
		Texts, Documents []string
	}
	if err := errors.Join(json.Unmarshal(body, &asked.body), json.Unmarshal(body, &sent)); err != nil {
		return asked, err
	}
	asked.query, asked.texts = sent.Query, append(sent.Texts, sent.Documents...)
	s.mu.Lock()
	defer s.mu.Unlock()
	asked.n = len(s.calls) + 1
	s.calls = append(s.calls, asked)
	return asked, nil
}

// scored returns the answer in the form of the requested provider.
func scored(asked rerankAsked, score func(string) float64) string {
	results := []map[string]any{}
	for i, text := range asked.texts {
		name := "relevance_score"
		if asked.body["texts"] != nil {
			name = "score"
		}
		results = append(results, map[string]any{"index": i, name: score(text)})
	}
	slices.Reverse(results)
	var answer any = map[string]any{"results": results}
	if asked.body["texts"] != nil {
		answer = results
	}
	encoded, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// sizes returns the number of texts of each request.
func (s *rerankServer) sizes() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []int
	for _, call := range s.calls {
		all = append(all, len(call.texts))
	}
	return all
}

var rerankServers atomic.Int64

// openReranker opens a reranker on a scripted in-process server with an address
// of its own, so that tests can use virtual time even if it is opened outside
// of the bubble.
func openReranker(t *testing.T, c model.RerankerConfig, script func(rerankAsked) rerankReply) (*model.ServedReranker, *rerankServer) {
	t.Helper()
	s := &rerankServer{script: script}
	c.HTTPClient = modeltest.Client(s)
	c.BaseURL = fmt.Sprintf("http://reranker-%d.test/v1", rerankServers.Add(1))
	if c.Model == "" {
		c.Model = "rerank:scripted"
	}
	r, err := model.OpenReranker(c)
	if err != nil {
		t.Fatal(err)
	}
	return r, s
}
