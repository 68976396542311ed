package edit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/engine/wording"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

// Brought chooses changes by their origin. All fields that are set must match.
type Brought struct {
	Source   string // the source description, such as the name of a file
	ThreadID string
	Door     string
	Key      string // the API key or the database user
	Run      string // an agent's run: run_id in the metadata
	Since    time.Time
	Until    time.Time // exclusive
}

// IsZero reports whether no field is set.
func (b Brought) IsZero() bool { return b == Brought{} }

// byHand reports whether changes by hand may match: they have no source, no conversation and no
// run.
func (b Brought) byHand() bool {
	return !b.IsZero() && b.Source == "" && b.ThreadID == "" && b.Run == ""
}

// TakingBack is the undoing of everything of one origin.
type TakingBack struct {
	GroupID string
	Brought
	AnyReader bool // let the present analyst judge what followed, even if another one read it
	DryRun    bool // report the effect, and change nothing
}

// EpisodesBrought lists the episodes of an origin.
func (e *Editor) EpisodesBrought(ctx context.Context, groupID string, b Brought) ([]uuid.UUID, error) {
	if b.IsZero() {
		return nil, graph.Invalid("source", "is missing; name a source, a thread, a door, a key, a run or times")
	}
	ids, err := db.New(e.Pool).EpisodesBrought(ctx, db.EpisodesBroughtParams{
		GroupID: groupID, Source: db.Nullable(b.Source), ThreadID: db.Nullable(b.ThreadID), Door: db.Nullable(b.Door),
		Key: db.Nullable(b.Key), Run: db.Nullable(b.Run), Since: db.Nullable(b.Since), Until: db.Nullable(b.Until),
	})
	if err != nil {
		return nil, fmt.Errorf("look for what was brought to %s: %w", groupID, err)
	}
	return ids, nil
}

// Bringer is an origin of episodes: a source, a run or a day.
type Bringer struct {
	By       string    `json:"by" enum:"source,run_id,day" doc:"What it is: a source, a run of an agent, or a day of UTC"`
	Name     string    `json:"name" doc:"What it is called; of a day its date"`
	Episodes int       `json:"episodes" doc:"How many it brought"`
	LastAt   time.Time `json:"last_at" doc:"When the last of them came"`
}

// latestBrought is how many of the latest episodes are searched for origins.
const latestBrought = 10_000

// Bringers lists the sources, runs and days of the latest episodes, the latest first.
func (e *Editor) Bringers(ctx context.Context, groupID string, limit int) ([]Bringer, error) {
	rows, err := db.New(e.Pool).EpisodesBroughtBy(ctx, db.EpisodesBroughtByParams{GroupID: groupID, MaxEpisodes: latestBrought, MaxRows: int32(limit)})
	if err != nil {
		return nil, fmt.Errorf("list what brought something to %s: %w", groupID, err)
	}
	return each.Of(rows, func(r db.EpisodesBroughtByRow) Bringer {
		return Bringer{By: r.By, Name: r.Name, Episodes: int(r.Episodes), LastAt: r.LastAt.UTC()}
	}), nil
}

// changedByHand returns when facts were changed by hand, for the changes of an origin.
func (e *Editor) changedByHand(ctx context.Context, groupID string, b Brought) (map[uuid.UUID][]time.Time, error) {
	if !b.byHand() {
		return nil, nil
	}
	rows, err := db.New(e.Pool).FactsChangedByHand(ctx, db.FactsChangedByHandParams{
		GroupID: groupID, Door: db.Nullable(b.Door), Key: db.Nullable(b.Key), Since: db.Nullable(b.Since), Until: db.Nullable(b.Until),
	})
	if err != nil {
		return nil, fmt.Errorf("look for what was told to %s by hand: %w", groupID, err)
	}
	return each.Groups(rows, func(row db.FactsChangedByHandRow) (uuid.UUID, time.Time) { return row.ID, row.EditedAt }), nil
}

