package annals

import (
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
)

// DiffJSON is a [Diff] as every door shows it.
type DiffJSON struct {
	From     time.Time          `json:"from"`
	To       time.Time          `json:"to"`
	Facts    []FactChangeJSON   `json:"facts"`
	Entities []EntityChangeJSON `json:"entities"`
}

// FactChangeJSON is a [FactChange] as every door shows it.
type FactChangeJSON struct {
	Change    string          `json:"change" enum:"added,ended,changed,withdrawn"`
	Before    *graph.FactJSON `json:"before,omitempty" doc:"Left out: it was not believed then"`
	After     *graph.FactJSON `json:"after,omitempty" doc:"Left out: it is no longer believed"`
	ChangedAt time.Time       `json:"changed_at"`
	CausedBy  []uuid.UUID     `json:"caused_by" doc:"The episodes behind the last change; none: made by hand"`
}

// EntityChangeJSON is an [EntityChange] as every door shows it.
type EntityChangeJSON struct {
	Change     string            `json:"change" enum:"added,renamed,summary,changed,merged,removed"`
	Before     *graph.EntityJSON `json:"before,omitempty" doc:"Left out: it was not known then"`
	After      *graph.EntityJSON `json:"after,omitempty" doc:"Left out: it is gone"`
	MergedInto *uuid.UUID        `json:"merged_into,omitempty" format:"uuid"`
	ChangedAt  time.Time         `json:"changed_at"`
	CausedBy   []uuid.UUID       `json:"caused_by" doc:"The episodes behind the last change; none: made by hand"`
}

// JSON is the difference between the two times as every door shows it.
func (d Diff) JSON() DiffJSON {
	out := DiffJSON{From: d.From, To: d.To, Facts: make([]FactChangeJSON, len(d.Facts)), Entities: make([]EntityChangeJSON, len(d.Entities))}
	for i, c := range d.Facts {
		out.Facts[i] = c.json()
	}
	for i, c := range d.Entities {
		out.Entities[i] = c.json()
	}
	return out
}

func (c FactChange) json() FactChangeJSON {
	return FactChangeJSON{
		Change: c.Change, Before: viewed(c.Before, Fact.JSON), After: viewed(c.After, Fact.JSON), ChangedAt: c.ChangedAt,
		CausedBy: append([]uuid.UUID{}, c.CausedBy...),
	}
}

func (c EntityChange) json() EntityChangeJSON {
	out := EntityChangeJSON{
		Change: c.Change, Before: viewed(c.Before, Entity.JSON), After: viewed(c.After, Entity.JSON), ChangedAt: c.ChangedAt,
		CausedBy: append([]uuid.UUID{}, c.CausedBy...),
	}
	if c.MergedInto != uuid.Nil {
		out.MergedInto = &c.MergedInto
	}
	return out
}

// viewed is the view of what may be missing.
func viewed[Row, View any](row *Row, view func(Row) View) *View {
	if row == nil {
		return nil
	}
	v := view(*row)
	return &v
}
