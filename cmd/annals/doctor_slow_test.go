package main

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A model that takes its time, within what ANNALS_LLM_TIMEOUT grants it, is not broken,
// and one that is slow takes no time from the others.
func TestDoctorWaitsForSlowModels(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context) error {
			select {
			case <-time.After(119 * time.Second): // a try has 120 s where nothing is set
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
