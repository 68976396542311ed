package graph

import "github.com/google/uuid"

// Trust says whether a fact is believed.
type Trust string

// The trust of a fact. A rejected fact has none: it is no longer a fact.
const (
	TrustCandidate Trust = "candidate" // waits to be confirmed, as its group's [TrustPolicy] demands
	TrustDisputed  Trust = "disputed"  // a higher authority contradicts it; both remain
	TrustBelieved  Trust = "believed"

	// TrustAll selects facts of every state in a query.
	TrustAll Trust = "all"
)

// ValidateTrust checks the trust that a query asks for. Empty stands for believed or
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

// TrustPolicy says which statements a group does not believe until somebody confirms
// them, and whether records may end what a user said. The zero value withholds nothing
// and lets no record end it.
type TrustPolicy struct {
	// Assistants keeps statements of assistants candidates until a user or a person says
	// the same or confirms them by hand.
	Assistants bool `json:"assistants" required:"false" doc:"What assistants say stays a candidate until a user or a person says the same or confirms it"`

	// Documents keeps texts, JSON, and the words of tools, functions and systems in
	// quarantine until they are released.
	Documents bool `json:"documents" required:"false" doc:"Documents, and what tools and systems say, are in quarantine until they are released"`

	// Threads applies the rule of Documents to these conversations only, at most 1000.
	Threads []string `json:"threads" flag:"thread-id" required:"false" maxItems:"1000" doc:"Conversations whose documents, and what tools and systems say there, are in quarantine until they are released"`

	// Doors, Roles and Sources quarantine every episode that comes by one of these ways
	// in, from one of these roles, or with one of these source descriptions, such as a
	// file name; at most 1000 each.
	Doors   []string `json:"doors" flag:"door" required:"false" maxItems:"1000" doc:"Ways in, such as mcp or import: what comes by them is in quarantine until it is released"`
	Roles   []string `json:"roles" flag:"role" required:"false" maxItems:"1000" doc:"Roles, such as user or tool: what they say is in quarantine until it is released"`
	Sources []string `json:"sources" flag:"source" required:"false" maxItems:"1000" doc:"Source descriptions, such as names of files: what comes with them is in quarantine until it is released"`

	// Relations keeps all facts of these relations candidates until they are confirmed by
	// hand; at most 1000.
	Relations []string `json:"relations" flag:"relation" required:"false" maxItems:"1000" doc:"Relations, such as ALLERGIC_TO: their facts stay candidates until they are confirmed, whoever states them"`

	// RecordsSucceed lets a record, which comes from a tool or a document, end what a
	// user said about an earlier time.
	RecordsSucceed bool `json:"records_succeed" required:"false" doc:"A record of a later time, of a tool or in a document, ends what a user said of an earlier one; otherwise both stand"`

	// SkillProof is the number of successes in a row, 0 to 1000, after which a skill is
	// confirmed without a review. Zero: skills are confirmed only by hand.
	SkillProof int `json:"skill_proof" flag:"skill-proof" required:"false" minimum:"0" maximum:"1000" doc:"How often in a row a procedure must have worked to be a confirmed skill without a review; 0: only by hand"`
}

// Release names episodes to take out of quarantine by hand: some episodes, all those of a
// conversation that are in it now, or all of the group. Exactly one field of the three is
// set.
type Release struct {
	EpisodeIDs []uuid.UUID
	ThreadID   string
	All        bool

	// Hold reverses a release: it puts them back into quarantine.
	Hold bool
}

// Validate checks that exactly one of the three is set.
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
