package community

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/clustering"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

const (
	// communitySeed is the seed of label propagation. Any number will do, as long as it does not
	// change.
	communitySeed = 1

	// attempts is how often communities are computed while another process changes them.
	attempts = 3
)

var errCommunitiesChanged error = &graph.Error{
	Code: graph.CodeConflict, Message: "another process kept changing the communities meanwhile; try again later",
}

// Built reports what a build of communities did.
type Built struct {
	Communities int `json:"communities"` // in the group now
	Entities    int `json:"entities"`    // in a community
	Kept        int `json:"kept"`        // unchanged, without a question to the analyst
	Changed     int `json:"changed"`     // with a new summary and name
	New         int `json:"new"`
	Removed     int `json:"removed"` // kept in the history
}

type community struct {
	id      uuid.UUID
	isNew   bool
	members []uuid.UUID      // best connected first
	known   []prompts.Member // the members as the prompts show them
	digest  []byte           // of known

	changed bool     // the following fields are to be written
	parts   []string // summaries of parts of the members, until one is left
	summary string
	name    string
	vector  []float32 // of the name; nil: stored
}

// plan is the next state of a group's communities.
type plan struct {
	groupID     string
	ids         []uuid.UUID               // of the stored communities that it concerns; nil: all
	stored      []db.CommunitiesStoredRow // as they were when the plan was made
	communities []*community
	gone        []uuid.UUID
}

// Build finds the communities of a group by label propagation; see package clustering. Unchanged
// communities are kept. A community that shares at least half of its members (Jaccard) with a
// stored one keeps the id and gets a new description. Others are new or removed. Entities without a
// current fact belong to none. Build asks one question for each 20 members, of at most the 400 best
// connected, one to combine up to 20 summaries, and one for the name, four at a time. If a question
// fails, nothing is written.
func (b *Builder) Build(ctx context.Context, groupID string) (Built, error) {
	if err := graph.ValidateGroupID(groupID); err != nil {
		return Built{}, err
	}
	built, err := b.carryOut(ctx, groupID, func() (*plan, error) { return b.planBuild(ctx, groupID) })
	if err != nil {
		return Built{}, fmt.Errorf("build the communities of %s: %w", groupID, err)
	}
	if built.New+built.Changed+built.Removed == 0 {
		return built, nil
	}
	b.log.InfoContext(ctx, "communities built", "group", groupID, "communities", built.Communities,
		"new", built.New, "changed", built.Changed, "removed", built.Removed)
	return built, db.RefreshStatistics(ctx, b.pool, groupID)
}

// carryOut draws a plan, asks its questions, and writes it in one transaction at the end. If the
// communities or their members changed meanwhile, it starts over, and reuses the answers so far.
func (b *Builder) carryOut(ctx context.Context, groupID string, draw func() (*plan, error)) (Built, error) {
	ctx = model.WithSubject(ctx, model.Subject{GroupID: groupID})
	answered := map[string]*community{}
	for attempt := 1; ; attempt++ {
		p, err := draw()
		if err != nil {
			return Built{}, err
		}
		if err := b.describe(ctx, p.recall(answered)); err != nil {
			return Built{}, err
		}
		if err := b.embedCommunities(ctx, p); err != nil {
			return Built{}, err
		}
		err = b.writeCommunities(ctx, p, attempt == attempts)
		if !errors.Is(err, errCommunitiesChanged) || attempt == attempts {
			return p.built(), err
		}
		for _, c := range p.changed() {
			answered[string(c.digest)] = c
		}
	}
}

// planBuild compares the communities of a snapshot of the graph with the stored ones.
func (b *Builder) planBuild(ctx context.Context, groupID string) (*plan, error) {
	p := &plan{groupID: groupID}
	var edges []db.FactEdgesRow
	err := db.InSnapshot(ctx, b.pool, "", func(q *db.Queries) (err error) {
		if edges, err = q.FactEdges(ctx, db.FactEdgesParams{GroupID: groupID}); err != nil {
			return fmt.Errorf("read what the facts connect: %w", err)
		}
		if err := p.readStored(ctx, q, b.embedder.Name()); err != nil {
			return err
		}
		p.place(clustering.Communities(clusteringEdges(edges), communitySeed))
		return p.readMembers(ctx, q)
	})
	return p, err
}

func clusteringEdges(rows []db.FactEdgesRow) []clustering.Edge {
	return each.Of(rows, func(row db.FactEdgesRow) clustering.Edge {
		return clustering.Edge{A: row.A, B: row.B, Weight: int(row.Facts)}
	})
}

func (p *plan) readStored(ctx context.Context, q *db.Queries, embedder string) (err error) {
	p.stored, err = q.CommunitiesStored(ctx, db.CommunitiesStoredParams{GroupID: p.groupID, Model: embedder, Ids: p.ids})
	if err != nil {
		return fmt.Errorf("read the stored communities: %w", err)
	}
	return nil
}

