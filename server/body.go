package server

import (
	"io"
	"net/http"
	"time"
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

// Read removes the deadline at the end of the body.
func (b *timelyBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		_ = b.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}
