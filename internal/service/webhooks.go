package service

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/webhook"
)

// Event is something that webhooks are notified of.
type Event string

// The events.
const (
	EventEpisodeProcessed Event = "episode.processed" // it came into the graph
	EventEpisodeFailed    Event = "episode.failed"    // it could not be read, and waits for a retry
	EventBatchCompleted   Event = "batch.completed"   // the last of episodes that came together was read, or failed
)

// Events lists all events.
func Events() []Event { return []Event{EventEpisodeProcessed, EventEpisodeFailed, EventBatchCompleted} }

// MaxWebhooks is how many webhooks a group may have.
const MaxWebhooks = 20

// Webhook is an address that is notified over HTTP of what becomes of a group's
// episodes. Deliveries are signed as Standard Webhooks are.
type Webhook struct {
	ID        uuid.UUID
	URL       string
	Events    []Event
	CreatedAt time.Time
}

// WebhookSpec says where deliveries go, and which events cause them.
type WebhookSpec struct {
	GroupID string
	URL     string  // https, of a public address, unless Config.InsecureWebhooks
	Events  []Event // none: all
}

// Delivery is one notification of a webhook.
type Delivery struct {
	ID          uuid.UUID
	Event       Event
	EpisodeID   uuid.UUID // nil: it is about several
	State       string    // waiting, delivered, failed
	Attempts    int
	Status      int    // of HTTP, of the last answer; zero: there was none
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

// CreateWebhook makes a webhook and returns the secret that signs its deliveries,
// as the libraries of Standard Webhooks take it. The secret cannot be read again.
// It fails with [annals.CodeNotFound] where the group does not exist.
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
		return "", Webhook{}, &annals.Error{Code: annals.CodeConflict, Field: "group", Message: fmt.Sprintf("has %d webhooks, the most there may be", len(there))}
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it never fails
	made = Webhook{ID: uuid.Must(uuid.NewV7()), URL: spec.URL, Events: spec.Events}
	created, err := by(ctx, s, func(q *db.Queries) (time.Time, error) {
		return q.WebhookInsert(ctx, db.WebhookInsertParams{
			GroupID: spec.GroupID, ID: made.ID, Url: spec.URL, Events: words(spec.Events), Secret: key,
		})
	})
	if err != nil {
		return "", Webhook{}, fmt.Errorf("store a webhook: %w", err)
	}
	made.CreatedAt = created.UTC()
	return "whsec_" + base64.StdEncoding.EncodeToString(key), made, nil
}

func words(events []Event) []string {
	texts := make([]string, len(events))
	for i, e := range events {
		texts[i] = string(e)
	}
	return texts
}

func webhookOf(row db.WebhookRow) Webhook {
	w := Webhook{ID: row.ID, URL: row.Url, CreatedAt: row.CreatedAt.UTC()}
	for _, e := range row.Events {
		w.Events = append(w.Events, Event(e))
	}
	return w
}

// Webhooks lists the webhooks of a group, the oldest first.
func (s *Service) Webhooks(ctx context.Context, groupID string) ([]Webhook, error) {
	if err := s.admit(groupID); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).WebhookList(ctx, groupID)
	if err != nil {
		return nil, fmt.Errorf("list the webhooks of %s: %w", groupID, err)
	}
	webhooks := make([]Webhook, len(rows))
	for i, row := range rows {
		webhooks[i] = webhookOf(row)
	}
	return webhooks, nil
}

// Webhook returns one webhook of a group, or a [annals.CodeNotFound].
func (s *Service) Webhook(ctx context.Context, groupID string, id uuid.UUID) (Webhook, error) {
	if err := s.admit(groupID); err != nil {
		return Webhook{}, err
	}
	row, err := db.New(s.pool).WebhookGet(ctx, db.WebhookGetParams{GroupID: groupID, ID: id})
	return foundWebhook(row, err)
}

func foundWebhook(row db.WebhookRow, err error) (Webhook, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return Webhook{}, errNoWebhook
	}
	if err != nil {
		return Webhook{}, fmt.Errorf("read a webhook: %w", err)
	}
	return webhookOf(row), nil
}

var errNoWebhook = &annals.Error{Code: annals.CodeNotFound, Field: "webhook", Message: "the group has none with this id"}

// UpdateWebhook gives a webhook another URL and other events. Its secret stays.
func (s *Service) UpdateWebhook(ctx context.Context, id uuid.UUID, spec WebhookSpec) (Webhook, error) {
	if err := s.checkWebhook(&spec); err != nil {
		return Webhook{}, err
	}
	defer s.wrote(spec.GroupID)
	row, err := by(ctx, s, func(q *db.Queries) (db.WebhookRow, error) {
		return q.WebhookUpdate(ctx, db.WebhookUpdateParams{GroupID: spec.GroupID, ID: id, Url: spec.URL, Events: words(spec.Events)})
	})
	return foundWebhook(row, err)
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
	if err != nil {
		return fmt.Errorf("remove a webhook: %w", err)
	}
	if n == 0 {
		return errNoWebhook
	}
	return nil
}

// Deliveries lists the deliveries of a webhook, those that wait too, the latest
// first, at most limit: 1 to [annals.MaxRows]; zero: [annals.DefaultRows]. They
// are kept for a week.
func (s *Service) Deliveries(ctx context.Context, groupID string, id uuid.UUID, limit int) ([]Delivery, error) {
	most, err := graph.RowLimit(limit)
	if err != nil {
		return nil, err
	}
	if _, err := s.Webhook(ctx, groupID, id); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).DeliveryList(ctx, db.DeliveryListParams{GroupID: groupID, WebhookID: id, MaxRows: most})
	if err != nil {
		return nil, fmt.Errorf("list deliveries: %w", err)
	}
	deliveries := make([]Delivery, len(rows))
	for i, row := range rows {
		deliveries[i] = deliveryOf(row)
	}
	return deliveries, nil
}

func deliveryOf(row db.DeliveryListRow) Delivery {
	d := Delivery{ID: row.ID, Event: Event(row.Event), State: row.State, Attempts: int(row.Attempts), CreatedAt: row.CreatedAt.UTC()}
	if row.EpisodeID != nil {
		d.EpisodeID = *row.EpisodeID
	}
	if row.Status != nil {
		d.Status = int(*row.Status)
	}
	if row.Error != nil {
		d.Error = *row.Error
	}
	if row.AttemptedAt != nil {
		d.AttemptedAt = row.AttemptedAt.UTC()
	}
	return d
}

// Upload is a series of episodes that were added together, perhaps in several
// transactions.
type Upload struct {
	ID          uuid.UUID // its name in webhooks
	First, Last uuid.UUID // its episodes, in the order of their ids
	Episodes    int
}

// CompleteUpload declares an upload complete. Once all its episodes are read or
// failed, webhooks are notified with [EventBatchCompleted].
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
