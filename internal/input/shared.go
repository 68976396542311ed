package input

// Page is what lists are told, which come in pages.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many at the most"`
	Cursor string `query:"cursor" flag:"-" mcp:"-" to:"-" maxLength:"1000" doc:"next_cursor of the page before; left out: the first page"`
}

// Belief is what readings of another time of belief are told.
type Belief struct {
	KnownAt string `query:"known_at" maxLength:"64" doc:"As we believed it at this time"`
}

// Times is what readings of another time on both axes are told.
type Times struct {
	Belief
	AsOf string `query:"as_of" to:"ValidAt,AsOf" maxLength:"64" doc:"As it was in the world at this time: RFC 3339, 2024-03-15 or 2024-03-15T09:30"`
}
