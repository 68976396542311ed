package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// RecallQuery searches what an agent and its users said.
type RecallQuery struct {
	Text  string    // words or a question; empty: everything, the newest first
	Roles []string  // user and assistant; empty: both
	Since time.Time // said at or after this time; zero: no bound
	Until time.Time // said before this time; zero: no bound
	Skip  int
	Limit int // 1 to 200; zero: 5

	before int64 // only messages with smaller numbers; 0: all
}

// Said is something that was said to or by an agent.
type Said struct {
	EpisodeID  uuid.UUID `json:"episode_id"`
	Role       string    `json:"role"`
	Actor      string    `json:"actor,omitempty"`
	Content    string    `json:"content"`
	Note       string    `json:"note,omitempty" doc:"What became of what it says, in words: until May 2024, now Porto; left out: nothing that is known"`
	OccurredAt time.Time `json:"occurred_at"`
}

// Recall searches all that was said, by words and meaning, and returns a page of results and their
// number, which is counted to 200. Without a text it lists and counts everything, the newest first.
func (a *Agent) Recall(ctx context.Context, q RecallQuery) ([]Said, int, error) {
	var err error
	if q.Limit, err = limitOf(q.Limit, q.Skip); err == nil {
		err = validSpan(q.Since, q.Until)
	}
	if err != nil {
		return nil, 0, err
	}
	for _, role := range q.Roles {
		if role != roleUser && role != roleAssistant {
			return nil, 0, graph.Invalid("roles", "%q is neither user nor assistant", role)
		}
	}
	if q.Text == "" {
		return a.listSaid(ctx, q)
	}
	found, err := a.client().Search(ctx, annals.Query{
		GroupID: a.GroupID, Text: q.Text, Limit: maxFound, Scopes: []graph.Kind{graph.KindEpisode}, AskedAt: a.agents.options.Now(), Changes: true,
		Filter: hitsIn([]string{talkThread(a.ID)}, q.Roles, q.Since, q.Until),
	})
	if err != nil {
		return nil, 0, fmt.Errorf("search what was said: %w", err)
	}
	recent, err := a.saidFrom(ctx, q.before)
	if err != nil {
		return nil, 0, err
	}
	said := []Said{}
	for _, h := range found.Episodes {
		if !recent[h.ID] {
			said = append(said, Said{EpisodeID: h.ID, Role: h.Role, Actor: h.Actor, Content: h.Content, Note: a.note(h), OccurredAt: h.OccurredAt})
		}
	}
	return said[min(q.Skip, len(said)):min(q.Skip+q.Limit, len(said))], len(said), nil
}

// note describes what has become of an episode's statements.
func (a *Agent) note(h annals.EpisodeHit) string { return h.Note(a.agents.options.Now()) }

func limitOf(limit, skip int) (int, error) {
	if limit == 0 {
		limit = pageSize
	}
	if limit < 1 || limit > maxFound {
		return 0, graph.Invalid("limit", "is %d; it must be 1 to %d", limit, maxFound)
	}
	if skip < 0 || skip > math.MaxInt32 {
		return 0, graph.Invalid("skip", "is %d; it must be 0 to %d", skip, math.MaxInt32)
	}
	return limit, nil
}

// saidFrom returns the episodes of the messages from number first on; nil if first is 0.
func (a *Agent) saidFrom(ctx context.Context, first int64) (map[uuid.UUID]bool, error) {
	if first == 0 {
		return nil, nil
	}
	rows, err := read(ctx, a, func(q *db.Queries) ([]db.MessageRow, error) {
		return q.AgentMessagesFrom(ctx, db.AgentMessagesFromParams{GroupID: a.GroupID, AgentID: a.ID, First: first, MaxRows: maxQueue})
	})
	recent := map[uuid.UUID]bool{}
	for _, row := range rows {
		if row.EpisodeID != nil {
			recent[*row.EpisodeID] = true
		}
	}
	return recent, err
}

func validSpan(since, until time.Time) error {
	return cmp.Or(graph.ValidateTime("since", since), graph.ValidateTime("until", until))
}

