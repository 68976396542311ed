package annals

import (
	"context"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
)

// Usage counts the calls of one model with one prompt.
type Usage struct {
	Kind         string  `json:"kind" doc:"chat, embedding or rerank"`
	Prompt       string  `json:"prompt"`
	Model        string  `json:"model"`
	Calls        int     `json:"calls" doc:"That reached the model"`
	Cached       int     `json:"cached" doc:"Answered at no cost"`
	Repairs      int     `json:"repairs"` // calls that asked to correct a previous answer
	Failed       int     `json:"failed"`
	InputTokens  int     `json:"input_tokens"`
	OutputTokens int     `json:"output_tokens"`
	Cost         float64 `json:"cost" doc:"US dollars, of the calls whose price is known"`
	Unpriced     int     `json:"unpriced" doc:"Calls whose price is not known"`
}

// Usage returns what a group has cost so far, by prompt and model.
func (c *Client) Usage(ctx context.Context, groupID string) ([]Usage, error) {
	rows, err := query(ctx, c, groupID, func(ctx context.Context, q *db.Queries) ([]db.ModelUsageRow, error) {
		return q.ModelUsage(ctx, groupID)
	}, "read what %s cost", groupID)
	return each.Of(rows, func(row db.ModelUsageRow) Usage {
		return Usage{
			Kind: row.Kind, Prompt: row.Prompt, Model: row.Model, Calls: int(row.Calls), Cached: int(row.Cached),
			Repairs: int(row.Repairs), Failed: int(row.Failed), InputTokens: int(row.InputTokens),
			OutputTokens: int(row.OutputTokens), Cost: row.Cost, Unpriced: int(row.Unpriced),
		}
	}), err
}

// ledger returns the ledger of model calls, which also passes them to Config.Calls.
func (c *Client) ledger() model.Ledger {
	ledger := analyst.NewLedger(c.pool)
	if c.config.Calls == nil {
		return ledger
	}
	return toldLedger{ledger, c.config.Calls}
}

type toldLedger struct {
	model.Ledger
	tell func(model.Call)
}

func (l toldLedger) Record(ctx context.Context, call model.Call) error {
	l.tell(call)
	return l.Ledger.Record(ctx, call)
}
