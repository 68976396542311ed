package client

import (
	"context"
	"io"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
)

// Memory is the common interface of a memory in this process ([annals.Client]) and
// a served one ([Client]). Programs that use it choose between them only where they
// open it.
type Memory interface {
	Add(ctx context.Context, episode annals.Episode) (annals.Stored, error)
	AddAll(ctx context.Context, episodes []annals.Episode) ([]annals.Stored, error)
	Episode(ctx context.Context, groupID string, id uuid.UUID) (annals.Episode, error)
	Episodes(ctx context.Context, f annals.EpisodeFilter) ([]annals.Episode, error)
	EpisodeCounts(ctx context.Context, groupID string) (map[graph.State]int, error)
	Trace(ctx context.Context, groupID string, episodeID uuid.UUID) ([]annals.TraceEntry, error)
	Retry(ctx context.Context, groupID string) (int, error)
	Undo(ctx context.Context, groupID string, id uuid.UUID) (annals.Undone, error)
	UndoAll(ctx context.Context, undoing annals.Undoing) (annals.Undone, error)

	Search(ctx context.Context, q annals.Query) (annals.Result, error)
	Context(ctx context.Context, q annals.Query) (string, error)
	ContextAs(ctx context.Context, q annals.Query, as annals.Construction) (string, error)
	Ask(ctx context.Context, q annals.Question) (annals.Answer, error)

	Fact(ctx context.Context, groupID string, id uuid.UUID) (annals.Fact, error)
	Facts(ctx context.Context, f annals.FactFilter) ([]annals.Fact, error)
	AddTriple(ctx context.Context, t annals.Triple) (annals.AddedTriple, error)
	EditFact(ctx context.Context, groupID string, id uuid.UUID, edit annals.FactEdit, versions ...time.Time) (annals.Fact, error)
	WithdrawFact(ctx context.Context, groupID string, factID uuid.UUID, versions ...time.Time) error
	RestoreFact(ctx context.Context, groupID string, id uuid.UUID) (annals.Fact, error)
	History(ctx context.Context, groupID string, factID uuid.UUID) ([]annals.FactVersion, error)
	Timeline(ctx context.Context, f annals.TimelineFilter) ([]annals.Change, error)
	Diff(ctx context.Context, f annals.DiffFilter) (annals.Diff, error)

	Entity(ctx context.Context, groupID, idOrName string) (annals.Entity, error)
	EntityAt(ctx context.Context, groupID, idOrName string, knownAt time.Time) (annals.Entity, error)
	Entities(ctx context.Context, f annals.EntityFilter) ([]annals.Entity, error)
	EntityHistory(ctx context.Context, groupID string, entityID uuid.UUID) ([]annals.EntityVersion, error)
	RenameEntity(ctx context.Context, groupID string, id uuid.UUID, name string, versions ...time.Time) (annals.Entity, error)
	MergeEntities(ctx context.Context, groupID string, from, into uuid.UUID) (annals.Entity, error)
	SplitEntity(ctx context.Context, groupID string, from uuid.UUID, name string, factIDs []uuid.UUID) (annals.Entity, error)
	Communities(ctx context.Context, f annals.CommunityFilter) ([]annals.Membership, error)
	BuildCommunities(ctx context.Context, groupID string) (annals.Built, error)

	Observations(ctx context.Context, f annals.ObservationFilter) ([]annals.Observation, error)
	ObservationHistory(ctx context.Context, groupID string, id uuid.UUID) ([]annals.Observation, error)
	Observe(ctx context.Context, groupID string) error
	Skills(ctx context.Context, f annals.SkillFilter) ([]annals.Skill, error)
	KeepAnswer(ctx context.Context, q annals.Question) (annals.StandingAnswer, error)
	StandingAnswers(ctx context.Context, f annals.StandingFilter) ([]annals.StandingAnswer, error)
	DropAnswer(ctx context.Context, groupID string, id uuid.UUID) error

	Groups(ctx context.Context, f annals.GroupFilter) ([]annals.Group, error)
	Group(ctx context.Context, groupID string) (annals.Group, error)
	CreateGroup(ctx context.Context, g annals.Group) (annals.Group, error)
	UpdateGroup(ctx context.Context, groupID string, change annals.GroupChange) (annals.Group, error)
	Threads(ctx context.Context, f annals.ThreadFilter) ([]annals.Thread, error)
	Thread(ctx context.Context, groupID, threadID string) (annals.Thread, error)
	SummariseThread(ctx context.Context, groupID, threadID string) (string, error)
	Ontology(ctx context.Context, groupID string) (annals.Ontology, error)
	SetOntology(ctx context.Context, groupID string, o annals.Ontology) error
	Retention(ctx context.Context, groupID string) (annals.Retention, error)
	SetRetention(ctx context.Context, groupID string, r annals.Retention) error
	ApplyRetention(ctx context.Context, groupID string, anyReader bool) (annals.Undone, error)
	Usage(ctx context.Context, groupID string) ([]annals.Usage, error)

	Erase(ctx context.Context, what annals.Erasure) (annals.Certificate, error)
	Export(ctx context.Context, groupID string, w io.Writer, options annals.ExportOptions) (annals.Moved, error)
	Import(ctx context.Context, r io.Reader, options annals.ImportOptions) (annals.Moved, error)
	Close()
}

var (
	_ Memory = (*annals.Client)(nil)
	_ Memory = (*Client)(nil)
)
