package input

// Timeline selects changes of the timeline.
type Timeline struct {
	Page
	Times
	LatestFirst bool `query:"latest_first" doc:"The other way round: what changed last comes first"`
}

// Lanes selects lanes of the timeline and limits the number of their facts.
type Lanes struct {
	Entity   []string `query:"entity,explode" to:"-" maxItems:"20" doc:"Whose lanes, by an id or a name that only one goes by; left out: of those that are spoken of most lately"`
	Relation string   `query:"relation" maxLength:"512" doc:"Only this lane, as home, or the one of this predicate, as LIVES_IN"`
	MaxFacts int      `query:"max_facts" minimum:"1" maximum:"5000" default:"2000" doc:"Facts at the most, the newest"`
}

// Diff holds the two times of a diff.
type Diff struct {
	From  string `query:"from" required:"true" maxLength:"64" doc:"The earlier time" example:"2024-03-15"`
	To    string `query:"to" maxLength:"64" doc:"The later time; left out: now"`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Facts, and entities, at the most"`
}
