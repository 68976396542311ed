package annals

import (
	"context"

	"go.opentelemetry.io/otel/attribute"

	"github.com/annalsdb/annals/internal/telemetry"
)

// What operations on a memory are called in OpenTelemetry's semantic conventions for
// generative AI.
const (
	createMemory      = "create_memory"
	searchMemory      = "search_memory"
	updateMemory      = "update_memory"
	deleteMemory      = "delete_memory"
	createMemoryStore = "create_memory_store"
	deleteMemoryStore = "delete_memory_store"
)

// traced does an operation on the memory of a group within a span of its own, which tells
// of how many records it was.
func traced[T any](ctx context.Context, operation, groupID string, records func(T) int, do func(context.Context) (T, error)) (T, error) {
	ctx, span := telemetry.Start(ctx, operation,
		attribute.String("gen_ai.operation.name", operation), attribute.String("gen_ai.provider.name", "annals"),
		attribute.String("gen_ai.memory.store.id", groupID))
	done, err := do(ctx)
	if err == nil && span.IsRecording() {
		span.SetAttributes(attribute.Int("gen_ai.memory.record.count", records(done)))
	}
	telemetry.End(span, err)
	return done, err
}

// tracedAdd adds episodes within such a span. They may be of several groups: it names the
// first.
func tracedAdd(ctx context.Context, episodes []Episode, do func(context.Context) ([]Stored, error)) ([]Stored, error) {
	group := ""
	if len(episodes) > 0 {
		group = episodes[0].GroupID
	}
	return traced(ctx, createMemory, group, several, do)
}

// hits is how many a search found.
func hits(r Result) int {
	return len(r.Facts) + len(r.Entities) + len(r.Episodes) + len(r.Communities) + len(r.Observations) + len(r.Threads)
}

// one is the count of what is one record.
func one[T any](T) int { return 1 }

// several is the count of a list.
func several[T any](list []T) int { return len(list) }
