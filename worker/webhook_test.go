package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/prompts"
	"github.com/annalsdb/annals/worker"
)

// receiver is a program that receives webhooks.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	verify  *standardwebhooks.Webhook // written by the authors of the scheme
	refuse  int                       // the number of requests to answer with 500
	ids     []string
	events  []string
	wrongly []error
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	err = errors.Join(err, r.verify.Verify(body, request.Header))
	var event struct {
		Type      string
		Timestamp time.Time
		Data      struct {
			GroupID string `json:"group_id"`
		}
	}
	if err = errors.Join(err, json.Unmarshal(body, &event)); err != nil || event.Data.GroupID != "g" || event.Timestamp.IsZero() {
		r.wrongly = append(r.wrongly, errors.Join(err, errors.New(string(body))))
	}
	r.ids, r.events = append(r.ids, request.Header.Get("webhook-id")), append(r.events, event.Type)
	if r.refuse > 0 {
		r.refuse--
		w.WriteHeader(http.StatusInternalServerError)
	}
}

func (w *world) client(insecure bool) *annals.Client {
	w.t.Helper()
	client := clienttest.Open(w.t, annals.Config{DatabaseURL: w.pool.Config().ConnString(), InsecureWebhooks: insecure})
	return client
}

const delivered = "SELECT count(*) FROM annals.webhook_deliveries WHERE state = 'delivered'"

// Outcomes of episodes are delivered with a signature that others can verify, and again with the
// same id if the receiver refused them.
func TestWebhooksAreTold(t *testing.T) {
	t.Parallel()
	w, r := newWorld(t), newReceiver(t)
	client := w.client(true)
	if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "g"}); err != nil {
		t.Fatal(err)
	}
	secret, hook, err := service.New(client).CreateWebhook(t.Context(), service.WebhookSpec{GroupID: "g", URL: r.URL + "/hook"})
	if err != nil {
		t.Fatal(err)
	}
	if r.verify, err = standardwebhooks.NewWebhook(secret); err != nil {
		t.Fatal(err)
	}
	r.refuse = 1
	stored, err := client.AddAll(t.Context(), []annals.Episode{
		{GroupID: "g", Actor: "Alice", Content: "I live in Paris."}, {GroupID: "g", Content: "poison"},
	})
	if err != nil {
		t.Fatal(err)
	}
	batch := service.Upload{ID: uuid.Must(uuid.NewV7()), First: stored[0].ID, Last: stored[1].ID, Episodes: 2}
	if err := service.New(client).CompleteUpload(t.Context(), "g", batch); err != nil {
		t.Fatal(err)
	}
	w.start(worker.Settings{InsecureWebhooks: true, WebhookWaits: []time.Duration{time.Millisecond}}, func(_ context.Context, in prompts.ExtractEntities) error {
		if in.Episode.Content == "poison" {
			return errors.New("it cannot be read")
		}
		return nil
	})
	w.until(3, delivered)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.wrongly) > 0 {
		t.Errorf("not what was to come: %v", errors.Join(r.wrongly...))
	}
	seen := map[string]int{}
	for _, event := range r.events {
		seen[event]++
	}
	again := 0
	for _, n := range ids(r.ids) {
		again += n - 1
	}
	if len(r.events) != 4 || again != 1 || seen["episode.processed"] < 1 || seen["episode.failed"] < 1 || seen["batch.completed"] < 1 {
		t.Errorf("told of %v under the ids %v, want each event once and one of them again", r.events, r.ids)
	}
	deliveries, err := service.New(client).Deliveries(t.Context(), "g", hook.ID, 0)
	if err != nil || len(deliveries) != 3 {
		t.Fatalf("%d deliveries (%v), want 3", len(deliveries), err)
	}
	attempts := 0
	for _, d := range deliveries {
		attempts += d.Attempts
		if d.State != "delivered" || d.Status != http.StatusOK || (d.EpisodeID == uuid.Nil) != (d.Event == service.EventBatchCompleted) {
			t.Errorf("the list has %+v", d)
		}
	}
	if attempts != 4 {
		t.Errorf("%d attempts are noted, want 4", attempts)
	}
	if err := service.New(client).DeleteWebhook(t.Context(), "g", hook.ID); err != nil {
		t.Fatal(err)
	}
	w.add("g", "I live in Rome.")
	w.until(2, done)
	if n := w.count("SELECT count(*) FROM annals.webhook_deliveries"); n != 0 {
		t.Errorf("%d deliveries of a webhook that is no more", n)
	}
}

func ids(all []string) map[string]int {
	n := map[string]int{}
	for _, id := range all {
		n[id]++
	}
	return n
}

// Nothing is delivered to a name or address in a private network unless the operator allows it:
// neither when the webhook is created nor later.
func TestWebhooksStayOutOfPrivateNetworks(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	w, r := newWorld(t), newReceiver(t)
	client := w.client(false)
	if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "g"}); err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{r.URL, "https://127.0.0.1/", "https://[::1]/", "https://10.1.2.3/", "https://169.254.169.254/", "http://example.com/", "ftp://example.com/"} {
		if _, _, err := service.New(client).CreateWebhook(t.Context(), service.WebhookSpec{GroupID: "g", URL: url}); annals.CodeOf(err) != annals.CodeInvalid {
			t.Errorf("%s: %v, want it refused", url, err)
		}
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(r.URL, "http://"), ":")
	_, hook, err := service.New(client).CreateWebhook(t.Context(), service.WebhookSpec{GroupID: "g", URL: "https://localhost:" + port + "/"})
	if err != nil { // the name is not resolved yet
		t.Fatal(err)
	}
	w.start(worker.Settings{WebhookWaits: []time.Duration{time.Millisecond}}, nothing)
	w.add("g", "I live in Paris.")
	w.until(1, "SELECT count(*) FROM annals.webhook_deliveries WHERE state = 'failed'")
	deliveries, err := service.New(client).Deliveries(t.Context(), "g", hook.ID, 0)
	if err != nil || len(deliveries) != 1 || !strings.Contains(deliveries[0].Error, "private network") || deliveries[0].Attempts != 10 {
		t.Errorf("deliveries %+v (%v), want one that failed ten times for where it leads", deliveries, err)
	}
	if diff := cmp.Diff(0, len(r.events)); diff != "" {
		t.Error("the receiver was told all the same")
	}
}
