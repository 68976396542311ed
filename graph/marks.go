package graph

import "time"

// Mark is what is noted about a fact, an episode, an entity or a skill.
type Mark string

// The marks, and what ends them. Entities can only be pinned, skills only judged.
const (
	MarkExpires  Mark = "expires"  // hidden from a time on, and taken out later
	MarkKeeps    Mark = "keeps"    // it does not expire any more
	MarkPinned   Mark = "pinned"   // it comes first in contexts
	MarkUnpinned Mark = "unpinned" // it does not any more
	MarkUseful   Mark = "useful"   // moves its ranks up a little
	MarkWrong    Mark = "wrong"    // moves its ranks down a little
	MarkOutdated Mark = "outdated" // moves its ranks down a little, where no time in the world is asked for
	MarkUnjudged Mark = "unjudged" // takes back what the same one found
)

// MaxMarked is how many things are marked at a time at the most.
const MaxMarked = 1000

// Marks is what is noted about a fact, an episode, an entity or a skill. The zero value is
// nothing.
type Marks struct {
	ExpiresAt time.Time // from when on it is hidden; zero: it does not expire
	Pinned    bool      // it comes first in contexts

	// How many found it so. Each who judges has one word.
	Useful, Wrong, Outdated int
}

// MarksJSON is what is noted about a thing, as every door shows it.
type MarksJSON struct {
	ExpiresAt *time.Time `json:"expires_at,omitempty" doc:"From when on it is hidden"`
	Pinned    bool       `json:"pinned,omitempty" doc:"It comes first in contexts"`
	Useful    int        `json:"useful,omitempty" doc:"How many found it useful"`
	Wrong     int        `json:"wrong,omitempty" doc:"How many found it wrong"`
	Outdated  int        `json:"outdated,omitempty" doc:"How many found it outdated"`
}

// JSON is nil where nothing is noted.
func (m Marks) JSON() *MarksJSON {
	if m == (Marks{}) {
		return nil
	}
	return &MarksJSON{ExpiresAt: orNull(m.ExpiresAt), Pinned: m.Pinned, Useful: m.Useful, Wrong: m.Wrong, Outdated: m.Outdated}
}
