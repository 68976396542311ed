package modeltest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/annalsdb/annals/model"
)

// embed answers with the vectors of the hash embedder in reverse order, which
// the protocol allows.
func (s *Server) embed(w http.ResponseWriter, r *http.Request, body []byte) {
	var sent struct {
		Model      string          `json:"model"`
		Input      json.RawMessage `json:"input"`
		Dimensions int             `json:"dimensions"`
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	texts := []string{}
	if json.Unmarshal(sent.Input, &texts) != nil {
		texts = []string{textOf(sent.Input)}
	}
	request := s.remember(Request{Texts: texts, Model: sent.Model, Body: bytes.Clone(body)})
	s.mu.Lock()
	script := s.embedding
	s.mu.Unlock()
	var reply Reply
	if script != nil {
		reply = script(request)
	}
	vectors, err := vectorsOf(r, texts, cmp.Or(sent.Dimensions, 384))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.send(w, r, reply, embeddingsOf(request, vectors))
}

func vectorsOf(r *http.Request, texts []string, dimensions int) ([][]float32, error) {
	e, err := model.NewHashEmbedder(dimensions)
	if err != nil {
		return nil, err
	}
	return e.Embed(r.Context(), texts)
}

func embeddingsOf(request Request, vectors [][]float32) map[string]any {
	var data []any
	tokens := 0
	for i, vector := range vectors {
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": vector})
		tokens += len(request.Texts[i]) / 4
	}
	slices.Reverse(data)
	return map[string]any{
		"object": "list", "model": request.Model, "data": data,
		"usage": map[string]int{"prompt_tokens": tokens, "total_tokens": tokens},
	}
}
