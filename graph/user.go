package graph

import (
	"cmp"
	"encoding/json"
	"net/mail"
	"strings"
	"time"
)

// User is a person with a group of their own for their memory.
type User struct {
	GroupID   string // of the kind GroupUser
	Email     string // may be empty
	FirstName string // may be empty
	LastName  string // may be empty
	TimeZone  string // an IANA name such as Europe/Lisbon; may be empty

	// Metadata is a JSON object that is stored and returned unchanged. Empty
	// means {}.
	Metadata json.RawMessage

	// Plain excludes this group from the types that its namespace gives to
	// groups.
	Plain bool

	// Force allows the user to be created again after their group was erased.
	Force bool

	// Annals sets the following fields.
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Name returns the first and last name, as far as known; else empty.
func (u User) Name() string { return strings.TrimSpace(u.FirstName + " " + u.LastName) }

// Validate checks a user before they are stored.
func (u User) Validate() error {
	err := cmp.Or(ValidateGroupID(u.GroupID), validateNames(text{"email", u.Email}, text{"first_name", u.FirstName}, text{"last_name", u.LastName}))
	if err == nil && u.Email != "" {
		if _, err := mail.ParseAddress(u.Email); err != nil {
			return Invalid("email", "%q is no address", u.Email)
		}
	}
	return cmp.Or(err, ValidateTimeZone(u.TimeZone), ValidateObject("metadata", u.Metadata))
}

// ValidateTimeZone checks the name of a time zone; empty: none.
func ValidateTimeZone(name string) error {
	if name == "" {
		return nil
	}
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		return Invalid("time_zone", "%q is no IANA time zone, such as Europe/Lisbon", name)
	}
	return nil
}
