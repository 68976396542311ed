package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/slow"
)

// Uploads with a valid key stall after their headers or midway. They are answered with an error and
// their connections closed; meanwhile other requests, even with the same key, are answered.
func TestStalledUploadsAreClosed(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	const stalls = 50
	keys, err := server.ParseKeys("a-static-key-of-all,alice=a-static-key-of-alice")
	if err != nil {
		t.Fatal(err)
	}
	s := server.New(server.Options{Client: open(t), Keys: keys, BodyTimeout: 2 * time.Second})
	rest.Mount(s, rest.Options{})
	listening := httptest.NewServer(s.Handler())
	defer listening.Close()

	closed := make(chan error, stalls)
	for i := range stalls {
		// The part of a body that is sent, and the length of the whole.
		sent, kind := "", "application/json"
		switch i % 3 {
		case 1:
			sent = `{"content": "` + strings.Repeat("I live in Paris. ", 400)
		case 2:
			sent, kind = `{"content": "I live in Paris."}`+"\n", "application/x-ndjson"
		}
		go func() { closed <- stall(t.Context(), listening.Listener.Addr().String(), kind, sent) }()
	}
	slowest := time.Duration(0)
	answered := 0
	for stalled := stalls; stalled > 0; {
		select {
		case err := <-closed:
			stalled--
			if err != nil {
				t.Error(err)
			}
		case <-time.After(50 * time.Millisecond):
			for _, key := range []string{"a-static-key-of-all", "a-static-key-of-alice"} {
				began := time.Now()
				if status, err := put(t.Context(), listening.URL, key, answered); status != http.StatusAccepted {
					t.Fatalf("a sender with the key %s is answered %d (%v)", key, status, err)
				}
				slowest, answered = max(slowest, time.Since(began)), answered+1
			}
		}
	}
	t.Logf("%d uploads stalled; %d others were answered meanwhile, the slowest within %s", stalls, answered, slowest)
	if answered < 4 {
		t.Errorf("only %d others were sent meanwhile", answered)
	}
}

// stall sends the headers of an upload and a part of its body. It fails unless the answer is 408
// and the connection is then closed.
func stall(ctx context.Context, address, kind, sent string) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := fmt.Fprintf(conn, "POST /v1/groups/alice/episodes HTTP/1.1\r\nHost: annals\r\nAuthorization: Bearer a-static-key-of-all\r\n"+
		"Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind, len(sent)+10_000, sent); err != nil {
		return err
	}
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	reader := bufio.NewReader(conn)
	response, err := http.ReadResponse(reader, nil)
	if err != nil {
		return fmt.Errorf("%s of %d bytes is not answered: %w", kind, len(sent), err)
	}
	said, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if response.StatusCode != http.StatusRequestTimeout {
		return fmt.Errorf("%s of %d bytes is answered %d, want 408: %s", kind, len(sent), response.StatusCode, said)
	}
	if _, err := reader.ReadByte(); err != io.EOF {
		return fmt.Errorf("the connection of %s of %d bytes stays open: %v", kind, len(sent), err) //nolint:errorlint // the other error says nothing
	}
	return nil
}

func put(ctx context.Context, url, key string, number int) (int, error) {
	body := fmt.Sprintf(`{"content": "I live in Paris, in house %d."}`, number)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/groups/alice/episodes", strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode, response.Body.Close()
}
