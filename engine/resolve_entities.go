package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/prompts"
)

// minNameSimilarity is the least cosine similarity of a known name that is a candidate.
const minNameSimilarity = 0.5

// resolveEntities finds the entity of every name: the one that goes by this name, else a candidate
// that the analyst or the rules recognise, else a new one.
func (w *walk) resolveEntities(ctx context.Context, d *draft) error {
	d.partNamesakes()
	d.nodes, d.extra = make([]*change.Entity, len(d.names)), nil
	if err := w.findSpeakers(ctx, d); err != nil {
		return err
	}
	asked, err := w.lookUpNames(ctx, d)
	if err != nil {
		return err
	}
	if err := w.findCandidates(ctx, d, asked); err != nil {
		return err
	}
	known, err := w.loadNodes(ctx, d.groupID, candidateIDs(asked))
	if err != nil {
		return err
	}
	for id := range known {
		d.shown[id] = true
	}
	if err := w.recognise(ctx, d, asked, known); err != nil {
		return err
	}
	for _, a := range asked {
		for _, place := range a.places {
			d.nodes[place] = a.node
			if a.node.New || !d.onlyWithheld(place) {
				if a.corrected {
					d.rename(a.node, d.names[place].Name, d.nameVectors[place])
				}
				learnName(a.node, d.names[place], d.nameVectors[place], d.ontology)
			}
		}
	}
	return nil
}

// askedName is a name of the draft with the entities that it may mean.
type askedName struct {
	places     []int // indices into the draft's names
	candidates []uuid.UUID
	exact      int    // how many of the candidates go by this name
	isAlias    bool   // one of these has it as an alias
	unlike     string // why it is none of the candidates
	node       *change.Entity
	corrected  bool // the name corrects that of the node
}

// lookUpNames joins spellings of one name, and finds the entities with that name.
func (w *walk) lookUpNames(ctx context.Context, d *draft) ([]*askedName, error) {
	names := make([]string, len(d.names))
	place := make([]int, len(d.names), len(d.names)+maxAliases)
	for i, n := range d.names {
		names[i], place[i] = n.Name, i
	}
	for i, n := range d.names {
		for _, alias := range n.aliases {
			names, place = append(names, alias), append(place, i)
		}
	}
	rows, err := db.New(w.store).EntitiesByNames(ctx, db.EntitiesByNamesParams{GroupID: d.groupID, Names: names})
	if err != nil {
		return nil, fmt.Errorf("look up names: %w", err)
	}
	byKey := map[string][]*askedName{} // several entries of one key are of different kinds
	var asked []*askedName
	for _, row := range rows {
		place := place[row.Place-1]
		if _, speaks := d.speaking[place]; speaks || d.names[place].id != uuid.Nil {
			continue
		}
		var a *askedName
		if i := slices.IndexFunc(byKey[row.NameKey], func(o *askedName) bool { return !d.otherKinds(place, o.places[0]) }); i >= 0 {
			a = byKey[row.NameKey][i]
		}
		if int(row.Place) > len(d.names) { // an alias
			a = asked[slices.IndexFunc(asked, func(o *askedName) bool { return slices.Contains(o.places, place) })]
		}
		if a == nil {
			a = &askedName{}
			byKey[row.NameKey] = append(byKey[row.NameKey], a)
			asked = append(asked, a)
		}
		if !slices.Contains(a.places, place) {
			a.places = append(a.places, place)
		}
		if row.EntityID == uuid.Nil || slices.Contains(a.candidates, row.EntityID) {
			continue
		}
		a.candidates = append(a.candidates, row.EntityID)
		if int(row.Place) <= len(d.names) {
			a.exact++
			a.isAlias = a.isAlias || row.IsAlias
		}
	}
	asked = d.joinSpellings(asked)
	for i, n := range d.names {
		if id, speaks := d.speaking[i]; speaks {
			asked = append(asked, &askedName{places: []int{i}, candidates: some(id), exact: 1})
		} else if n.id != uuid.Nil {
			asked = append(asked, &askedName{places: []int{i}, candidates: []uuid.UUID{n.id}, exact: 1})
		}
	}
	return asked, nil
}

// some returns a list of an id, or none if the id is zero.
func some(id uuid.UUID) []uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return []uuid.UUID{id}
}

// joinSpellings joins unknown names that differ only by a spelling slip.
func (d *draft) joinSpellings(asked []*askedName) []*askedName {
	record := func(a *askedName) matching.Record {
		name := d.names[a.places[0]]
		return matching.Record{Names: []string{name.Name}, Labels: []string{name.Label}}
	}
	var distinct []*askedName
	for _, a := range asked {
		like := slices.IndexFunc(distinct, func(o *askedName) bool {
			return a.exact == 0 && o.exact == 0 && !d.otherKinds(a.places[0], o.places[0]) && matching.Compare(record(a), record(o)).Decision == matching.Same || d.alias(a, o)
		})
		if like < 0 {
			distinct = append(distinct, a)
			continue
		}
		o := distinct[like]
		o.places = append(o.places, a.places...)
		if o.exact == 0 {
			o.candidates, o.exact = append(a.candidates, o.candidates...), a.exact
		}
	}
	return distinct
}

