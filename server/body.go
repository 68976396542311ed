package server

import (
	"io"
	"net/http"
	"time"
)

// timely has the body of a request come within a time. Only the body: once all
// of it is there, what the server still reads for is whether the caller has
// gone, and a deadline that passed meanwhile would look like that and give up
// whatever takes longer.
func timely(w http.ResponseWriter, r *http.Request, within time.Duration) {
	connection := http.NewResponseController(w)
	if r.Body != http.NoBody {
		_ = connection.SetReadDeadline(time.Now().Add(within)) // not every writer of a test can
	}
	r.Body = &timelyBody{r.Body, connection}
}

type timelyBody struct {
	io.ReadCloser
	connection *http.ResponseController
}

// Read takes the deadline away, whoever set it, where no more is to come.
func (b *timelyBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		_ = b.connection.SetReadDeadline(time.Time{})
	}
	return n, err
}
