package change

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Refused explains an error of the database about the data it was given: all but
// metadata, which it takes apart itself, was validated before. Any other error stays as
// it is.
func Refused(err error) error {
	const dataException = "22" // the class of SQLSTATE
	if erased := db.RefusedText(err); erased != nil {
		return erased
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	switch {
	case ok && pg.Code == db.CodeErased:
		return &graph.Error{
			Code: graph.CodeConflict, Field: graph.ErasedField,
			Message: pg.Message + "; leave it out, or take in again this one episode: with \"force\": true in it, or on the command line by its id",
		}
	case ok && strings.HasPrefix(pg.Code, dataException):
		return graph.Invalid("metadata", "cannot be stored: %s; change or remove it", pg.Message)
	}
	return err
}

// Meanwhile is the error for what was changed since it was read.
func Meanwhile(what string) error {
	return &graph.Error{Code: graph.CodeConflict, Field: "version", Message: what + " was changed in the meantime; read it again"}
}
