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

// timely limits how long the body of a request may take to arrive. The deadline is removed at the
// end of the body: after that the server reads only to notice that the caller disconnected. A
// deadline would look like that and cancel slow requests.
func timely(w http.ResponseWriter, r *http.Request, within time.Duration) {
	connection := http.NewResponseController(w)
	if r.Body != http.NoBody {
		_ = connection.SetReadDeadline(time.Now().Add(within)) // the writer of a test may not support it
	}
	r.Body = &timelyBody{r.Body, connection}
}

type timelyBody struct {
	io.ReadCloser
	connection *http.ResponseController
}

// Read removes the deadline at the end of the body. After any other error the deadline stays:
// otherwise the server would wait without end for the rest of a stalled body after the request.
func (b *timelyBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}

// BodyTimeout returns how long a body, or each part of a stream, may take to arrive.
func (s *Server) BodyTimeout() time.Duration { return s.options.BodyTimeout }

// stalled returns the problem for a body that stopped arriving. Its deadline has passed, so the
// server does not wait for the rest before it answers.
func (s *Server) stalled() *Problem {
	return NewProblem(http.StatusRequestTimeout, fmt.Sprintf(
		"the body did not come: the whole has to within %s, its first %d KiB within %s, and each %d KiB after them within %s",
		s.options.BodyTimeout, firstPortion>>10, min(firstWait, s.options.BodyTimeout), nextPortion>>10, min(portionWait, s.options.BodyTimeout)))
}

// ReadJSON decodes the body of a request and ignores unknown fields. An empty body leaves the value
// unchanged.
func ReadJSON(r *http.Request, into any) error {
	text, err := ReadBody(r)
	if err != nil || text == nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return graph.Invalid("body", "is not what this route takes: %v", err)
	}
	return FitText("body", text)
}

// FitText refuses valid JSON with escapes that no text in the database can hold.
func FitText(field string, text []byte) error {
	if unfit := escapes.Unfit(text); unfit != "" {
		return graph.Invalid(field, "%s", unfit)
	}
	return nil
}

// ReadBody reads the body of a request; nil if it is empty.
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
