package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/slow"
)

// answering serves do behind the limits on bodies, and returns its address.
func answering(t *testing.T, do http.HandlerFunc) string {
	t.Helper()
	keys, err := server.ParseKeys("a-static-key-of-all")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: open(t), Keys: keys})
	refuse := func(w http.ResponseWriter, _ *http.Request, p *server.Problem) { p.Write(w) }
	s.Handle("/", s.Protect("test", graph.AuthorityPerson, s.Bounded(server.LimitByPath(1<<20), refuse, do)))
	listening := httptest.NewServer(s.Handler())
	t.Cleanup(listening.Close)
	return listening.URL
}

// send posts a body of a size, and returns the status and the answer.
func send(ctx context.Context, url string, body io.Reader, size int) (int, string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	if err != nil {
		return 0, "", err
	}
	r.ContentLength = int64(size)
	r.Header.Set("Authorization", "Bearer a-static-key-of-all")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	return response.StatusCode, string(said), err
}

// A handler may take longer than the time limit for a portion of the body, whatever the length of
// the body, also if the body ends at a portion.
func TestSlowAnswersToBodiesOfAnyLength(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	url := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/anew" { // as huma does
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(time.Second))
			_, _ = io.Copy(io.Discard, r.Body)
		}
		select {
		case <-r.Context().Done():
			http.Error(w, "it was given up", http.StatusServiceUnavailable)
		case <-time.After(5 * time.Second):
			fmt.Fprint(w, "done")
		}
	})
	for _, path := range []string{"/", "/anew"} {
		for _, size := range []int{4095, 4096, 4097, 4096 + 12<<10, 4096 + 64<<10, 4096 + 192<<10} {
			t.Run(fmt.Sprint(path, size), func(t *testing.T) {
				t.Parallel()
				status, said, err := send(t.Context(), url+path, strings.NewReader(strings.Repeat(" ", size)), size)
				if status != http.StatusOK || said != "done" {
					t.Errorf("the answer is %d %s %v", status, said, err)
				}
			})
		}
	}
}

// slowly returns up to 1,000 bytes each quarter of a second: 4 KB a second.
type slowly struct{ left int }

func (s *slowly) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	time.Sleep(time.Second / 4)
	n := min(len(p), 1000, s.left)
	copy(p, strings.Repeat(" ", n))
	s.left -= n
	return n, nil
}

func TestSlowLinesAreQuickEnough(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	const size = 24_000
	url := answering(t, func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, n, err)
	})
	status, said, err := send(t.Context(), url, &slowly{left: size}, size)
	if status != http.StatusOK || said != "24000 <nil>" {
		t.Errorf("the answer is %d %s %v", status, said, err)
	}
}
