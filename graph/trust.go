package graph

import "github.com/google/uuid"

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

	// Threads are the conversations of which the same is in quarantine, at most 1000.
	Threads []string `json:"threads" flag:"thread-id" required:"false" maxItems:"1000" doc:"Conversations whose documents, and what tools and systems say there, are in quarantine until they are released"`

	// Doors, Roles and Sources keep in quarantine what comes by a way in, from a role, or
	// with a source description such as the name of a file, whoever says it; each at most
	// 1000.
	Doors   []string `json:"doors" flag:"door" required:"false" maxItems:"1000" doc:"Ways in, such as mcp or import: what comes by them is in quarantine until it is released"`
	Roles   []string `json:"roles" flag:"role" required:"false" maxItems:"1000" doc:"Roles, such as user or tool: what they say is in quarantine until it is released"`
	Sources []string `json:"sources" flag:"source" required:"false" maxItems:"1000" doc:"Source descriptions, such as names of files: what comes with them is in quarantine until it is released"`

	// Relations keeps the facts of some relations candidates until they are confirmed by
	// hand, whoever states them; at most 1000.
	Relations []string `json:"relations" flag:"relation" required:"false" maxItems:"1000" doc:"Relations, such as ALLERGIC_TO: their facts stay candidates until they are confirmed, whoever states them"`

	// RecordsSucceed lets a record, of a tool or in a document, end what a user said
	// earlier.
	RecordsSucceed bool `json:"records_succeed" required:"false" doc:"A record of a later time, of a tool or in a document, ends what a user said of an earlier one; otherwise both stand"`

	// SkillProof is how often in a row a procedure must have worked for its skill to be
	// confirmed without a review, 0 to 1000. Zero: skills are only confirmed by hand.
	SkillProof int `json:"skill_proof" flag:"skill-proof" required:"false" minimum:"0" maximum:"1000" doc:"How often in a row a procedure must have worked to be a confirmed skill without a review; 0: only by hand"`
}

// Release names what is taken out of quarantine by hand: episodes, all that is in it of a
// conversation now, or all of the group. Exactly one is set.
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
