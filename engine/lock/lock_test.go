package lock

import (
	"context"
	"errors"
	"testing"
	"time"
)

// After the pooler was full, no more groups are taken than were at work then, and one more from
// time to time.
func TestPlacesAreAsManyAsThereIsRoomFor(t *testing.T) {
	t.Parallel()
	p, now := newPlaces(), time.Now()
	free := func() bool { return p.tryTake(now) == nil }
	for i := range maxGroups {
		if !free() {
			t.Fatalf("place %d is not free", i)
		}
	}
	if free() {
		t.Fatal("one more than maxGroups is free")
	}
	for range maxGroups - 3 {
		p.leave(false, now)
	}
	p.leave(true, now) // the third found the pooler full
	if free() {
		t.Error("a third place is free at once")
	}
	now = now.Add(oneMoreIn + time.Second)
	if !free() || free() {
		t.Error("after a while there is not one place more")
	}
	for range 3 {
		p.leave(true, now)
	}
	if !free() || free() {
		t.Error("of a full pooler not one place is left")
	}
}

// Who waits for a turn stops waiting when told to.
func TestATurnIsWaitedFor(t *testing.T) {
	t.Parallel()
	var turns Turns
	stop := make(chan struct{})
	done, err := turns.Take(t.Context(), "g", true, nil)
	if err != nil {
		t.Fatal(err)
	}
	taken := make(chan error, 1)
	go func() {
		_, err := turns.Take(t.Context(), "g", true, stop)
		taken <- err
	}()
	close(stop)
	if err := <-taken; !errors.Is(err, ErrBusy) {
		t.Errorf("who is told to stop gets %v", err)
	}
	if _, err := turns.Take(t.Context(), "g", false, nil); !errors.Is(err, ErrBusy) {
		t.Errorf("who does not wait gets %v", err)
	}
	done()
	if _, err := turns.Take(t.Context(), "g", false, nil); err != nil {
		t.Errorf("the turn that was passed on: %v", err)
	}
}

func TestAPlaceIsWaitedFor(t *testing.T) {
	t.Parallel()
	p, stop := newPlaces(), make(chan struct{})
	for range maxGroups {
		if err := p.take(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	taken := make(chan error, 1)
	go func() { taken <- p.take(t.Context(), stop) }()
	p.leave(false, time.Now())
	if err := <-taken; err != nil {
		t.Errorf("who waits for a place gets %v", err)
	}
	go func() { taken <- p.take(t.Context(), stop) }()
	close(stop)
	if err := <-taken; !errors.Is(err, ErrBusy) {
		t.Errorf("who is told to stop gets %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := p.take(ended, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("who is cancelled gets %v", err)
	}
}