// place gives each community the id of the stored one that it continues, or a new id.
func (p *plan) place(found [][]uuid.UUID) {
	members := each.Of(p.stored, func(row db.CommunitiesStoredRow) []uuid.UUID { return row.Members })
	continues, gone := continuations(found, members)
	for i, of := range continues {
		c := &community{members: found[i], isNew: of < 0}
		if c.isNew {
			c.id = uuid.Must(uuid.NewV7())
		} else {
			c.id = p.stored[of].ID
		}
		p.communities = append(p.communities, c)
	}
	for _, of := range gone {
		p.gone = append(p.gone, p.stored[of].ID)
	}
}

// readMembers reads the names and summaries of the members, and finds the communities that changed.
func (p *plan) readMembers(ctx context.Context, q *db.Queries) error {
	var ids []uuid.UUID
	for _, c := range p.communities {
		ids = append(ids, c.members...)
	}
	rows, err := q.EntitySummaries(ctx, db.EntitySummariesParams{GroupID: p.groupID, Ids: ids})
	if err != nil {
		return fmt.Errorf("read the summaries of the members: %w", err)
	}
	known := each.Map(rows, func(row db.EntitySummariesRow) (uuid.UUID, prompts.Member) {
		return row.ID, prompts.Member{Name: row.Name, Summary: row.Summary}
	})
	digests := each.Map(p.stored, func(row db.CommunitiesStoredRow) (uuid.UUID, []byte) { return row.ID, row.Digest })
	for _, c := range p.communities {
		c.known = each.Of(c.members, func(id uuid.UUID) prompts.Member { return known[id] })
		c.digest = digestOf(c.members, known)
		c.changed = !bytes.Equal(c.digest, digests[c.id])
	}
	return nil
}

// digestOf returns a hash of the input of a summary.
func digestOf(members []uuid.UUID, known map[uuid.UUID]prompts.Member) []byte {
	sorted := slices.Clone(members)
	slices.SortFunc(sorted, compareIDs)
	hash := sha256.New()
	for _, id := range sorted {
		fmt.Fprintf(hash, "%s %q %q\n", id, known[id].Name, known[id].Summary)
	}
	return hash.Sum(nil)
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

func (p *plan) changed() []*community {
	return each.Where(p.communities, func(c *community) bool { return c.changed })
}

// recall fills in earlier answers and returns the communities without one.
func (p *plan) recall(answered map[string]*community) []*community {
	var open []*community
	for _, c := range p.changed() {
		if before, ok := answered[string(c.digest)]; ok {
			c.summary, c.name, c.vector = before.summary, before.name, before.vector
		} else {
			open = append(open, c)
		}
	}
	return open
}

func (p *plan) built() Built {
	b := Built{Communities: len(p.communities), Removed: len(p.gone)}
	for _, c := range p.communities {
		b.Entities += len(c.members)
		switch {
		case c.isNew:
			b.New++
		case c.changed:
			b.Changed++
		default:
			b.Kept++
		}
	}
	return b
}

type continuation struct {
	found, stored int
	shared, all   int // members in both, and in either
}

// continuations pairs communities with stored ones, the most similar first. Pairs share at least
// half of their members (Jaccard). continues is -1 for a new community; gone are the stored ones
// without a pair.
func continuations(found, stored [][]uuid.UUID) (continues, gone []int) {
	continues, gone = make([]int, len(found)), make([]int, len(stored))
	for i := range continues {
		continues[i] = -1
	}
	for j := range gone {
		gone[j] = j
	}
	for _, p := range pairs(found, stored) {
		if continues[p.found] < 0 && gone[p.stored] >= 0 {
			continues[p.found], gone[p.stored] = p.stored, -1
		}
	}
	return continues, slices.DeleteFunc(gone, func(j int) bool { return j < 0 })
}

func pairs(found, stored [][]uuid.UUID) []continuation {
	of := map[uuid.UUID][]int{}
	for j, members := range stored {
		for _, id := range members {
			of[id] = append(of[id], j)
		}
	}
	var out []continuation
	for i, members := range found {
		shared := map[int]int{}
		for _, id := range members {
			for _, j := range of[id] {
				shared[j]++
			}
		}
		for j, n := range shared {
			if all := len(members) + len(stored[j]) - n; 2*n >= all {
				out = append(out, continuation{found: i, stored: j, shared: n, all: all})
			}
		}
	}
	slices.SortFunc(out, func(a, b continuation) int {
		return cmp.Or(cmp.Compare(b.shared*a.all, a.shared*b.all), cmp.Compare(a.found, b.found), cmp.Compare(a.stored, b.stored))
	})
	return out
}
