package service

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// The limits on an [Overview] and on [Times].
const (
	DefaultMarks = 400
	MaxMarks     = 2_000

	maxSpeakers = 50
	maxSalient  = 20
	maxQueues   = 200
)

// Overview is what a group holds. Counts end at a million.
type Overview struct {
	Episodes       int        `json:"episodes"`
	Waiting        int        `json:"waiting" doc:"Episodes that are not read yet"`
	Failed         int        `json:"failed"`
	Entities       int        `json:"entities"`
	Facts          int        `json:"facts" doc:"That are believed now, also those that have ended"`
	FactsEnded     int        `json:"facts_ended"`
	Events         int        `json:"events" doc:"Facts that happened"`
	FormerVersions int        `json:"former_versions" doc:"Of facts, that are believed no longer"`
	Communities    int        `json:"communities"`
	Threads        int        `json:"threads"`
	Agents         int        `json:"agents"`
	Rejections     int        `json:"rejections"`
	FirstSaid      *time.Time `json:"first_said" nullable:"true"`
	LastSaid       *time.Time `json:"last_said" nullable:"true"`
	FirstKnown     *time.Time `json:"first_known" nullable:"true" doc:"When the first fact that is believed was recorded"`
	LastKnown      *time.Time `json:"last_known" nullable:"true" doc:"When its graph was last written"`
	Speakers       []Speaker  `json:"speakers" doc:"Who speaks, the most first"`
	Salient        []Salient  `json:"salient" doc:"What is spoken of most lately, as of the last episode"`
}

// Speaker is who said or wrote episodes of a group.
type Speaker struct {
	Actor    string    `json:"actor" doc:"Empty: nobody is named"`
	Role     string    `json:"role"`
	Episodes int       `json:"episodes"`
	FirstAt  time.Time `json:"first_at"`
	LastAt   time.Time `json:"last_at"`
}

// Salient is an entity with its salience.
type Salient struct {
	ID       uuid.UUID `json:"id" format:"uuid"`
	Name     string    `json:"name"`
	Mentions int       `json:"mentions"`
	Salience float64   `json:"salience"`
}

// Overview returns the counts of a group, its time span and who speaks in it.
func (s *Service) Overview(ctx context.Context, groupID string) (Overview, error) {
	if _, err := s.client.Group(ctx, groupID); err != nil {
		return Overview{}, err
	}
	o := Overview{Speakers: []Speaker{}, Salient: []Salient{}}
	err := db.InSnapshot(ctx, s.pool, groupID, func(q *db.Queries) error {
		row, err := q.ExploreOverview(ctx, db.ExploreOverviewParams{GroupID: groupID, Bound: countBound})
		if err != nil {
			return err
		}
		o = overviewOf(row)
		speakers, err := q.ExploreSpeakers(ctx, db.ExploreSpeakersParams{GroupID: groupID, MaxRows: maxSpeakers})
		if err != nil {
			return err
		}
		for _, r := range speakers {
			o.Speakers = append(o.Speakers, Speaker{r.Actor, r.Role, int(r.Episodes), r.FirstAt.UTC(), r.LastAt.UTC()})
		}
		if o.LastSaid == nil {
			return nil
		}
		entities, err := salient(ctx, q, groupID, *o.LastSaid, maxSalient)
		for _, r := range entities {
			o.Salient = append(o.Salient, Salient{r.ID, r.Name, int(r.Mentions), r.Salience})
		}
		return err
	})
	return o, wrapCoded(err, "look over %s", groupID)
}

// salient returns the entities with the highest salience as of a time, among the most mentioned
// ones.
func salient(ctx context.Context, q *db.Queries, groupID string, at time.Time, most int) ([]db.ExploreEntitiesRow, error) {
	const among, latest = 100, 50 // entities, and mentions of each
	ids, err := q.ExploreEntityIDs(ctx, db.ExploreEntityIDsParams{GroupID: groupID, MaxRows: among})
	if err != nil {
		return nil, err
	}
	rows, err := q.ExploreEntities(ctx, db.ExploreEntitiesParams{GroupID: groupID, Ids: ids, At: at, Latest: latest})
	return rows[:min(most, len(rows))], err
}

func overviewOf(r db.ExploreOverviewRow) Overview {
	return Overview{
		Episodes: int(r.Episodes), Waiting: int(r.Waiting), Failed: int(r.Failed), Entities: int(r.Entities), Facts: int(r.Facts),
		FactsEnded: int(r.FactsEnded), Events: int(r.Events), FormerVersions: int(r.FormerVersions), Communities: int(r.Communities),
		Threads: int(r.Threads), Agents: int(r.Agents), Rejections: int(r.Rejections), FirstSaid: utc(r.FirstSaid), LastSaid: utc(r.LastSaid),
		FirstKnown: utc(r.FirstKnown), LastKnown: utc(r.LastKnown), Speakers: []Speaker{}, Salient: []Salient{},
	}
}

