package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
)

// The names of memory operations in OpenTelemetry's semantic conventions for generative
// AI.
const (
	CreateMemory      = "create_memory"
	SearchMemory      = "search_memory"
	UpdateMemory      = "update_memory"
	DeleteMemory      = "delete_memory"
	CreateMemoryStore = "create_memory_store"
	DeleteMemoryStore = "delete_memory_store"
)

// Memory runs an operation on the memory of a group in a span of its own, which records
// the number of records.
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

// Several returns the length of a list, for [Memory].
func Several[T any](list []T) int { return len(list) }

// Counted returns a count unchanged, for [Memory].
func Counted(n int) int { return n }
