package input

// Page holds the parameters of lists, which are returned in pages.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many at the most"`
	Cursor string `query:"cursor" flag:"-" mcp:"-" to:"-" maxLength:"1000" doc:"next_cursor of the page before; left out: the first page"`
}

// Belief holds the parameter of reads as of another time of belief.
type Belief struct {
	KnownAt string `query:"known_at" maxLength:"64" doc:"As we believed it at this time"`
}

// Times holds the parameters of reads as of other times in the world and of belief.
type Times struct {
	Belief
	AsOf string `query:"as_of" to:"ValidAt,AsOf" maxLength:"64" doc:"As it was in the world at this time: RFC 3339, 2024-03-15 or 2024-03-15T09:30"`
}
