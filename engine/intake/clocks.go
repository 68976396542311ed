package intake

import (
	"context"
	"fmt"
	"time"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/calendar"
)

// onClocks reads the times of episodes without a zone in the zones of their groups. notes holds
// remarks on ambiguous times, by the index of the episode.
func onClocks(ctx context.Context, q *db.Queries, episodes []graph.Episode) (read []graph.Episode, notes map[int]string, err error) {
	var groups []string
	for _, e := range episodes {
		if e.OccurredAt.Location() == calendar.Unzoned || e.ExpiresAt.Location() == calendar.Unzoned {
			groups = append(groups, e.GroupID)
		}
	}
	if groups == nil {
		return episodes, nil, nil
	}
	zones, err := zonesOf(ctx, q, groups)
	if err != nil || len(zones) == 0 {
		return episodes, nil, err
	}
	read, notes = append(read, episodes...), map[int]string{}
	for i := range read {
		e := &read[i]
		zone, ok := zones[e.GroupID]
		if !ok {
			continue
		}
		var note string
		e.ExpiresAt, _ = calendar.InZone(e.ExpiresAt, zone)
		if e.OccurredAt, note = calendar.InZone(e.OccurredAt, zone); note != "" {
			notes[i] = note
		}
	}
	return read, notes, nil
}

func zonesOf(ctx context.Context, q *db.Queries, groups []string) (map[string]*time.Location, error) {
	rows, err := q.GroupZones(ctx, groups)
	if err != nil {
		return nil, fmt.Errorf("read the time zones of groups: %w", err)
	}
	zones := map[string]*time.Location{}
	for _, row := range rows {
		if zones[row.GroupID], err = time.LoadLocation(row.TimeZone); err != nil {
			return nil, fmt.Errorf("the time zone of group %s: %w", row.GroupID, err)
		}
	}
	return zones, nil
}

// OnClocks reads a time without a zone in the zone of the group.
func OnClocks(ctx context.Context, q *db.Queries, groupID string, at *time.Time) error {
	if at.Location() != calendar.Unzoned {
		return nil
	}
	zones, err := zonesOf(ctx, q, []string{groupID})
	if zone := zones[groupID]; zone != nil {
		*at, _ = calendar.InZone(*at, zone)
	}
	return err
}
