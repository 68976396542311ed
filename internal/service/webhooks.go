package service

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/webhook"
)

// Event is an event that webhooks are notified of.
type Event string

// The events.
const (
	EventEpisodeProcessed Event = "episode.processed" // an episode was read into the graph
	EventEpisodeFailed    Event = "episode.failed"    // an episode could not be read, and waits for a retry
	EventBatchCompleted   Event = "batch.completed"   // the last episode of an upload was read, or failed
)

// Events lists all events.
func Events() []Event { return []Event{EventEpisodeProcessed, EventEpisodeFailed, EventBatchCompleted} }

// MaxWebhooks is how many webhooks a group may have.
const MaxWebhooks = 20

// Webhook is a URL that gets a POST when the state of a group's episodes changes. Deliveries are
// signed as in Standard Webhooks.
type Webhook struct {
	ID        uuid.UUID
	URL       string
	Events    []Event
	CreatedAt time.Time
}

// WebhookSpec describes a webhook to create or update.
type WebhookSpec struct {
	GroupID string
	URL     string  // https, of a public address, unless Config.InsecureWebhooks is set
	Events  []Event // none: all
}

// Delivery is one notification of a webhook.
type Delivery struct {
	ID          uuid.UUID
	Event       Event
	EpisodeID   uuid.UUID // nil: the event is about several
	State       string    // waiting, delivered or failed
	Attempts    int
	Status      int    // of the last HTTP response; zero: there was none
	Error       string // why the last attempt failed
	CreatedAt   time.Time
	AttemptedAt time.Time // zero: not yet
}

func (s *Service) checkWebhook(spec *WebhookSpec) error {
	if err := s.admit(spec.GroupID); err != nil {
		return err
	}
	if len(spec.Events) == 0 {
		spec.Events = Events()
	}
	for _, e := range spec.Events {
		if !slices.Contains(Events(), e) {
			return graph.Invalid("events", "has %q; there are %q", e, Events())
		}
	}
	slices.Sort(spec.Events)
	spec.Events = slices.Compact(spec.Events)
	return webhook.CheckURL(spec.URL, s.insecureWebhooks)
}

// CreateWebhook creates a webhook and returns the secret that signs its deliveries, in the format
// of the Standard Webhooks libraries. The secret cannot be read again. It fails with
// [annals.CodeNotFound] if there is no such group.
func (s *Service) CreateWebhook(ctx context.Context, spec WebhookSpec) (secret string, made Webhook, err error) {
	if err := s.checkWebhook(&spec); err != nil {
		return "", Webhook{}, err
	}
	defer s.wrote(spec.GroupID)
	if _, err := s.client.Group(ctx, spec.GroupID); err != nil {
		return "", Webhook{}, err
	}
	there, err := s.Webhooks(ctx, spec.GroupID)
	if err != nil {
		return "", Webhook{}, err
	}
	if len(there) >= MaxWebhooks {
		return "", Webhook{}, change.Conflict("group", "has %d webhooks, the most there may be", len(there))
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it never fails
	made = Webhook{ID: uuid.Must(uuid.NewV7()), URL: spec.URL, Events: spec.Events}
	created, err := by(ctx, s, func(q *db.Queries) (time.Time, error) {
		return q.WebhookInsert(ctx, db.WebhookInsertParams{
			GroupID: spec.GroupID, ID: made.ID, Url: spec.URL, Events: as[string](spec.Events), Secret: key,
		})
	})
	if err != nil {
		return "", Webhook{}, fmt.Errorf("store a webhook: %w", err)
	}
	made.CreatedAt = created.UTC()
	return "whsec_" + base64.StdEncoding.EncodeToString(key), made, nil
}

func webhookOf(row db.WebhookRow) Webhook {
	return Webhook{ID: row.ID, URL: row.Url, Events: as[Event](row.Events), CreatedAt: row.CreatedAt.UTC()}
}

// as converts strings to another type.
func as[To, From ~string](texts []From) []To {
	out := make([]To, len(texts))
	for i, t := range texts {
		out[i] = To(t)
	}
	return out
}

// Webhooks lists the webhooks of a group, the oldest first.
func (s *Service) Webhooks(ctx context.Context, groupID string) ([]Webhook, error) {
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).WebhookList(ctx, groupID)
	return listed(rows, err, webhookOf, "list the webhooks of %s", groupID)
}

