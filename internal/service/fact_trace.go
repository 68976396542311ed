package service

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// The limits on a trace.
const (
	maxTracedEpisodes  = 50
	maxTracedDecisions = 500
	maxTracedEdits     = 200
)

// FactTrace explains a fact: its versions, its sources, and who changed it.
type FactTrace struct {
	Fact       graph.FactJSON   `json:"fact" doc:"As it is believed, or was last"`
	Current    bool             `json:"current" doc:"It is believed now"`
	Authority  graph.Authority  `json:"authority,omitempty" doc:"Whose word it is: of an assistant, a document, a user or a person; left out: it is not believed now"`
	Versions   []TracedVersion  `json:"versions" doc:"Every state it was in, the oldest first"`
	Episodes   []TracedEpisode  `json:"episodes" doc:"That state or end it, or caused a version; at most 50, those that were said first"`
	Decisions  []Decision       `json:"decisions" doc:"What was decided about it while those were read"`
	BoundedBy  *graph.FactJSON  `json:"bounded_by,omitempty" doc:"The fact that it ended for; left out: its end is not inferred"`
	DisputedBy []graph.FactJSON `json:"disputed_by" doc:"Facts of a higher authority that contradict it"`
	Rejections []Rejection      `json:"rejections" doc:"How it was withdrawn or taken back, also where it was readmitted since"`
}

// TracedVersion is one version of a fact and what caused it.
type TracedVersion struct {
	graph.FactJSON
	Current  bool        `json:"current"`
	CausedBy []uuid.UUID `json:"caused_by" doc:"The episodes behind it; none: made by hand"`
	EndedBy  []uuid.UUID `json:"ended_by"`
	Edit     *Edit       `json:"edit,omitempty" doc:"The change by hand that made it; left out: none did"`
}

// Edit is a change by hand.
type Edit struct {
	EditedAt  time.Time       `json:"edited_at"`
	Action    string          `json:"action" doc:"add, edit, withdraw, restore, confirm, unconfirm, merge, split, rename, remove, release, hold, policy or sweep; or insert, update, delete by SQL"`
	Door      string          `json:"door" doc:"The way it came in: cli, rest, mcp, sql, …"`
	WrittenBy string          `json:"written_by,omitempty"`
	Authority graph.Authority `json:"authority"`
}

// TracedEpisode is an episode that a version of a fact rests on.
type TracedEpisode struct {
	Episode  graph.EpisodeJSON `json:"episode"`
	Role     string            `json:"role" enum:"states,ends,corrected,former" doc:"It states it, ends it, stated it before it was corrected; or has to do with a version that is past"`
	Sentence string            `json:"sentence" doc:"The part of its content that says so, word for word; empty: none can be told from the others"`
}

// Decision is a decision about an episode.
type Decision struct {
	EpisodeID uuid.UUID `json:"episode_id" format:"uuid"`
	TraceJSON
}

// FactTrace returns how a fact came to be what it is. It also works for a fact that is no longer
// believed.
func (s *Service) FactTrace(ctx context.Context, groupID string, factID uuid.UUID) (FactTrace, error) {
	history, err := s.client.History(ctx, groupID, factID)
	if err != nil {
		return FactTrace{}, err
	}
	t, last := newFactTrace(history), history[len(history)-1]
	q := db.New(s.pool)
	if err := s.traceEdits(ctx, q, &t, last); err != nil {
		return FactTrace{}, fmt.Errorf("read who changed fact %s: %w", factID, err)
	}
	others, err := s.lastFacts(ctx, q, groupID, append(slices.Clone(last.DisputedBy), last.BoundedBy))
	if err != nil {
		return FactTrace{}, fmt.Errorf("read what contradicts fact %s: %w", factID, err)
	}
	for _, other := range others {
		if other.ID == last.BoundedBy {
			t.BoundedBy = new(other.JSON())
		} else {
			t.DisputedBy = append(t.DisputedBy, other.JSON())
		}
	}
	if err := s.traceEpisodes(ctx, q, &t, history); err != nil {
		return FactTrace{}, fmt.Errorf("read what fact %s came from: %w", factID, err)
	}
	if t.Fact.Marks, err = markedAs(ctx, q, groupID, factID); err != nil {
		return FactTrace{}, fmt.Errorf("read what is noted about fact %s: %w", factID, err)
	}
	t.Rejections, err = s.Rejections(ctx, RejectionFilter{GroupID: groupID, ID: factID, Lifted: true})
	return t, err
}