// alias reports whether the text calls two names the same. At most one of them may be known.
func (d *draft) alias(a, o *askedName) bool {
	one, other := d.names[a.places[0]], d.names[o.places[0]]
	return (a.exact == 0 || o.exact == 0) && (wording.ContainsFold(one.aliases, other.Name) || wording.ContainsFold(other.aliases, one.Name))
}

// findCandidates looks for entities that unresolved names may mean.
func (w *walk) findCandidates(ctx context.Context, d *draft, asked []*askedName) error {
	var undecided []*askedName
	var params []db.EntityCandidatesParams
	for _, a := range asked {
		name := d.names[a.places[0]].Name
		if a.exact == 1 && !a.isAlias || d.names[a.places[0]].id != uuid.Nil || d.names[a.places[0]].Label == valueLabel {
			continue // an alias may be the short form of another name, too
		}
		undecided = append(undecided, a)
		params = append(params, db.EntityCandidatesParams{
			GroupID: d.groupID, Name: name, Parts: nameParts(name), Model: w.Embedder.Name(),
			Embedding: db.Vector(d.nameVectors[a.places[0]]), MinSimilarity: minNameSimilarity, MaxRows: entityCandidates,
		})
	}
	if len(params) == 0 {
		return nil
	}
	var failure error
	db.New(w.store).EntityCandidates(ctx, params).Query(func(i int, ids []uuid.UUID, err error) {
		if err != nil && failure == nil {
			failure = fmt.Errorf("find candidates for %q: %w", params[i].Name, err)
		}
		for _, id := range ids {
			if !slices.Contains(undecided[i].candidates, id) && len(undecided[i].candidates) < entityCandidates {
				undecided[i].candidates = append(undecided[i].candidates, id)
			}
		}
	})
	return failure
}

// nameParts returns the shorter names within a name: "Caroline Smith" may be known as
// "Caroline".
func nameParts(name string) []string {
	words := strings.Fields(name)
	words = words[:min(len(words), 6)]
	parts := []string{}
	for size := len(words) - 1; size > 0; size-- {
		for start := 0; start+size <= len(words); start++ {
			parts = append(parts, strings.Join(words[start:start+size], " "))
		}
	}
	return parts
}

func candidateIDs(asked []*askedName) []uuid.UUID {
	var ids []uuid.UUID
	for _, a := range asked {
		ids = append(ids, a.candidates...)
	}
	return ids
}

// loadNodes reads entities by their ids.
func (w *walk) loadNodes(ctx context.Context, groupID string, ids []uuid.UUID) (map[uuid.UUID]*change.Entity, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := db.New(w.store).EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return nil, fmt.Errorf("read entities: %w", err)
	}
	return each.Map(rows, func(row db.EntityRow) (uuid.UUID, *change.Entity) { return row.ID, change.EntityOf(row) }), nil
}

// recognise gives every name its entity. It asks one question about all open names, in batches.
func (w *walk) recognise(ctx context.Context, d *draft, asked []*askedName, known map[uuid.UUID]*change.Entity) error {
	question := prompts.ResolveEntities{Episode: d.excerpt()}
	var open []*askedName
	for _, a := range asked {
		n := d.names[a.places[0]]
		a.candidates = slices.DeleteFunc(a.candidates, func(id uuid.UUID) bool {
			return known[id] == nil || matching.OfOtherThan(known[id].Summary, n.Name, n.bonds)
		})
		switch exact := a.exact == 1 && len(a.candidates) > 0; {
		case exact && (d.isAnother(a, known[a.candidates[0]]) || d.isShared(a, known)): // to be asked about
		case exact && n.id != uuid.Nil:
			d.match(a, known[a.candidates[0]], "it was named by its id")
		case exact:
			d.match(a, known[a.candidates[0]], "it goes by this name")
		default:
			d.compare(a, known)
		}
		if a.node == nil && len(a.candidates) > 0 {
			open = append(open, a)
			question.Entities = append(question.Entities, unresolved(len(open), n, a, known))
		}
	}
	if len(open) > 0 {
		d.questions++
		var resolutions []prompts.EntityResolution
		for batch := range slices.Chunk(question.Entities, maxAsked) {
			answer, err := w.analyst.ResolveEntities(ctx, prompts.ResolveEntities{Episode: question.Episode, Entities: batch})
			if err != nil {
				return analyst.Failed(ctx, stepResolveEntities, err)
			}
			resolutions = append(resolutions, answer.Resolutions...)
		}
		d.applyResolutions(resolutions, open, known)
	}
	if err := w.introduce(ctx, d, asked); err != nil {
		return err
	}
	for _, a := range asked {
		if a.node == nil {
			a.node = change.NewEntity(d.groupID, d.names[a.places[0]].Name, d.nameVectors[a.places[0]])
			d.noteEntity(a.places[0], decidedCreated, a.unlike, a.node)
		}
	}
	return nil
}

