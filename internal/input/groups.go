package input

import "github.com/annalsdb/annals/graph"

// NewGroup is a group to create.
type NewGroup struct {
	ID   string          `json:"id" flag:"-" minLength:"1" maxLength:"200" doc:"Letters, digits and _ - . : @ +" example:"alice"`
	Kind graph.GroupKind `json:"kind,omitempty" enum:"graph,user" doc:"Whose memory it is; left out: graph"`

	Name        string `json:"name,omitempty" doc:"A title"`
	Description string `json:"description,omitempty" doc:"What it is for"`
	TimeZone    string `json:"time_zone,omitempty" doc:"Of whom it is about, an IANA name" example:"Europe/Paris"`
	Force       bool   `json:"force,omitempty" doc:"Make it again where it was erased: its name is free then, and what it held is not refused"`
}

// GroupChange is a change of a group.
type GroupChange struct {
	Name        *string `json:"name,omitempty" doc:"A title"`
	Description *string `json:"description,omitempty" doc:"What it is for"`
	TimeZone    *string `json:"time_zone,omitempty" doc:"Of whom it is about, an IANA name" example:"Europe/Paris"`
}

// UserFields are the details of a user.
type UserFields struct {
	Email     *string `json:"email,omitempty" maxLength:"512"`
	FirstName *string `json:"first_name,omitempty" maxLength:"512"`
	LastName  *string `json:"last_name,omitempty" maxLength:"512"`
	TimeZone  *string `json:"time_zone,omitempty" maxLength:"64" doc:"An IANA name" example:"Europe/Lisbon"`
	Metadata  Object  `json:"metadata,omitzero" doc:"Kept as it is"`
}

// NewUser is a user to create, with a group of their own.
type NewUser struct {
	ID string `json:"id" to:"GroupID" minLength:"1" maxLength:"200" doc:"Of their group: letters, digits and _ - . : @ +" example:"acme:alice"`
	UserFields
	Force bool `json:"force,omitempty" doc:"Make them again where they were erased: the name is free then, and what their group held is not refused"`
}

// ListUsers selects users.
type ListUsers struct {
	Search string `query:"search" maxLength:"512" doc:"A part of an id, a name or an address"`
	Skip   int    `query:"skip" minimum:"0" maximum:"1000000" doc:"Of those before"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}