// utc converts a time to UTC; nil if it is zero.
func utc(t time.Time) *time.Time { return db.Nullable(t.UTC()) }

// Waiting counts the episodes that are not read, of one group or of all.
type Waiting struct {
	Pending    int        `json:"pending"`
	Processing int        `json:"processing"`
	Failed     int        `json:"failed" doc:"That could not be read; a retry reads them again"`
	Deferred   int        `json:"deferred" doc:"That were kept from the model"`
	Oldest     *time.Time `json:"oldest" nullable:"true" doc:"When the first of those that wait was added; null: none waits"`
}

// GroupWaiting counts the episodes of one group that are not read.
type GroupWaiting struct {
	GroupID string `json:"group_id"`
	Waiting
}

// Waiting counts the episodes of a group that are not read.
func (s *Service) Waiting(ctx context.Context, groupID string) (Waiting, error) {
	if err := s.admit(groupID); err != nil {
		return Waiting{}, err
	}
	r, err := db.New(s.pool).ExploreQueue(ctx, groupID)
	return Waiting{int(r.Pending), int(r.Processing), int(r.Failed), int(r.Deferred), utc(r.Oldest)}, wrapCoded(err, "look at what waits in %s", groupID)
}

// WaitingByGroup lists the groups with episodes that are not read, those that wait longest first.
func (s *Service) WaitingByGroup(ctx context.Context) ([]GroupWaiting, error) {
	if err := s.unbound(); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).ExploreQueues(ctx, maxQueues)
	return listed(rows, err, func(r db.ExploreQueuesRow) GroupWaiting {
		return GroupWaiting{r.GroupID, Waiting{int(r.Pending), int(r.Processing), int(r.Failed), int(r.Deferred), utc(r.Oldest)}}
	}, "look at what waits")
}

// Times are the times at which something changed in a group.
type Times struct {
	Valid Axis `json:"valid" doc:"In the world, as it is believed now: facts begin to hold, end, or happen"`
	Known Axis `json:"known" doc:"In our belief: facts are recorded, changed, withdrawn"`
}

// Axis is one of the two axes of time.
type Axis struct {
	First    *time.Time `json:"first" nullable:"true" doc:"null: nothing has a time"`
	Last     *time.Time `json:"last" nullable:"true"`
	Complete bool       `json:"complete" doc:"Each mark is one time; else neighbouring times share a mark"`
	Marks    []Mark     `json:"marks" doc:"In their order"`
}

// Mark is a time at which something changed, or several neighbouring times.
type Mark struct {
	At    time.Time `json:"at" doc:"The first of them"`
	Until time.Time `json:"until" doc:"The last of them"`
	Facts int       `json:"facts" doc:"How many facts changed"`
}

// Times returns when something changed in a group, on both axes of time, as at most that many
// marks; zero: DefaultMarks. If there are more times than marks, each mark stands for about as many
// of them.
func (s *Service) Times(ctx context.Context, groupID string, marks int) (Times, error) {
	if marks == 0 {
		marks = DefaultMarks
	}
	if marks < 1 || marks > MaxMarks {
		return Times{}, graph.Invalid("marks", "is %d; it has to be 1 to %d", marks, MaxMarks)
	}
	if err := s.admit(groupID); err != nil {
		return Times{}, err
	}
	var t Times
	err := db.InSnapshot(ctx, s.pool, groupID, func(q *db.Queries) error {
		t = Times{Valid: newAxis(), Known: newAxis()} // a retry of the transaction starts again
		rows, err := q.ExploreTimes(ctx, db.ExploreTimesParams{GroupID: groupID, MaxRows: int64(marks)})
		for _, r := range rows {
			axis := &t.Valid
			if r.Axis == "known" {
				axis = &t.Known
			}
			axis.add(r.At, r.Last, r.Facts, r.Times)
		}
		return err
	})
	return t, wrapCoded(err, "list the times of %s", groupID)
}

func newAxis() Axis { return Axis{Complete: true, Marks: []Mark{}} }

// add appends a mark that stands for that many times.
func (a *Axis) add(at, last time.Time, facts, times int64) {
	mark := Mark{at.UTC(), last.UTC(), int(facts)}
	a.Marks = append(a.Marks, mark)
	a.Complete = a.Complete && times == 1
	if a.First == nil {
		a.First = &mark.At
	}
	a.Last = &mark.Until
}
