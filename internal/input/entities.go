package input

// ListEntities selects entities.
type ListEntities struct {
	Page
	Times
}

// EntityChange is a change of an entity.
type EntityChange struct {
	Name string `json:"name" flag:"-" minLength:"1" maxLength:"512" doc:"What it is called from now on; the old name stays as an alias"`
}

// MergeInto names the entity that another one is merged into.
type MergeInto struct {
	Into string `json:"into" flag:"-" minLength:"1" maxLength:"512" doc:"The entity that stays, by its id or a name that only one goes by"`
}

// SplitOff is the part to split off an entity.
type SplitOff struct {
	Name  string   `json:"name" minLength:"1" maxLength:"512" doc:"What the new entity is called"`
	Facts []string `json:"facts" minItems:"1" maxItems:"10000" doc:"Ids of the facts that belong to it"`
}

// ListCommunities selects communities.
type ListCommunities struct {
	Page
	Belief
}

// ListObservations selects observations.
type ListObservations struct {
	Page
	Times
	Entity       string `query:"entity" to:"-" maxLength:"512" doc:"Only those of this entity, by its id or name"`
	IncludeEnded bool   `query:"include_ended" to:"Ended" doc:"Also those that hold no longer"`
}
