package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pattern"
)

// What shows that somebody passes on what another one says: who tells, and how.
var passesOn = pattern.New(`(?i)(?:([\p{L}'-]+) (?:has |have |just |also )*(says?|said|tells?|told|claims?|claimed|heard|hears|reports?|reported|mentioned)\b|\b(?:according to|apparently|reportedly|supposedly|rumou?rs?\b|word has it|i was told))`)

// somebody is who tells a thing of which is only said that it was heard.
const somebody = "somebody"

// teller names who tells a fact where that is somebody else than who speaks, and than
// whom it is about: what is told at second hand. Empty: who speaks tells it.
func (d *draft) teller(f *newFact) string {
	speaker := d.episodes[f.episode].Speaker()
	if f.source.GoesUnder(speaker) {
		return ""
	}
	for _, text := range []string{f.fact, d.episodes[f.episode].Content} {
		m := passesOn().FindStringSubmatch(text)
		if m == nil {
			continue
		}
		named, heard := m[1], strings.HasPrefix(strings.ToLower(m[2]), "hear")
		switch low := strings.ToLower(named); {
		case low == "she" || low == "he" || low == "they" || low == "you" || low == "it":
			return ""
		case low == "i" || low == "we" || strings.EqualFold(named, speaker):
			if heard {
				return somebody
			}
			return ""
		case named == "":
			return somebody
		}
		if slices.ContainsFunc(append([]string{f.source.Name}, f.source.Aliases...), func(name string) bool { return wording.HoldsName(name, named) }) {
			return ""
		}
		if r, _ := utf8.DecodeRuneInString(named); !unicode.IsUpper(r) { // "a colleague says"
			return somebody
		}
		return named
	}
	return ""
}

// ownWords finds which of the known facts somebody said of themself that what is told
// at second hand contradicts or takes back.
func (w *walk) ownWords(ctx context.Context, d *draft) (map[uuid.UUID]bool, error) {
	own := map[uuid.UUID]bool{}
	stated := map[uuid.UUID][]*knownFact{} // by the episodes that state them
	note := func(f *newFact, k *knownFact) {
		if f.source.ID != k.SourceID {
			return
		}
		if k.sibling != nil {
			own[k.ID] = own[k.ID] || f.source.GoesUnder(d.episodes[k.sibling.episode].Speaker())
			return
		}
		for _, id := range k.Episodes {
			stated[id] = append(stated[id], k)
		}
	}
	for _, f := range d.facts {
		if len(f.contradicts) > 0 && d.teller(f) != "" {
			for _, k := range f.contradicts {
				note(f, k)
			}
		}
	}
	for _, r := range d.retracted {
		if r.by != nil && d.teller(r.by.facts[0]) != "" {
			note(r.by.facts[0], r.fact)
		}
	}
	if len(stated) == 0 {
		return own, nil
	}
	rows, err := db.New(w.store).EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: d.groupID, Ids: change.Keys(stated)})
	if err != nil {
		return nil, fmt.Errorf("find who said the known facts: %w", err)
	}
	for _, row := range rows {
		speaker := (graph.Episode{Actor: row.Actor, Role: row.Role}).Speaker()
		for _, k := range stated[row.ID] {
			own[k.ID] = own[k.ID] || d.subjectOf(k).GoesUnder(speaker)
		}
	}
	return own, nil
}

// subjectOf is whom a known fact is about.
func (d *draft) subjectOf(k *knownFact) *change.Entity {
	for _, n := range d.nodes {
		if n.ID == k.SourceID {
			return n
		}
	}
	return &change.Entity{Entity: graph.Entity{Name: k.Source}}
}
