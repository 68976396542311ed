package worker

import "context"

// What tests set beside what [Options] have.
type Settings = settings

const Stopping = stopping

// Made is a worker that is yet to run.
type Made struct{ *worker }

// New is a worker with settings.
func New(o Settings) (Made, error) {
	w, err := prepare(o)
	return Made{w}, err
}

// Run works until ctx ends.
func (m Made) Run(ctx context.Context) error { return m.run(ctx) }
