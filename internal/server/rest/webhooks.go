package rest

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

// newWebhook describes a webhook to create.
type newWebhook struct {
	URL    string          `json:"url" minLength:"1" maxLength:"2048" doc:"https, of a public address, unless the operator allows others" example:"https://example.com/hook"`
	Events []service.Event `json:"events,omitempty" maxItems:"10" enum:"episode.processed,episode.failed,batch.completed" doc:"What to be told of; left out: all"`
}

// Hook is a webhook.
type Hook struct {
	ID        uuid.UUID       `json:"id" format:"uuid"`
	URL       string          `json:"url"`
	Events    []service.Event `json:"events" enum:"episode.processed,episode.failed,batch.completed"`
	CreatedAt time.Time       `json:"created_at"`
}

// madeWebhook is a new webhook with its secret, which is shown only once.
type madeWebhook struct {
	Hook
	Secret string `json:"secret" doc:"What deliveries are signed with (Standard Webhooks); it cannot be read again"`
}

type webhookList struct {
	Webhooks []Hook `json:"webhooks"`
}

type deliveryJSON struct {
	ID          uuid.UUID     `json:"id" format:"uuid" doc:"Its webhook-id"`
	Event       service.Event `json:"event" enum:"episode.processed,episode.failed,batch.completed"`
	EpisodeID   *uuid.UUID    `json:"episode_id,omitempty" format:"uuid" doc:"The episode it is about; left out: several"`
	State       string        `json:"state" enum:"waiting,delivered,failed" doc:"waiting: it is tried, or tried again; failed: it is not tried any more"`
	Attempts    int           `json:"attempts"`
	Status      int           `json:"status,omitempty" doc:"Of HTTP, of the last answer; left out: there was none"`
	Error       string        `json:"error,omitempty" doc:"Why the last attempt failed"`
	CreatedAt   time.Time     `json:"created_at"`
	AttemptedAt *time.Time    `json:"attempted_at,omitempty"`
}

type deliveryList struct {
	Deliveries []deliveryJSON `json:"deliveries"`
}

// OneWebhook identifies a webhook in a path.
type OneWebhook struct {
	InGroup
	Webhook uuid.UUID `path:"webhook" format:"uuid"`
}

func (a *api) webhooks() {
	const all, one = "/v1/groups/{group}/webhooks", "/v1/groups/{group}/webhooks/{webhook}"
	tags := []string{"webhooks"}
	add(a, op("create-webhook", "POST", all, tags, "Be told of what becomes of episodes",
		"What is sent is signed by the scheme of Standard Webhooks. The answer has the secret for that, this once.").answering(http.StatusCreated), a.createWebhook)
	add(a, op("list-webhooks", "GET", all, tags, "List the webhooks of a group"),
		func(ctx context.Context, in *InGroup) (*body[webhookList], error) {
			webhooks, err := a.service(ctx).Webhooks(ctx, in.Group)
			return answer(webhookList{each.Of(webhooks, webhookView)}, err)
		})
	add(a, op("get-webhook", "GET", one, tags, "Get a webhook"),
		func(ctx context.Context, in *OneWebhook) (*body[Hook], error) {
			w, err := a.service(ctx).Webhook(ctx, in.Group, in.Webhook)
			return answer(webhookView(w), err)
		})
	add(a, op("update-webhook", "PUT", one, tags, "Give a webhook another URL and other events", "Its secret stays."), a.updateWebhook)
	addWithHeaders(a, op("delete-webhook", "DELETE", one, tags, "Remove a webhook").answering(http.StatusNoContent),
		func(ctx context.Context, in *OneWebhook) (*struct{}, error) {
			return nil, a.service(ctx).DeleteWebhook(ctx, in.Group, in.Webhook)
		})
	add(a, op("list-deliveries", "GET", one+"/deliveries", tags, "List what a webhook was told in the last week, and is to be, the latest first"), a.listDeliveries)
}

func (a *api) createWebhook(ctx context.Context, in *toGroup[newWebhook]) (*body[madeWebhook], error) {
	secret, made, err := a.service(ctx).CreateWebhook(ctx, service.WebhookSpec{GroupID: in.Group, URL: in.Body.URL, Events: in.Body.Events})
	return answer(madeWebhook{webhookView(made), secret}, err)
}

func (a *api) updateWebhook(ctx context.Context, in *struct {
	OneWebhook
	Body newWebhook
},
) (*body[Hook], error) {
	w, err := a.service(ctx).UpdateWebhook(ctx, in.Webhook, service.WebhookSpec{GroupID: in.Group, URL: in.Body.URL, Events: in.Body.Events})
	return answer(webhookView(w), err)
}

func (a *api) listDeliveries(ctx context.Context, in *struct {
	OneWebhook
	Limit int `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many at the most"`
},
) (*body[deliveryList], error) {
	deliveries, err := a.service(ctx).Deliveries(ctx, in.Group, in.Webhook, in.Limit)
	return answer(deliveryList{each.Of(deliveries, deliveryView)}, err)
}

func webhookView(w service.Webhook) Hook {
	return Hook{ID: w.ID, URL: w.URL, Events: some(w.Events), CreatedAt: w.CreatedAt}
}

func deliveryView(d service.Delivery) deliveryJSON {
	view := deliveryJSON{
		ID: d.ID, Event: d.Event, State: d.State, Attempts: d.Attempts, Status: d.Status, Error: d.Error, CreatedAt: d.CreatedAt,
		AttemptedAt: orNull(d.AttemptedAt),
	}
	if d.EpisodeID != uuid.Nil {
		view.EpisodeID = &d.EpisodeID
	}
	return view
}
