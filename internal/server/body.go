package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/escapes"
)

// timely limits how long the body of a request may take to arrive. The limit
// ends with the body: after it the server reads only to notice that the caller
// has left, and a deadline would look like that and cancel slow requests.
func timely(w http.ResponseWriter, r *http.Request, within time.Duration) {
	connection := http.NewResponseController(w)
	if r.Body != http.NoBody {
		_ = connection.SetReadDeadline(time.Now().Add(within)) // a test's writer may have none
	}
	r.Body = &timelyBody{r.Body, connection}
}

type timelyBody struct {
	io.ReadCloser
	connection *http.ResponseController
}

// Read removes the deadline at the end of the body. After any other error it
// stays: the rest of a body that stalled would be waited for without an end when
// the request is over.
func (b *timelyBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}

// BodyTimeout is how long a body may take to come, or each part of a stream.
func (s *Server) BodyTimeout() time.Duration { return s.options.BodyTimeout }

// stalled is the problem of a body that stopped coming. Its deadline has passed,
// so the rest is not waited for before this is answered.
func (s *Server) stalled() *Problem {
	return NewProblem(http.StatusRequestTimeout, fmt.Sprintf(
		"the body did not come: the whole has to within %s, its first %d KiB within %s, and each %d KiB after them within %s",
		s.options.BodyTimeout, firstPortion>>10, min(firstWait, s.options.BodyTimeout), nextPortion>>10, min(portionWait, s.options.BodyTimeout)))
}

// ReadJSON reads the body of a request, and ignores fields that are not known. An empty
// body is the zero value.
func ReadJSON[T any](r *http.Request) (T, error) {
	var in T
	text, err := ReadBody(r)
	if err != nil || text == nil {
		return in, err
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return in, graph.Invalid("body", "is not what this route takes: %v", err)
	}
	return in, FitText("body", text)
}

// FitText refuses valid JSON that escapes what no text can hold.
func FitText(field string, text []byte) error {
	if unfit := escapes.Unfit(text); unfit != "" {
		return graph.Invalid(field, "%s", unfit)
	}
	return nil
}

// ReadBody reads the body of a request; nil: it is empty.
func ReadBody(r *http.Request) ([]byte, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, graph.Invalid("body", "cannot be read to its end")
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	return text, nil
}