func (a *Agent) listSaid(ctx context.Context, q RecallQuery) ([]Said, int, error) {
	roles := q.Roles
	if len(roles) == 0 {
		roles = []string{roleUser, roleAssistant}
	}
	said, total := []Said{}, 0
	err := a.client().InSnapshot(ctx, a.GroupID, func(tx pgx.Tx) error {
		said, total = said[:0], 0
		page := db.AgentMessagesBetweenParams{
			GroupID: a.GroupID, AgentID: a.ID, Roles: roles, Since: db.Nullable(q.Since), Until: db.Nullable(q.Until), Before: db.Nullable(q.before),
			MaxRows: int32(q.Limit), Skip: int32(q.Skip),
		}
		rows, err := db.New(tx).AgentMessagesBetween(ctx, page)
		if err == nil && len(rows) == 0 && q.Skip > 0 { // only rows have the total
			page.MaxRows, page.Skip = 1, 0
			var first []db.AgentMessagesBetweenRow
			first, err = db.New(tx).AgentMessagesBetween(ctx, page)
			for _, row := range first {
				total = int(row.Total)
			}
		}
		for _, row := range rows {
			total = int(row.Total)
			one := Said{Role: row.Role, Actor: row.Actor, Content: row.Content, OccurredAt: row.OccurredAt.UTC()}
			if row.EpisodeID != nil {
				one.EpisodeID = *row.EpisodeID
			}
			said = append(said, one)
		}
		if err != nil {
			return err
		}
		return a.noteSaid(ctx, tx, said)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list what was said: %w", err)
	}
	return said, total, nil
}

func (a *Agent) noteSaid(ctx context.Context, tx pgx.Tx, said []Said) error {
	rows := annals.Result{Episodes: make([]annals.EpisodeHit, len(said))}
	for i, s := range said {
		rows.Episodes[i].Episode = annals.Episode{ID: s.EpisodeID, Content: s.Content}
	}
	err := annals.Annotate(ctx, tx, annals.Query{GroupID: a.GroupID, AskedAt: a.agents.options.Now()}, &rows)
	for i, h := range rows.Episodes {
		said[i].Note = a.note(h)
	}
	return err
}

// PassageQuery searches an agent's archive.
type PassageQuery struct {
	Text      string
	Tags      []string // passages with any of them, or, with AllTags, with all of them; empty: any
	AllTags   bool
	FilesOnly bool      // only attached documents
	Since     time.Time // stored at or after this time; zero: no bound
	Until     time.Time // stored before this time; zero: no bound
	Skip      int
	Limit     int // 1 to 200; zero: 5
}

// Passage is a text in the archive, or a part of an attached document.
type Passage struct {
	ID        uuid.UUID `json:"id"`
	Content   string    `json:"content"`
	Note      string    `json:"note,omitempty" doc:"What became of what it says, in words; left out: nothing that is known"`
	Tags      []string  `json:"tags,omitempty"`
	File      string    `json:"file,omitempty"` // the document; empty: none
	FirstLine int       `json:"first_line,omitempty"`
	LastLine  int       `json:"last_line,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

// SearchArchive searches the archive, by words and meaning, and returns a page of results and their
// number, which is counted to 200.
func (a *Agent) SearchArchive(ctx context.Context, q PassageQuery) ([]Passage, int, error) {
	var err error
	if q.Limit, err = limitOf(q.Limit, q.Skip); err == nil {
		err = validSpan(q.Since, q.Until)
	}
	if err != nil {
		return nil, 0, err
	}
	threads := []string{archiveThread(a.ID), filesThread(a.ID)}
	if q.FilesOnly {
		threads = threads[1:]
	}
	filter := hitsIn(threads, nil, q.Since, q.Until)
	filter.Metadata = taggedWith(q.Tags, q.AllTags)
	found, err := a.client().Search(ctx, annals.Query{
		GroupID: a.GroupID, Text: q.Text, Limit: maxFound, Scopes: []graph.Kind{graph.KindEpisode}, Filter: filter, AskedAt: a.agents.options.Now(), Changes: true,
	})
	if err != nil {
		return nil, 0, fmt.Errorf("search the archive: %w", err)
	}
	passages := []Passage{}
	for _, h := range found.Episodes[min(q.Skip, len(found.Episodes)):min(q.Skip+q.Limit, len(found.Episodes))] {
		p := Passage{ID: h.ID, Content: h.Content, Note: a.note(h), CreatedAt: h.OccurredAt}
		if err := json.Unmarshal(h.Metadata, &p); err != nil {
			return nil, 0, fmt.Errorf("read the tags of a passage: %w", err)
		}
		passages = append(passages, p)
	}
	return passages, len(found.Episodes), nil
}

func taggedWith(tags []string, all bool) *annals.Condition {
	if len(tags) == 0 {
		return nil
	}
	var each []annals.Condition
	for _, tag := range tags {
		each = append(each, annals.Condition{Path: []string{"tags"}, Op: "eq", Value: tag})
	}
	if all {
		return &annals.Condition{And: each}
	}
	return &annals.Condition{Or: each}
}
