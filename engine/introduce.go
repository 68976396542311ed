package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/engine/wording"
)

// namedPredicate is the predicate of a fact that says what somebody is called.
const namedPredicate = "NAMED"

// parting separates two speakers who used the same role in two conversations.
type parting struct{ from, into *change.Entity }

// findSpeakers finds the entity that speaks by each role of this conversation. A speaker who gave
// her name in another conversation is not meant, unless all conversations are those of one user. It
// also renames entities that are named after a role: once the user is known as Ana, "User's mother"
// is "Ana's mother".
func (w *walk) findSpeakers(ctx context.Context, d *draft) error {
	d.speaking, d.shown = map[int]uuid.UUID{}, map[uuid.UUID]bool{}
	for i := range d.names {
		if n := &d.names[i]; n.read != "" {
			n.Name, n.read = n.read, ""
		}
	}
	for place, n := range d.names {
		if !matching.Unnamed(n.Name) || !slices.ContainsFunc(n.episodes, func(i int) bool { return strings.EqualFold(d.episodes[i].Speaker(), n.Name) }) {
			continue
		}
		called, err := db.New(w.store).SpeakersCalled(ctx, db.SpeakersCalledParams{GroupID: d.groupID, ThreadID: d.episodes[0].ThreadID, Role: n.Name})
		if err != nil {
			return fmt.Errorf("look up who speaks as %s: %w", n.Name, err)
		}
		for _, c := range called {
			d.shown[c.ID] = true
		}
		speaker := speakerOf(called)
		d.speaking[place] = speaker.ID
		if err := w.nameAfter(ctx, d, n.Name, speaker.Name); err != nil {
			return err
		}
	}
	return nil
}

// speakerOf chooses among the entities that go by a role: the one that spoke last in the
// conversation, else one that has no other name. Zero: nobody yet.
func speakerOf(called []db.SpeakersCalledRow) db.SpeakersCalledRow {
	for _, is := range []func(db.SpeakersCalledRow) bool{
		func(c db.SpeakersCalledRow) bool { return c.Speaks && matching.Unnamed(c.Name) },
		func(c db.SpeakersCalledRow) bool { return c.Speaks },
		func(c db.SpeakersCalledRow) bool { return matching.Unnamed(c.Name) },
	} {
		if i := slices.IndexFunc(called, is); i >= 0 {
			return called[i]
		}
	}
	return db.SpeakersCalledRow{}
}

// nameAfter renames the names of the draft that begin with a role, once its holder has a name.
func (w *walk) nameAfter(ctx context.Context, d *draft, role, name string) error {
	if name == "" || matching.Unnamed(name) {
		return nil
	}
	var places []int
	var names []string
	for i := range d.names {
		if rest, ok := strings.CutPrefix(d.names[i].Name, role+"'s "); ok {
			d.names[i].read, d.names[i].Name = d.names[i].Name, name+"'s "+rest
			places, names = append(places, i), append(names, d.names[i].Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	vectors, err := w.embed(ctx, names)
	for i, v := range vectors {
		d.nameVectors[places[i]] = v
	}
	return err
}

// introduce handles a speaker who was known only by a role and now says her name: "by the way, I'm
// Ana". Her entity takes the name, and keeps the role as an alias. If others spoke by the role in
// other conversations, she becomes a new entity, with what she said in this conversation. An entity
// that has that name already may be somebody else and is left alone. A speaker who has a name does
// not get another one.
func (w *walk) introduce(ctx context.Context, d *draft, asked []*askedName) error {
	of := func(place int) *askedName {
		return asked[slices.IndexFunc(asked, func(a *askedName) bool { return slices.Contains(a.places, place) })]
	}
	for _, s := range d.statements {
		speaker, name := of(s.source), of(s.target)
		if s.predicate != namedPredicate || s.ends || s.over() || name.node != nil || !matching.Unnamed(d.names[s.source].Name) ||
			d.onlyWithheld(s.source) || d.onlyWithheld(s.target) || speaker.node != nil && !matching.Unnamed(speaker.node.Name) {
			continue
		}
		was := speaker.node
		apart, err := w.speaksElsewhere(ctx, d, was, d.names[s.source].Name)
		if err != nil {
			return err
		}
		called, vector := d.names[s.target].Name, d.nameVectors[s.target]
		if was != nil && !apart {
			role := was.Name
			d.rename(was, called, vector)
			was.AddName(role)
		} else {
			speaker.node = change.NewEntity(d.groupID, called, vector)
			d.noteEntity(s.target, decidedCreated, "it is "+d.names[s.source].Name+", who says so", speaker.node)
		}
		if apart {
			d.parted = append(d.parted, parting{was, speaker.node})
		}
		d.match(name, speaker.node, "the speaker says so")
	}
	return nil
}

// speaksElsewhere reports whether somebody speaks by a role in other conversations too.
func (w *walk) speaksElsewhere(ctx context.Context, d *draft, n *change.Entity, role string) (bool, error) {
	if n == nil {
		return false, nil
	}
	elsewhere, err := db.New(w.store).SpeaksElsewhere(ctx, db.SpeaksElsewhereParams{GroupID: d.groupID, ID: n.ID, ThreadID: d.episodes[0].ThreadID, Role: role})
	if err != nil {
		return false, fmt.Errorf("look up where %s speaks: %w", n.Name, err)
	}
	return elsewhere, nil
}

// byName replaces roles in a text of the draft by the names of their speakers.
func (d *draft) byName(text string) string {
	for place := range d.speaking {
		role, n := d.names[place].Name, d.nodes[place]
		if matching.Unnamed(n.Name) {
			continue
		}
		var others []string
		for _, other := range d.names {
			if !strings.HasPrefix(other.Name, role+"'s ") { // which is to be renamed after her
				others = append(others, other.Name)
			}
		}
		text = wording.ReplaceName(text, role, n.Name, others...)
	}
	return text
}
