package input

// Timeline chooses what changed.
type Timeline struct {
	Page
	Times
	LatestFirst bool `query:"latest_first" doc:"The other way round: what changed last comes first"`
}

// Diff names two times of belief.
type Diff struct {
	From  string `query:"from" required:"true" maxLength:"64" doc:"The earlier time" example:"2024-03-15"`
	To    string `query:"to" maxLength:"64" doc:"The later time; left out: now"`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"Facts, and entities, at the most"`
}
