package bench

import (
	"context"
	"encoding/json"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

func TestServe(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	url, key := pgtest.New(t), "a-key-for-the-benchmark"
	client := clienttest.Open(t, annals.Config{DatabaseURL: url})
	keys, err := server.ParseKeys(key)
	if err != nil {
		t.Fatal(err)
	}
	door := server.New(server.Options{Client: client, Keys: keys})
	rest.Mount(door, rest.Options{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- door.Run(ctx, listener) }()
	options := ServeOptions{
		Options: Options{DatabaseURL: url, Sample: "People remember people: people forget.", Facts: []int{60}, Budget: 100 * time.Millisecond},
		URL:     "http://" + listener.Addr().String(), Key: key, Clients: 2, Lines: 5,
	}
	report, err := Serve(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Phases) != 4 || report.Memory == 0 {
		t.Fatalf("%d phases, %d bytes resident", len(report.Phases), report.Memory)
	}
	for i, each := range []int{1, 1, 1, 5} {
		if p := report.Phases[i]; p.Requests == 0 || p.Items != each*p.Requests || p.P50 <= 0 || p.Rate <= 0 {
			t.Errorf("%+v: that is no measurement of requests with %d items", p, each)
		}
	}
	waiting, err := service.New(client).Queue(t.Context())
	if want := report.Phases[2].Items + report.Phases[3].Items; err != nil || waiting.Episodes != want {
		t.Errorf("%d episodes wait (%v), want the %d that were added", waiting.Episodes, err, want)
	}
	if table := report.Markdown(); !strings.Contains(table, "| hybrid search of facts |") {
		t.Errorf("the table lacks a line:\n%s", table)
	}
	if _, err := json.Marshal(report); err != nil {
		t.Errorf("no JSON: %v", err)
	}
	options.Key = "wrong"
	if _, err := Serve(t.Context(), options); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("with a wrong key: %v", err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
