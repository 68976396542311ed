package db

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/graph"
)

// CodeErased is the SQLSTATE with which the database refuses erased data.
const CodeErased = "AN001"

// CodeWithdrawn is the SQLSTATE with which the database refuses a withdrawn fact.
const CodeWithdrawn = "AN002"

// codeReplaced is the SQLSTATE with which the database refuses vectors of a replaced embedder.
const codeReplaced = "AN004"

// codeBeneath is the SQLSTATE with which the database refuses a write that the authority or the
// rights of the writer do not allow.
const codeBeneath = "AN003"

// RefusedBeneath explains a refusal with codeBeneath. It is nil for any other error.
func RefusedBeneath(err error) error {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	if !ok || pg.Code != codeBeneath {
		return nil
	}
	return &graph.Error{Code: graph.CodeForbidden, Field: pg.ColumnName, Message: pg.Message + "; use a way in or a key with more authority or rights"}
}

// RefusedGroup explains the database's refusal to create an erased group again. It is nil for any
// other error.
func RefusedGroup(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != CodeErased || pg.ColumnName != "" {
		return nil
	}
	return &graph.Error{Code: graph.CodeConflict, Field: "group", Message: pg.Message + "; make it again by force first: 'annals groups create --force'"}
}

// RefusedText explains the database's refusal of a text that repeats erased data, such as a
// description. It is nil for any other error.
func RefusedText(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != CodeErased || pg.ColumnName == "" {
		return nil
	}
	return &graph.Error{Code: graph.CodeConflict, Field: pg.ColumnName, Message: pg.Message + "; leave it out"}
}
