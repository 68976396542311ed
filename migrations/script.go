package migrations

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/annalsdb/annals/graph"
)

// SQL returns the migrations with the numbers from to to, inclusive, as one text
// of plain SQL, for psql and other migration tools. Zero stands for the oldest
// and the newest. The text records the migrations in annals.migrations and must
// run in one transaction. If it creates the tables of vectors, it sets their
// dimension at the end; a zero dimension stands for DefaultEmbeddingDim.
func SQL(from, to int64, dimension int) (string, error) {
	files, err := all()
	if err != nil {
		return "", err
	}
	if from == 0 {
		from = 1
	}
	if to == 0 {
		to = Newest()
	}
	if from < 1 || to > Newest() || from > to {
		return "", graph.Invalid("migrations", "there are none from %d to %d, but those from 1 to %d", from, to, Newest())
	}
	var text strings.Builder
	text.WriteString(scriptBegin)
	vectors := false
	for _, f := range files[from-1 : to] {
		up, err := f.up()
		if err != nil {
			return "", err
		}
		vectors = vectors || strings.Contains(up, makesDimension)
		fmt.Fprintf(&text, "\n-- %s\n%s", f.name, up)
	}
	if vectors {
		if dimension == 0 {
			dimension = DefaultEmbeddingDim
		}
		fmt.Fprintf(&text, scriptDimension, dimension)
	}
	text.WriteString(scriptEnd)
	return text.String(), nil
}

const (
	makesDimension = "CREATE FUNCTION annals_internal.fix_embedding_dimension("

	// scriptBegin contains the comments that goose and dbmate look for. It fails
	// outside of a transaction, where SET LOCAL has no effect.
	scriptBegin = `-- Needs PostgreSQL 15, the extensions vector, btree_gist, pg_trgm and unaccent or the right to make them, and the right to make schemas: 'annals migrate grants'.
-- Runs in one transaction: psql --single-transaction -v ON_ERROR_STOP=1 -f FILE
-- migrate:up
-- +goose Up
` + scriptNeeds + `
-- +goose StatementBegin

SET LOCAL annals.in_transaction = 'yes';
DO $$
BEGIN
    IF current_setting('annals.in_transaction', true) IS DISTINCT FROM 'yes' THEN
        RAISE EXCEPTION 'Annals is migrated in one transaction, and this is none'
            USING HINT = 'Stop here. Print the script with --transaction, or give psql --single-transaction and -v ON_ERROR_STOP=1.';
    END IF;
END
$$;
`

	// scriptNeeds is a statement of its own, so that its errors do not quote the
	// whole script.
	scriptNeeds = `-- +goose StatementBegin
DO $$
DECLARE
    missing text;
BEGIN
    IF current_setting('server_version_num')::int < 150000 THEN
        RAISE EXCEPTION 'Annals needs PostgreSQL 15 or newer, and this is %', current_setting('server_version');
    END IF;
    SELECT string_agg(n.name, ', ') INTO missing
    FROM unnest(ARRAY['vector', 'btree_gist', 'pg_trgm', 'unaccent']) AS n (name)
    WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_extension e WHERE e.extname = n.name)
        AND NOT EXISTS (
            SELECT FROM pg_catalog.pg_available_extension_versions v JOIN pg_catalog.pg_roles r ON r.rolname = current_user
            WHERE v.name = n.name AND (r.rolsuper OR v.trusted AND has_database_privilege(current_database(), 'CREATE')));
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION 'Annals needs extensions that are missing and that % may not make: %', current_user, missing
            USING HINT = 'Have an administrator run what ''annals migrate grants'' prints.';
    END IF;
    IF to_regnamespace('annals') IS NULL AND NOT has_database_privilege(current_database(), 'CREATE') THEN
        RAISE EXCEPTION 'Annals needs the right to make schemas, which % does not have in this database', current_user
            USING HINT = 'Have an administrator run what ''annals migrate grants'' prints.';
    END IF;
END
$$;
-- +goose StatementEnd
`

	scriptDimension = `
-- The number of dimensions of vectors: as many as the embedder makes.
DO $$
BEGIN
    PERFORM annals_internal.fix_embedding_dimension(%d);
END
$$;
`

	// dbmate requires the last line. It reverts by the statements after it:
	// none.
	scriptEnd = `
-- +goose StatementEnd
-- migrate:down
`
)

// up returns the statements of a migration, without goose's annotations.
func (f file) up() (string, error) {
	text, err := fs.ReadFile(FS, f.name)
	if err != nil {
		return "", fmt.Errorf("read a migration: %w", err)
	}
	up, _, _ := strings.Cut(string(text), "-- +goose Down")
	var lines strings.Builder
	for line := range strings.Lines(up) {
		if !strings.HasPrefix(line, "-- +goose ") {
			lines.WriteString(line)
		}
	}
	return lines.String(), nil
}
