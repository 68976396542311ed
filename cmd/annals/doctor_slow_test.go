package main

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A slow model, within ANNALS_LLM_TIMEOUT, does not count as broken, and does not shorten the time
// of other checks.
func TestDoctorWaitsForSlowModels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context) error {
			select {
			case <-time.After(119 * time.Second): // an attempt has 120 s by default
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		began := time.Now()
		for _, check := range askModels(t.Context(), []modelAsked{{"ANNALS_LLM", "a", slow}, {"ANNALS_SMALL_LLM", "b", slow}, {"ANNALS_EMBEDDER", "c", slow}}) {
			if check.State != checkFine {
				t.Errorf("%+v", check)
			}
		}
		if took := time.Since(began); took > 2*time.Minute {
			t.Errorf("they were asked one after another, for %s", took)
		}
	})
}
