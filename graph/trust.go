package graph

import (
	"slices"

	"github.com/google/uuid"
)

// Trust says whether a fact is believed.
type Trust string

// The states of a fact, beside that of being rejected, in which it is no fact any more.
const (
	TrustCandidate Trust = "candidate" // it waits to be confirmed: its group withholds whose word it is
	TrustDisputed  Trust = "disputed"  // a higher authority contradicts it; both stand
	TrustBelieved  Trust = "believed"

	// TrustAll asks for facts of every state.
	TrustAll Trust = "all"
)

// ValidateTrust checks what readers ask for. Empty stands for what is believed or
// disputed.
func ValidateTrust(field string, t Trust) error {
	switch t {
	case "", TrustBelieved, TrustCandidate, TrustDisputed, TrustAll:
		return nil
	case "rejected":
		return Invalid(field, "is rejected, which is no fact any more; 'annals facts rejected' lists those")
	}
	return Invalid(field, "%q is not one of believed, candidate, disputed, all", t)
}

// TrustPolicy is what a group does not believe until somebody confirms it, and what may
// end what a user said. Its zero value withholds nothing, and lets nothing do so.
type TrustPolicy struct {
	// Assistants keeps what assistants say a candidate until a user or a person says
	// the same or confirms it by hand.
	Assistants bool `json:"assistants" required:"false" doc:"What assistants say stays a candidate until a user or a person says the same or confirms it"`

	// Documents keeps texts, JSON and what tools, functions and systems say in
	// quarantine until it is released.
	Documents bool `json:"documents" required:"false" doc:"Documents, and what tools and systems say, are in quarantine until they are released"`

	// Threads are the conversations in quarantine, at most MaxPolicyThreads.
	Threads []string `json:"threads" flag:"thread-id" required:"false" maxItems:"1000" doc:"Conversations whose documents are in quarantine until they are released"`

	// RecordsSucceed lets a record, of a tool or in a document, end what a user said
	// earlier.
	RecordsSucceed bool `json:"records_succeed" required:"false" doc:"A record of a later time, of a tool or in a document, ends what a user said of an earlier one; otherwise both stand"`
}

// MaxPolicyThreads is how many conversations a policy names at the most.
const MaxPolicyThreads = 1000

// Withholds reports whether anything is withheld.
func (p TrustPolicy) Withholds() bool { return p.Assistants || p.Documents || len(p.Threads) > 0 }

// Prepared checks a policy, and writes its conversations in order, each once.
func (p TrustPolicy) Prepared() (TrustPolicy, error) {
	if n := len(p.Threads); n > MaxPolicyThreads {
		return p, Invalid("threads", "are %d; the limit is %d", n, MaxPolicyThreads)
	}
	for _, thread := range p.Threads {
		if thread == "" {
			return p, Invalid("threads", "names an empty one; leave it out")
		}
		if err := ValidateText("threads", thread, MaxName); err != nil {
			return p, err
		}
	}
	threads := slices.Clone(p.Threads)
	slices.Sort(threads)
	p.Threads = slices.Compact(threads)
	if p.Threads == nil {
		p.Threads = []string{}
	}
	return p, nil
}

// Release names what is taken out of quarantine by hand: episodes, all that a
// conversation holds now, or all that the group does. Exactly one is set.
type Release struct {
	EpisodeIDs []uuid.UUID
	ThreadID   string
	All        bool

	// Hold takes the release back.
	Hold bool
}

// Validate checks that one thing is named.
func (r Release) Validate() error {
	named := 0
	for _, is := range []bool{len(r.EpisodeIDs) > 0, r.ThreadID != "", r.All} {
		if is {
			named++
		}
	}
	switch {
	case named != 1:
		return Invalid("episodes", "name episodes, a thread, or all; one of the three")
	case len(r.EpisodeIDs) > MaxRows:
		return Invalid("episodes", "are %d; name 1 to %d", len(r.EpisodeIDs), MaxRows)
	}
	return ValidateText("thread", r.ThreadID, MaxName)
}