// compare decides by the names alone: it takes the only candidate of the same spelling, and drops
// those that contradict the name.
func (d *draft) compare(a *askedName, known map[uuid.UUID]*change.Entity) {
	name := d.names[a.places[0]]
	record := matching.Record{Names: []string{name.Name}, Labels: []string{name.Label}}
	var same []uuid.UUID
	var because string
	a.candidates = slices.DeleteFunc(a.candidates, func(id uuid.UUID) bool {
		k := known[id]
		if belongsTo(name.Name, k) {
			a.unlike = "it is " + k.Name + "'s, not " + k.Name
			return true
		}
		names := slices.DeleteFunc(append([]string{k.Name}, k.Aliases...), matching.Unnamed) // the User Guide is no user
		if len(names) == 0 {
			a.unlike = "it is not " + k.Name + ", of whom no name is known"
			return true
		}
		verdict := matching.Compare(record, matching.Record{Names: names, Labels: k.Labels})
		if verdict.Decision == matching.Same {
			same, because = append(same, id), verdict.Reason
		}
		if verdict.Decision == matching.Different {
			a.unlike = "it is not " + k.Name + ": " + verdict.Reason
		}
		return verdict.Decision == matching.Different
	})
	if len(same) == 1 {
		d.match(a, known[same[0]], because)
	}
}

func unresolved(id int, name extractedName, a *askedName, known map[uuid.UUID]*change.Entity) prompts.UnresolvedEntity {
	u := prompts.UnresolvedEntity{ID: id, Name: name.Name, Label: name.Label}
	for i, candidate := range a.candidates {
		k := known[candidate]
		u.Candidates = append(u.Candidates, prompts.EntityCandidate{
			ID: i + 1, Name: k.Name, Aliases: k.Aliases, Labels: k.Labels, Summary: k.Summary,
		})
	}
	return u
}

// applyResolutions applies the analyst's answer. It ignores second answers and unknown candidates.
func (d *draft) applyResolutions(resolutions []prompts.EntityResolution, open []*askedName, known map[uuid.UUID]*change.Entity) {
	answered := map[int]bool{}
	for _, r := range resolutions {
		if r.ID < 1 || r.ID > len(open) || answered[r.ID] || r.Candidate < 0 || r.Candidate > len(open[r.ID-1].candidates) {
			d.note(note{
				step: stepResolveEntities, decision: decidedDropped, subject: r.Name,
				reason: fmt.Sprintf("the answer says that name %d is candidate %d, which was not asked or is answered already", r.ID, r.Candidate),
			})
			continue
		}
		answered[r.ID] = true
		a := open[r.ID-1]
		if r.Candidate == 0 {
			a.unlike = r.Reason
			continue
		}
		d.match(a, known[a.candidates[r.Candidate-1]], r.Reason)
		a.corrected = d.correctsName(a, r.Name)
	}
}

type renaming struct {
	node *change.Entity
	old  string
}

// correctsName reports whether a user or a person corrects the name of an entity.
func (d *draft) correctsName(a *askedName, answered string) bool {
	name, old := d.names[a.places[0]], a.node.Name
	mayRename := slices.ContainsFunc(name.episodes, func(i int) bool { return !d.episodes[i].Authority.Below(graph.AuthorityUser) })
	return d.takesBack && mayRename && strings.EqualFold(answered, name.Name) && !strings.EqualFold(name.Name, old) &&
		!wording.ContainsFold(a.node.Aliases, name.Name) && !wording.Extends(name.Name, old) && !wording.Extends(old, name.Name)
}

// rename corrects the name of an entity. The wrong name does not become an alias.
func (d *draft) rename(n *change.Entity, name string, vector []float32) {
	if strings.EqualFold(n.Name, name) {
		return
	}
	d.renamed = append(d.renamed, renaming{n, n.Name})
	n.Name, n.Vector, n.Changed = name, vector, true
}

func (d *draft) match(a *askedName, n *change.Entity, reason string) {
	a.node = n
	d.noteEntity(a.places[0], decidedMatched, fmt.Sprintf("it is %s: %s", n.Name, reason), n)
}

func (d *draft) noteEntity(place int, decision, reason string, n *change.Entity) {
	name := d.names[place]
	d.note(note{episodes: name.episodes, step: stepResolveEntities, decision: decision, subject: name.Name, reason: reason, entity: n})
}
