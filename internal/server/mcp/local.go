package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// local is the memory of the user who started the process: every group that the client reaches.
type local struct {
	client *annals.Client
	group  string
	log    *slog.Logger

	read    func(groupID string) // reads the group's pending episodes into the graph
	readers sync.WaitGroup
	mu      sync.Mutex
	reading map[string]bool // groups that are being read; true: more episodes came meanwhile
}

// Serve serves one host over in and out, one JSON message per line, until in or ctx ends. It reads
// new episodes in the background, and first those that an earlier run left in o.Group. When in
// ends, it finishes reading all accepted episodes. When ctx ends, it leaves them to the next run.
func Serve(ctx context.Context, client *annals.Client, o Options, in io.ReadCloser, out io.WriteCloser) error {
	o = o.withDefaults()
	ctx = graph.WithOrigin(ctx, graph.Origin{Door: "mcp", Key: graph.OriginOf(ctx).Key}.Capped(graph.AuthorityAssistant))
	l := &local{client: client, group: o.Group, log: o.Log, reading: map[string]bool{}}
	l.read = func(groupID string) { l.process(ctx, groupID) }
	defer l.readers.Wait()
	if _, err := client.EpisodeCounts(ctx, o.Group); err != nil {
		return err // fail before a host waits for an answer
	}
	l.readLater(o.Group)
	answers := &oneByOne{to: out}
	err := newDoor(l, o).sdk.Run(ctx, &sdk.IOTransport{Reader: newLines(in, answers, o.Log), Writer: answers, MaxLineLength: -1})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (l *local) fallback(context.Context) string { return l.group }

func (l *local) over(context.Context, []string) (*annals.Client, error) { return l.client, nil }

func (l *local) groups(ctx context.Context, after string) ([]annals.Group, error) {
	return l.client.Groups(ctx, annals.GroupFilter{After: after, Limit: groupsAtOnce})
}

// add stores an episode, which this process then reads.
func (l *local) add(ctx context.Context, c *annals.Client, e annals.Episode) (annals.Stored, error) {
	stored, err := c.Add(ctx, e)
	if err == nil {
		l.readLater(e.GroupID)
	}
	return stored, err
}

// readLater starts a goroutine that reads a group's new episodes, unless one already reads the
// group.
func (l *local) readLater(groupID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, busy := l.reading[groupID]
	l.reading[groupID] = busy
	if busy {
		return
	}
	l.readers.Go(func() {
		for more := true; more; more = l.again(groupID) {
			l.read(groupID)
		}
	})
}

// again reports whether more episodes came while the group was read. If not, it ends the reading.
func (l *local) again(groupID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reading[groupID] {
		l.reading[groupID] = false
		return true
	}
	delete(l.reading, groupID)
	return false
}

func (l *local) process(ctx context.Context, groupID string) {
	err := l.client.Process(ctx, groupID, func(p annals.Processed) {
		if p.Err != nil {
			l.log.WarnContext(ctx, "episode not read; it is kept, and 'annals retry' tries again", "group", groupID, "episode", p.Episode.ID, "error", p.Err)
		}
	})
	if err != nil && ctx.Err() == nil {
		l.log.ErrorContext(ctx, "reading stopped; it goes on with the next episode", "group", groupID, "error", err)
	}
}
