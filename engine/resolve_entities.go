package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/prompts"
)

// resolveEntities finds for every extracted name the entity it means: the one
// that goes by exactly this name; else whichever of a bounded number of
// candidates the analyst recognises; else a new one.
func (e *Engine) resolveEntities(ctx context.Context, d *draft) error {
	d.nodes, d.extra = make([]*node, len(d.names)), nil
	asked, err := e.lookUpNames(ctx, d)
	if err != nil {
		return err
	}
	if err := e.findCandidates(ctx, d, asked); err != nil {
		return err
	}
	known, err := e.loadNodes(ctx, d.episode.GroupID, candidateIDs(asked))
	if err != nil {
		return err
	}
	if err := e.recognise(ctx, d, asked, known); err != nil {
		return err
	}
	for _, a := range asked {
		for _, place := range a.places {
			d.nodes[place] = a.node
			a.node.take(d.names[place])
		}
	}
	return nil
}

// askedName is a name as it is folded, where the episode has it and whom it may mean.
type askedName struct {
	places     []int // indices into the draft's names
	candidates []uuid.UUID
	exact      int // how many of the candidates go by exactly this name
	node       *node
}

// lookUpNames folds the names, so that spellings of one name become one, and
// finds the entities that go by them.
func (e *Engine) lookUpNames(ctx context.Context, d *draft) ([]*askedName, error) {
	names := make([]string, len(d.names))
	for i, n := range d.names {
		names[i] = n.Name
	}
	rows, err := db.New(e.pool).EntitiesByNames(ctx, db.EntitiesByNamesParams{GroupID: d.episode.GroupID, Names: names})
	if err != nil {
		return nil, fmt.Errorf("look up names: %w", err)
	}
	byKey := map[string]*askedName{}
	var asked []*askedName
	for _, row := range rows {
		place := int(row.Place) - 1
		a := byKey[row.NameKey]
		if a == nil {
			a = &askedName{}
			byKey[row.NameKey] = a
			asked = append(asked, a)
		}
		if !slices.Contains(a.places, place) {
			a.places = append(a.places, place)
		}
		if row.EntityID != nil && !slices.Contains(a.candidates, *row.EntityID) {
			a.candidates = append(a.candidates, *row.EntityID)
			a.exact++
		}
	}
	return asked, nil
}

// findCandidates looks for entities that the undecided names may mean.
func (e *Engine) findCandidates(ctx context.Context, d *draft, asked []*askedName) error {
	var undecided []*askedName
	var params []db.EntityCandidatesParams
	for _, a := range asked {
		if a.exact == 1 {
			continue
		}
		name := d.names[a.places[0]].Name
		undecided = append(undecided, a)
		params = append(params, db.EntityCandidatesParams{
			GroupID: d.episode.GroupID, Name: name, Parts: nameParts(name), Model: e.embedder.Name(),
			Embedding: db.Vector(d.nameVectors[a.places[0]]), MaxRows: DefaultEntityCandidates,
		})
	}
	if len(params) == 0 {
		return nil
	}
	var failure error
	db.New(e.pool).EntityCandidates(ctx, params).Query(func(i int, ids []uuid.UUID, err error) {
		if err != nil && failure == nil {
			failure = fmt.Errorf("find candidates for %q: %w", params[i].Name, err)
		}
		for _, id := range ids {
			if !slices.Contains(undecided[i].candidates, id) && len(undecided[i].candidates) < DefaultEntityCandidates {
				undecided[i].candidates = append(undecided[i].candidates, id)
			}
		}
	})
	return failure
}

// nameParts returns the shorter names a name of several words holds: "Caroline
// Smith" may be known as "Caroline".
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

// loadNodes reads entities; each is one node however often it is asked for.
func (e *Engine) loadNodes(ctx context.Context, groupID string, ids []uuid.UUID) (map[uuid.UUID]*node, error) {
	nodes := map[uuid.UUID]*node{}
	if len(ids) == 0 {
		return nodes, nil
	}
	rows, err := db.New(e.pool).EntitiesByIDs(ctx, db.EntitiesByIDsParams{GroupID: groupID, Ids: ids})
	if err != nil {
		return nil, fmt.Errorf("read entities: %w", err)
	}
	for _, row := range rows {
		nodes[row.ID] = &node{Entity: db.Entity(groupID, row)}
	}
	return nodes, nil
}

// recognise gives every name its node: in one question to the analyst for all
// that are undecided and have candidates.
func (e *Engine) recognise(ctx context.Context, d *draft, asked []*askedName, known map[uuid.UUID]*node) error {
	question := prompts.ResolveEntities{Episode: d.input}
	var open []*askedName
	for _, a := range asked {
		a.candidates = slices.DeleteFunc(a.candidates, func(id uuid.UUID) bool { return known[id] == nil })
		if a.exact == 1 && len(a.candidates) > 0 {
			a.node = known[a.candidates[0]]
		} else if len(a.candidates) > 0 {
			open = append(open, a)
			question.Entities = append(question.Entities, unresolved(len(open), d.names[a.places[0]], a, known))
		}
	}
	if len(open) > 0 {
		answer, err := e.analyst.ResolveEntities(ctx, question)
		if err != nil {
			return analysed(ctx, "resolve entities", err)
		}
		applyResolutions(answer.Resolutions, open, known)
	}
	for _, a := range asked {
		if a.node == nil {
			a.node = newNode(d, a)
		}
	}
	return nil
}

func unresolved(id int, name prompts.ExtractedEntity, a *askedName, known map[uuid.UUID]*node) prompts.UnresolvedEntity {
	u := prompts.UnresolvedEntity{ID: id, Name: name.Name, Label: name.Label}
	for i, candidate := range a.candidates {
		k := known[candidate]
		u.Candidates = append(u.Candidates, prompts.EntityCandidate{
			ID: i + 1, Name: k.Name, Aliases: k.Aliases, Labels: k.Labels, Summary: k.Summary,
		})
	}
	return u
}

func applyResolutions(resolutions []prompts.EntityResolution, open []*askedName, known map[uuid.UUID]*node) {
	for _, r := range resolutions {
		if r.ID < 1 || r.ID > len(open) {
			continue
		}
		a := open[r.ID-1]
		if r.Candidate >= 1 && r.Candidate <= len(a.candidates) {
			a.node = known[a.candidates[r.Candidate-1]]
		}
	}
}

func newNode(d *draft, a *askedName) *node {
	name := d.names[a.places[0]]
	return &node{
		Entity: graph.Entity{GroupID: d.episode.GroupID, ID: newID(), Name: name.Name, Aliases: []string{}, Labels: []string{}},
		isNew:  true, changed: true, vector: d.nameVectors[a.places[0]],
	}
}

// take adds what an extracted name tells of its entity: a name it did not go
// by yet, a kind it did not have. The longer of two names wins, the other
// stays as an alias.
func (n *node) take(name prompts.ExtractedEntity) {
	if name.Label != "" && len(n.Labels) == 0 {
		n.Labels = []string{name.Label}
		n.changed = true
	}
	if strings.EqualFold(name.Name, n.Name) || containsFold(n.Aliases, name.Name) {
		return
	}
	alias := name.Name
	if len(name.Name) > len(n.Name) {
		alias, n.Name = n.Name, name.Name
	}
	n.Aliases = append(slices.Clone(n.Aliases), alias)
	n.changed = true
}

func containsFold(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}