// Added lists the changes of an origin, as differences to the memory before it, in the order of the
// facts.
func (e *Editor) Added(ctx context.Context, f ReviewFilter) ([]Reviewed, error) {
	episodes, err := e.EpisodesBrought(ctx, f.GroupID, f.Brought)
	if err != nil {
		return nil, err
	}
	by := maker{episodes: each.Set(episodes)}
	if by.times, err = e.changedByHand(ctx, f.GroupID, f.Brought); err != nil {
		return nil, err
	}
	q := db.New(e.Pool)
	p := db.FactVersionsByParams{
		GroupID: f.GroupID, EpisodeIds: append([]uuid.UUID{}, episodes...), FactIds: slices.AppendSeq([]uuid.UUID{}, maps.Keys(by.times)), MaxRows: int32(f.Limit),
	}
	if f.After != nil {
		p.After = f.After.ID()
	}
	relation := wording.Predicate(f.Relation)
	causes := map[uuid.UUID][]uuid.UUID{}
	var added []Reviewed
	for len(added) < f.Limit {
		rows, err := q.FactVersionsBy(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("list what was brought to %s: %w", f.GroupID, err)
		}
		if len(rows) == 0 {
			break
		}
		p.After = rows[len(rows)-1].ID
		for len(rows) > 0 && len(added) < f.Limit {
			n := 1
			for n < len(rows) && rows[n].ID == rows[0].ID {
				n++
			}
			one := by.difference(rows[:n])
			if one.Kind != "" && (relation == "" || rows[0].Predicate == relation) {
				causes[one.ID()] = by.causes(rows[:n])
				added = append(added, one)
			}
			rows = rows[n:]
		}
	}
	return added, e.tell(ctx, q, f.GroupID, added, func(r Reviewed) []uuid.UUID { return causes[r.ID()] })
}

// maker is the origin of versions of facts: episodes, and edits by hand at some times.
type maker struct {
	episodes map[uuid.UUID]bool
	times    map[uuid.UUID][]time.Time
}

func (m maker) any(ids []uuid.UUID) bool {
	return slices.ContainsFunc(ids, func(id uuid.UUID) bool { return m.episodes[id] })
}

func (m maker) at(fact uuid.UUID, at time.Time) bool {
	return !at.IsZero() && slices.ContainsFunc(m.times[fact], at.Equal)
}

// made and ended report whether the origin made or ended a version.
func (m maker) made(r db.FactRow) bool {
	return m.any(r.CausedBy) || m.at(r.ID, db.Interval(r.Recorded).Start)
}

func (m maker) ended(r db.FactRow) bool {
	return m.any(r.EndedBy) || m.at(r.ID, db.Interval(r.Recorded).End)
}

// causes returns the episodes of the origin that made or ended versions, in order.
func (m maker) causes(versions []db.FactRow) (ids []uuid.UUID) {
	for _, v := range versions {
		for _, id := range slices.Concat(v.CausedBy, v.EndedBy, v.Episodes) {
			if m.episodes[id] && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	slices.SortFunc(ids, change.CompareIDs)
	return ids
}

// difference compares a fact before the first version that the origin made with the fact after the
// last. If the origin stated and retracted the fact itself, the fact is shown as stated. Trust is
// the present one. Kind is empty if nothing differs.
func (m maker) difference(versions []db.FactRow) (out Reviewed) {
	follows := func(i int) bool { // the version before it
		return i > 0 && i < len(versions) && db.Interval(versions[i-1].Recorded).End.Equal(db.Interval(versions[i].Recorded).Start)
	}
	first := slices.IndexFunc(versions, m.made)
	last := len(versions) - 1
	for last > first && !m.made(versions[last]) {
		last--
	}
	if first < 0 { // it made none, but may have ended the last
		first, last = len(versions), len(versions)-1
	}
	if first == len(versions) || follows(first) {
		out.Before = new(db.Fact(versions[first-1]))
	}
	if !m.ended(versions[last]) || follows(last+1) {
		out.Fact = new(db.Fact(versions[last]))
	}
	gone := !db.Interval(versions[len(versions)-1].Recorded).Ongoing()
	switch before, after := out.Before, out.Fact; {
	case before == nil && after == nil:
		if said := versions[last]; m.any(said.Episodes) || !m.any(said.CausedBy) { // it retracted its own statement
			out.Kind, out.Before = "withdrawn", new(db.Fact(said))
		}
	case after != nil && gone: // others removed it since
	case before == nil && (m.any(after.Episodes) || !m.any(versions[first].CausedBy)):
		out.Kind = "added"
	case before == nil: // it was only read in the same window as its source
	case after == nil:
		out.Kind = "withdrawn"
	case before.Fact == after.Fact && before.Valid.Start.Equal(after.Valid.Start) && !after.Valid.End.IsZero() &&
		(before.Valid.End.IsZero() || after.Valid.End.Before(before.Valid.End)):
		out.Kind = "ended"
	case before.Fact != after.Fact || before.Predicate != after.Predicate || before.Trust != after.Trust || !before.Valid.Equal(after.Valid) ||
		!change.SameJSON(before.Attributes, after.Attributes):
		out.Kind = "changed"
	}
	if out.Fact != nil && !gone { // it may have been approved since
		out.Fact.Trust = versions[len(versions)-1].Trust
	}
	return out
}
