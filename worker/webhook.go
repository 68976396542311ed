package worker

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/internal/webhook"
)

// webhookArgs names a delivery. Database triggers write it.
type webhookArgs struct {
	GroupID    string    `json:"group_id"`
	DeliveryID uuid.UUID `json:"delivery_id"`
}

// Kind returns River's name of the job.
func (webhookArgs) Kind() string { return "webhook" }

// webhookWorker delivers messages to webhooks.
type webhookWorker struct {
	river.WorkerDefaults[webhookArgs]
	worker *worker
	sender *webhook.Sender
}

// webhookWaits are the waits after each attempt: ten attempts in about two days. The database gives
// a job as many.
var webhookWaits = []time.Duration{
	10 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// NextRetry returns when the delivery is tried again.
func (d *webhookWorker) NextRetry(job *river.Job[webhookArgs]) time.Time {
	waits := d.worker.options.WebhookWaits
	return time.Now().Add(waits[min(max(job.Attempt, 1), len(waits))-1])
}

// Timeout bounds one attempt, with the update of its delivery.
func (*webhookWorker) Timeout(*river.Job[webhookArgs]) time.Duration { return time.Minute }

// Work tries to deliver the message of a job.
func (d *webhookWorker) Work(ctx context.Context, job *river.Job[webhookArgs]) error {
	q := d.worker.queries
	delivery, err := q.DeliveryGet(ctx, db.DeliveryGetParams{GroupID: job.Args.GroupID, ID: job.Args.DeliveryID})
	if errors.Is(err, pgx.ErrNoRows) { // it was removed, or ended before its job
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the delivery: %w", err)
	}
	status, sent := d.sender.Send(ctx, webhook.Message{
		ID: job.Args.DeliveryID.String(), URL: delivery.Url, Secret: delivery.Secret, Payload: []byte(delivery.Payload),
	})
	note := db.DeliveryAttemptedParams{GroupID: job.Args.GroupID, ID: job.Args.DeliveryID, State: "delivered", Status: db.Nullable(int32(status))}
	if sent != nil {
		note.State, note.Error = "waiting", db.Nullable(sent.Error())
		if job.Attempt >= job.MaxAttempts || status == http.StatusGone {
			note.State = "failed"
		}
	}
	if err := q.DeliveryAttempted(ctx, note); err != nil {
		return fmt.Errorf("note the attempt: %w", err)
	}
	if note.State == "failed" {
		d.worker.log.WarnContext(ctx, "webhook not delivered", "group", job.Args.GroupID, "delivery", job.Args.DeliveryID, "error", sent)
		return river.JobCancel(errors.New("not delivered"))
	}
	if sent != nil {
		return errors.New("not delivered; the delivery says why") // the queue stores no details
	}
	return nil
}
