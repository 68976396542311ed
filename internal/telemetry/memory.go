package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
)

// What operations on a memory are called in OpenTelemetry's semantic conventions for
// generative AI.
const (
	CreateMemory      = "create_memory"
	SearchMemory      = "search_memory"
	UpdateMemory      = "update_memory"
	DeleteMemory      = "delete_memory"
	CreateMemoryStore = "create_memory_store"
	DeleteMemoryStore = "delete_memory_store"
)

// Memory does an operation on the memory of a group within a span of its own, which tells
// of how many records it was.
func Memory[T any](ctx context.Context, operation, groupID string, records func(T) int, do func(context.Context) (T, error)) (T, error) {
	ctx, span := Start(ctx, operation,
		attribute.String("gen_ai.operation.name", operation), attribute.String("gen_ai.provider.name", "annals"),
		attribute.String("gen_ai.memory.store.id", groupID))
	done, err := do(ctx)
	if err == nil && span.IsRecording() {
		span.SetAttributes(attribute.Int("gen_ai.memory.record.count", records(done)))
	}
	End(span, err)
	return done, err
}

// Several is the count of a list.
func Several[T any](list []T) int { return len(list) }

// Counted is the count that is returned.
func Counted(n int) int { return n }