// Webhook returns one webhook of a group. It fails with [annals.CodeNotFound] if there is none.
func (s *Service) Webhook(ctx context.Context, groupID string, id uuid.UUID) (Webhook, error) {
	if err := s.admit(groupID); err != nil {
		return Webhook{}, err
	}
	row, err := db.New(s.pool).WebhookGet(ctx, db.WebhookGetParams{GroupID: groupID, ID: id})
	return found(row, err, webhookOf, errNoWebhook, "read a webhook")
}

var errNoWebhook = change.NotFound("webhook", "the group has none with this id")

// UpdateWebhook replaces the URL and the events of a webhook. Its secret stays.
func (s *Service) UpdateWebhook(ctx context.Context, id uuid.UUID, spec WebhookSpec) (Webhook, error) {
	if err := s.checkWebhook(&spec); err != nil {
		return Webhook{}, err
	}
	defer s.wrote(spec.GroupID)
	row, err := by(ctx, s, func(q *db.Queries) (db.WebhookRow, error) {
		return q.WebhookUpdate(ctx, db.WebhookUpdateParams{GroupID: spec.GroupID, ID: id, Url: spec.URL, Events: as[string](spec.Events)})
	})
	return found(row, err, webhookOf, errNoWebhook, "change a webhook")
}

// DeleteWebhook removes a webhook and its waiting deliveries.
func (s *Service) DeleteWebhook(ctx context.Context, groupID string, id uuid.UUID) error {
	if err := s.admit(groupID); err != nil {
		return err
	}
	defer s.wrote(groupID)
	n, err := by(ctx, s, func(q *db.Queries) (int64, error) {
		return q.WebhookDelete(ctx, db.WebhookDeleteParams{GroupID: groupID, ID: id})
	})
	return changed(n, err, errNoWebhook, "remove a webhook")
}

// Deliveries lists the deliveries of a webhook, including waiting ones, the latest first. limit is
// 1 to [annals.MaxRows]; zero: [annals.DefaultRows]. Deliveries are kept for a week.
func (s *Service) Deliveries(ctx context.Context, groupID string, id uuid.UUID, limit int) ([]Delivery, error) {
	most, err := graph.RowLimit(limit)
	if err != nil {
		return nil, err
	}
	if _, err := s.Webhook(ctx, groupID, id); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).DeliveryList(ctx, db.DeliveryListParams{GroupID: groupID, WebhookID: id, MaxRows: most})
	return listed(rows, err, deliveryOf, "list deliveries")
}

func deliveryOf(row db.DeliveryListRow) Delivery {
	return Delivery{
		ID: row.ID, Event: Event(row.Event), EpisodeID: change.Value(row.EpisodeID), State: row.State, Attempts: int(row.Attempts), Status: int(change.Value(row.Status)),
		Error: change.Value(row.Error), CreatedAt: row.CreatedAt.UTC(), AttemptedAt: change.Value(row.AttemptedAt).UTC(),
	}
}

// Upload is a series of episodes that were added together, perhaps in several transactions.
type Upload struct {
	ID          uuid.UUID // identifies it in webhooks
	First, Last uuid.UUID // its first and last episode by id
	Episodes    int
}

// CompleteUpload declares an upload complete. Once all its episodes were read or failed, webhooks
// are notified with [EventBatchCompleted].
func (s *Service) CompleteUpload(ctx context.Context, groupID string, b Upload) error {
	if err := s.admit(groupID); err != nil {
		return err
	}
	if b.Episodes <= 0 {
		return graph.Invalid("episodes", "are %d; an upload has some", b.Episodes)
	}
	defer s.wrote(groupID)
	return wrap(db.InTx(ctx, s.pool, func(q *db.Queries) error {
		n, err := q.WebhookBatchInsert(ctx, db.WebhookBatchInsertParams{
			GroupID: groupID, ID: b.ID, FirstID: b.First, LastID: b.Last, Episodes: int32(b.Episodes),
		})
		if err != nil || n == 0 {
			return err
		}
		_, err = q.WebhookBatchesComplete(ctx, groupID)
		return err
	}), "end an upload")
}
