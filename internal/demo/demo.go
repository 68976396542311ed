// Package demo feeds the sample conversation to a memory as if it had been learned over
// time: each message at its time of arrival.
package demo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/testdata"
)

// message is an episode with its time of arrival.
type message struct {
	annals.Episode
	arrived time.Time
}

// Tell adds the messages to a group and reads each as of its arrival. Messages that
// exist already are not added again. It calls read for each message that was read.
func Tell(ctx context.Context, client *annals.Client, group string, read func(annals.Processed)) (added, existing int, err error) {
	messages, err := conversation(group)
	if err != nil {
		return 0, 0, err
	}
	for _, m := range messages {
		stored, err := client.Add(ctx, m.Episode)
		if err != nil {
			return added, existing, err
		}
		if !stored.New {
			existing++
			continue
		}
		added++
		if err := client.Process(db.LearnedAt(ctx, m.arrived), group, read); err != nil {
			return added, existing, err
		}
	}
	return added, existing, nil
}

// conversation returns the messages in order of arrival.
func conversation(group string) ([]message, error) {
	var all []message
	for line := range bytes.Lines(testdata.Conversation) {
		input, err := graph.ParseEpisode(bytes.TrimSpace(line), graph.EpisodeInput{})
		if err != nil {
			return nil, err
		}
		episode, err := input.Episode(group)
		if err != nil {
			return nil, err
		}
		var late struct {
			ArrivedAt time.Time `json:"arrived_at"`
		}
		if err := json.Unmarshal([]byte(cmp.Or(string(episode.Metadata), "{}")), &late); err != nil {
			return nil, err
		}
		all = append(all, message{episode, cmp.Or(late.ArrivedAt, episode.OccurredAt)})
	}
	each.Sort(all, func(a, b message) int { return a.arrived.Compare(b.arrived) })
	return all, nil
}
