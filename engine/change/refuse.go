package change

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/erasing"
)

// MayChange fails if the writer ranks below the authority of a fact.
func (t *Tx) MayChange(ctx context.Context, ids ...uuid.UUID) error {
	own := graph.OriginOf(ctx).Cap
	if own == graph.AuthorityPerson || len(ids) == 0 {
		return nil
	}
	rows, err := t.Queries.FactAuthorities(ctx, db.FactAuthoritiesParams{GroupID: t.GroupID, Ids: ids})
	if err != nil {
		return fmt.Errorf("find whose word the facts are: %w", err)
	}
	for _, row := range rows {
		if own.Below(row.Authority) {
			return Beneath("fact", row.Authority, own)
		}
	}
	return nil
}

// MayChangeEntities fails if the writer ranks below the authority of an entity: the highest of the
// episodes that mention it and of whoever edited it or its facts.
func (t *Tx) MayChangeEntities(ctx context.Context, entities ...uuid.UUID) error {
	own := graph.OriginOf(ctx).Cap
	if own == graph.AuthorityPerson {
		return nil
	}
	owner, err := t.Queries.EntitiesAuthority(ctx, db.EntitiesAuthorityParams{GroupID: t.GroupID, EntityIds: entities})
	if err != nil {
		return fmt.Errorf("find whose word the entity is: %w", err)
	}
	if own.Below(owner) {
		return Beneath("entity", owner, own)
	}
	return nil
}

// MayChangeEpisodes fails if the writer ranks below the authority of an episode. It returns the ids
// that belong to episodes.
func (t *Tx) MayChangeEpisodes(ctx context.Context, ids ...uuid.UUID) ([]uuid.UUID, error) {
	rows, err := t.Queries.UndoneEpisodes(ctx, db.UndoneEpisodesParams{GroupID: t.GroupID, Ids: ids})
	if err != nil {
		return nil, err
	}
	own := graph.OriginOf(ctx).Cap
	there := make([]uuid.UUID, len(rows))
	for i, row := range rows {
		if own.Below(row.Authority) {
			return nil, Beneath("episode", row.Authority, own)
		}
		there[i] = row.ID
	}
	return there, nil
}

// MayEraseGroup fails if the writer ranks below the authority of an episode or a setting of the
// group.
func (t *Tx) MayEraseGroup(ctx context.Context) error {
	own := graph.OriginOf(ctx).Cap
	if own == graph.AuthorityPerson {
		return nil
	}
	owner, err := t.Queries.GroupAuthority(ctx, t.GroupID)
	if err != nil {
		return fmt.Errorf("find whose word the group is: %w", err)
	}
	if own.Below(owner) {
		return Beneath("group", owner, own)
	}
	return nil
}

// MayErase fails if the writer has no right to erase.
func MayErase(ctx context.Context) error {
	if erasing.Forbidden(ctx) {
		return Forbidden("rights", "this takes a key that may erase; 'annals keys create --rights erase' makes one")
	}
	return nil
}

// Beneath returns the error for a writer who may not change the word of a higher authority.
func Beneath(field string, said, own graph.Authority) error {
	return Forbidden(field, "it is the word of %s, which %s does not change; use a way in or a key with more authority",
		said.Article(), own.Article())
}

// RejectedBy says in words who rejected a fact, and when.
func RejectedBy(authority graph.Authority, at time.Time, by, door string) string {
	who := map[graph.Authority]string{
		graph.AuthorityPerson: "a person", graph.AuthorityUser: "the user", graph.AuthorityDocument: "a document", graph.AuthorityAssistant: "an assistant",
	}[authority]
	text := fmt.Sprintf("withdrawn on %s by %s", at.UTC().Format("2 January 2006"), who)
	if origin := strings.TrimSpace(strings.Join([]string{door, by}, " ")); origin != "" {
		text += " (" + origin + ")"
	}
	return text
}

// Failed turns the error of a change into one for the caller. It is nil for nil.
func Failed(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	if refused := refusedByHand(err); refused != nil {
		return refused
	}
	if beneath := db.RefusedBeneath(err); beneath != nil {
		return beneath
	}
	if erased := db.RefusedText(err); erased != nil {
		return erased
	}
	if graph.CodeOf(err) != graph.CodeInternal {
		return err
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// refusedByHand explains why a withdrawn fact was refused.
func refusedByHand(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != db.CodeWithdrawn {
		return nil
	}
	hint, _, _ := strings.Cut(pg.Hint, ", or UPDATE")
	return Conflict("fact", "%s; %s", pg.Message, hint)
}

// Refused explains an error of the database about given data. It must concern the metadata, as
// everything else was validated. Other errors are returned unchanged.
func Refused(err error) error {
	const dataException = "22" // the class of SQLSTATE
	if beneath := db.RefusedBeneath(err); beneath != nil {
		return beneath
	}
	if erased := db.RefusedText(err); erased != nil {
		return erased
	}
	pg, ok := errors.AsType[*pgconn.PgError](err)
	switch {
	case ok && pg.Code == db.CodeErased:
		return Conflict(graph.ErasedField,
			"%s; leave it out, or take in again this one episode: with \"force\": true in it, with Force in Go, or on the command line by its id", pg.Message)
	case ok && strings.HasPrefix(pg.Code, dataException):
		return graph.Invalid("metadata", "cannot be stored: %s; change or remove it", pg.Message)
	}
	return err
}

// Meanwhile returns the error for a row that was changed after it was read.
func Meanwhile(what string) error {
	return Conflict("version", "%s was changed in the meantime; read it again", what)
}

// Conflict returns the error for a change that does not fit the present state.
func Conflict(field, format string, args ...any) error {
	return refused(graph.CodeConflict, field, format, args)
}

// NotFound returns the error for a row that does not exist.
func NotFound(field, format string, args ...any) error {
	return refused(graph.CodeNotFound, field, format, args)
}

// Forbidden returns the error for a change that the authority does not allow.
func Forbidden(field, format string, args ...any) error {
	return refused(graph.CodeForbidden, field, format, args)
}

func refused(code graph.Code, field, format string, args []any) error {
	return &graph.Error{Code: code, Field: field, Message: fmt.Sprintf(format, args...)}
}
