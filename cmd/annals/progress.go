package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress is a line that shows the progress of some work and redraws itself.
type progress struct {
	to    io.Writer
	what  string
	of    int64 // the total; 0: unknown
	show  func(int64) string
	began time.Time

	mu    sync.Mutex
	done  int64
	drawn time.Time
}

const (
	redrawn   = 100 * time.Millisecond // the shortest time between two drawings
	clearLine = "\r\x1b[K"
)

func (p *printer) progress(what string, of int64, show func(int64) string) *progress {
	return &progress{to: p.watched(), what: what, of: of, show: show, began: time.Now()}
}

func plain(n int64) string { return fmt.Sprint(n) }

func (p *progress) add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += int64(n)
	now := time.Now()
	if now.Sub(p.drawn) < redrawn {
		return
	}
	p.drawn = now
	line := p.what + " " + p.show(p.done)
	if p.of > 0 {
		line += " of " + p.show(p.of)
	}
	speed := p.show(int64(float64(p.done) / max(now.Sub(p.began).Seconds(), 1)))
	_, _ = fmt.Fprintf(p.to, "%s%s, %s a second", clearLine, line, speed) // a failure to draw is ignored
}

// finish removes the line.
func (p *progress) finish() { _, _ = io.WriteString(p.to, clearLine) }
