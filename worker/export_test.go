package worker

import "context"

// Settings are [Options] with the fields that only tests set.
type Settings = settings

const Stopping = stopping

// Made is a worker that does not run yet.
type Made struct{ *worker }

// New makes a worker with settings.
func New(o Settings) (Made, error) {
	w, err := prepare(o)
	return Made{w}, err
}

// Run works until ctx ends.
func (m Made) Run(ctx context.Context) error { return m.run(ctx) }
