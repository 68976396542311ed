package worker

import (
	"context"
	"log/slog"
	"strings"
)

// quiet is the log handler for River. It lowers River's info messages, which come every few
// seconds, to debug. Background queries that a stopping worker cancels are not logged as errors
// either.
type quiet struct{ slog.Handler }

func (h quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return h.Handler.Enabled(ctx, lowered(level))
}

func (h quiet) Handle(ctx context.Context, r slog.Record) error {
	r.Level = lowered(r.Level)
	r.Attrs(func(a slog.Attr) bool {
		if strings.HasSuffix(a.Value.String(), context.Canceled.Error()) {
			r.Level = slog.LevelDebug
		}
		return true
	})
	if !h.Handler.Enabled(ctx, r.Level) {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

func (h quiet) WithAttrs(attributes []slog.Attr) slog.Handler {
	return quiet{h.Handler.WithAttrs(attributes)}
}

func (h quiet) WithGroup(name string) slog.Handler { return quiet{h.Handler.WithGroup(name)} }

func lowered(level slog.Level) slog.Level {
	if level == slog.LevelInfo {
		return slog.LevelDebug
	}
	return level
}
