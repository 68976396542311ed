package worker

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"
)

// The log of a service leaves out River's chatter and the work that a stop cuts short. It holds
// real errors.
func TestRiverIsQuiet(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	plain := &slog.HandlerOptions{Level: slog.LevelInfo, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}
	log := slog.New(quiet{slog.NewTextHandler(&out, plain)}).With("by", "river")
	log.Info("producer: job counts")
	log.Error("no transaction", "error", fmt.Errorf("begin: %w", context.Canceled))
	log.Error("no transaction", "error", "connection refused")
	log.Warn("slow")
	const want = "level=ERROR msg=\"no transaction\" by=river error=\"connection refused\"\nlevel=WARN msg=slow by=river\n"
	if out.String() != want {
		t.Errorf("the log has\n%s, want\n%s", &out, want)
	}
}
