package graph

import "time"

// Mark is an annotation of a fact, an episode, an entity or a skill.
type Mark string

// The marks, and those that lift them. Entities can only be pinned, skills only judged.
const (
	MarkExpires  Mark = "expires"  // hidden from a given time on, and removed later
	MarkKeeps    Mark = "keeps"    // lifts MarkExpires
	MarkPinned   Mark = "pinned"   // it comes first in contexts
	MarkUnpinned Mark = "unpinned" // lifts MarkPinned
	MarkUseful   Mark = "useful"   // ranks a little higher
	MarkWrong    Mark = "wrong"    // moves its ranks down a little
	MarkOutdated Mark = "outdated" // moves its ranks down a little, where no time in the world is asked for
	MarkUnjudged Mark = "unjudged" // withdraws the judgement of the same judge
)

// MaxMarked is the most things that one call may mark.
const MaxMarked = 1000

// Marks are the annotations of a fact, an episode, an entity or a skill. The zero value
// has none.
type Marks struct {
	ExpiresAt time.Time // when it becomes hidden; zero: never
	Pinned    bool      // it comes first in contexts

	// The number of judges with this opinion. Each judge counts once.
	Useful, Wrong, Outdated int
}

// MarksJSON is the JSON form of [Marks], the same at every door.
type MarksJSON struct {
	ExpiresAt *time.Time `json:"expires_at,omitempty" doc:"From when on it is hidden"`
	Pinned    bool       `json:"pinned,omitempty" doc:"It comes first in contexts"`
	Useful    int        `json:"useful,omitempty" doc:"How many found it useful"`
	Wrong     int        `json:"wrong,omitempty" doc:"How many found it wrong"`
	Outdated  int        `json:"outdated,omitempty" doc:"How many found it outdated"`
}

// JSON returns the JSON form of the marks, or nil if there are none.
func (m Marks) JSON() *MarksJSON {
	if m == (Marks{}) {
		return nil
	}
	return &MarksJSON{ExpiresAt: orNull(m.ExpiresAt), Pinned: m.Pinned, Useful: m.Useful, Wrong: m.Wrong, Outdated: m.Outdated}
}