func newFactTrace(history []annals.FactVersion) FactTrace {
	last := history[len(history)-1]
	t := FactTrace{
		Fact: last.JSON(), Current: last.Current, Episodes: []TracedEpisode{}, Decisions: []Decision{}, DisputedBy: []graph.FactJSON{},
	}
	for _, v := range history {
		t.Versions = append(t.Versions, TracedVersion{
			FactJSON: v.JSON(), Current: v.Current, CausedBy: append([]uuid.UUID{}, v.CausedBy...), EndedBy: append([]uuid.UUID{}, v.EndedBy...),
		})
	}
	return t
}

// traceEdits adds changes by hand to the versions that they made, and the authority of the fact if
// it is believed.
func (s *Service) traceEdits(ctx context.Context, q *db.Queries, t *FactTrace, last annals.FactVersion) error {
	edits, err := editsOf(ctx, q, last.GroupID, last.ID)
	if err != nil {
		return err
	}
	for _, edit := range edits {
		for i := range t.Versions {
			if since := t.Versions[i].KnownFrom; since != nil && since.Equal(edit.EditedAt) {
				t.Versions[i].Edit = &edit
			}
		}
	}
	if !last.Current {
		return nil
	}
	word, err := q.FactAuthorities(ctx, db.FactAuthoritiesParams{GroupID: last.GroupID, Ids: []uuid.UUID{last.ID}})
	if err == nil && len(word) > 0 {
		t.Authority = word[0].Authority
	}
	return err
}

func editsOf(ctx context.Context, q *db.Queries, groupID string, id uuid.UUID) ([]Edit, error) {
	rows, err := q.ExploreEdits(ctx, db.ExploreEditsParams{GroupID: groupID, SubjectID: id, MaxRows: maxTracedEdits})
	return listed(rows, err, editOf, "read edits of %s", groupID)
}

func editOf(r db.EditRow) Edit {
	return Edit{r.EditedAt.UTC(), r.Action, r.Door, r.WrittenBy, r.Authority}
}

// traceEpisodes adds the episodes that the fact rests on, and the decisions about it that were made
// in them.
func (s *Service) traceEpisodes(ctx context.Context, q *db.Queries, t *FactTrace, history []annals.FactVersion) error {
	fact := history[len(history)-1].Fact
	cited, err := q.ExploreCitations(ctx, db.ExploreCitationsParams{GroupID: fact.GroupID, FactID: fact.ID, MaxRows: annals.MaxRows})
	if err != nil {
		return err
	}
	roles, sentences := map[uuid.UUID]string{}, []string{}
	for _, v := range history {
		for _, id := range slices.Concat(v.Episodes, v.CausedBy, v.EndedBy) {
			roles[id] = "former"
		}
		if !slices.Contains(sentences, v.Fact.Fact) {
			sentences = append(sentences, v.Fact.Fact)
		}
	}
	for _, c := range cited {
		roles[c.EpisodeID] = string(c.Role)
	}
	ids := slices.SortedFunc(maps.Keys(roles), func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	if fact.Trust != graph.TrustCandidate { // a believed fact must not reveal episodes in quarantine
		if ids, err = q.EpisodesUnquarantined(ctx, db.EpisodesUnquarantinedParams{GroupID: fact.GroupID, Ids: ids}); err != nil {
			return err
		}
	}
	ids = ids[:min(len(ids), maxTracedEpisodes)]
	rows, err := q.EpisodesByIDs(ctx, db.EpisodesByIDsParams{GroupID: fact.GroupID, Ids: ids})
	if err != nil {
		return err
	}
	for _, row := range rows {
		e := db.Episode(row)
		said := saying{fact: fact, sentences: sentences}
		if ends := roles[e.ID] == string(graph.RoleEnds); ends && t.BoundedBy != nil {
			said.sentences = append(slices.Clone(sentences), t.BoundedBy.Fact)
		}
		t.Episodes = append(t.Episodes, TracedEpisode{Episode: e.JSON(), Role: roles[e.ID], Sentence: said.in(e.Content)})
	}
	decisions, err := q.ExploreDecisionsOfFact(ctx, db.ExploreDecisionsOfFactParams{
		GroupID: fact.GroupID, EpisodeIds: ids, FactID: &fact.ID, Sentences: sentences, MaxRows: maxTracedDecisions,
	})
	for _, d := range decisions {
		t.Decisions = append(t.Decisions, Decision{d.EpisodeID, TraceJSON{d.Step, d.Decision, d.Subject, d.Reason, d.EntityID, d.FactID}})
	}
	return err
}

// lastFacts reads the last version of facts, including facts that are gone.
func (s *Service) lastFacts(ctx context.Context, q *db.Queries, groupID string, ids []uuid.UUID) ([]annals.Fact, error) {
	ids = slices.DeleteFunc(ids, func(id uuid.UUID) bool { return id == uuid.Nil })
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := q.ExploreFactsLast(ctx, db.ExploreFactsLastParams{GroupID: groupID, Ids: ids})
	return listed(rows, err, db.Fact, "read facts of %s", groupID)
}
