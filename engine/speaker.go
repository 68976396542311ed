package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/intake"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/prompts"
)

// settings reads the settings of the group and applies them to the episodes.
func (w *walk) settings(ctx context.Context, d *draft) error {
	s, err := intake.SettingsOf(ctx, db.New(w.store), d.groupID)
	if err != nil {
		return err
	}
	d.ontology, d.zone, d.user, d.holds = s.Ontology, s.Zone, s.User, s.Holds
	d.episodes = slices.Clone(d.episodes)
	for i := range d.episodes {
		d.heard(&d.episodes[i])
	}
	return nil
}

// heard sets the time of an episode to the clock of the group. In the memory of a user, every
// message of the role user is by that user. Another name that the message gives becomes an alias.
func (d *draft) heard(e *graph.Episode) {
	e.OccurredAt = e.OccurredAt.In(d.zone)
	if d.user == "" || e.Role != "user" || e.Source != graph.SourceMessage {
		return
	}
	if called := e.Actor; called != "" && !strings.EqualFold(called, d.user) {
		d.called = append(d.called, called)
	}
	e.Actor = d.user
}

// machines are the roles of speakers who are not people.
var machines = []string{"assistant", "system", "tool", "function"}

// speakers returns the speakers of a part of the text.
func (d *draft) speakers(p part) []prompts.ExtractedEntity {
	speakers := []prompts.ExtractedEntity{{Name: p.input.Speaker}}
	for i, m := range p.input.Window {
		speakers = append(speakers, prompts.ExtractedEntity{Name: m.Speaker, Messages: []int{i + 1}})
	}
	for i := range speakers {
		if strings.EqualFold(speakers[i].Name, d.user) {
			speakers[i].Aliases = d.called
		}
	}
	return speakers
}

// leaveOutMachines drops the names of assistants and tools that only speak: no fact is about them,
// and no other message names them.
func leaveOutMachines(_ context.Context, d *draft) error {
	needed := func(place int) bool {
		n := d.names[place]
		if slices.ContainsFunc(d.statements, func(s statement) bool { return s.source == place || s.target == place }) {
			return true
		}
		return slices.ContainsFunc(n.episodes, func(i int) bool {
			e := d.episodes[i]
			return !slices.Contains(machines, e.Role) || !strings.EqualFold(e.Speaker(), n.Name)
		})
	}
	places := map[int]int{} // new places by old
	names, vectors := d.names[:0:0], d.nameVectors[:0:0]
	for place, n := range d.names {
		if !needed(place) {
			d.drop(stepExtractEntities, n.Name, "it is no person, and no fact is about it", n.episodes)
			continue
		}
		places[place] = len(names)
		names, vectors = append(names, n), append(vectors, d.nameVectors[place])
	}
	if len(names) == len(d.names) {
		return nil
	}
	d.names, d.nameVectors = names, vectors
	for i := range d.statements {
		s := &d.statements[i]
		s.source, s.target = places[s.source], places[s.target]
	}
	for i := range d.parts {
		kept := slices.DeleteFunc(d.parts[i].names, func(place int) bool { _, ok := places[place]; return !ok })
		d.parts[i].names = each.Of(kept, func(place int) int { return places[place] })
	}
	return nil
}
