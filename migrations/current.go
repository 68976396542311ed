package migrations

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// Current reports whether [Up] would find nothing to apply. It takes one
// statement on one connection, Up several of each, so that commands can call it
// as they start.
func Current(ctx context.Context, databaseURL string) (bool, error) {
	config, err := parse(databaseURL)
	if err != nil {
		return false, err
	}
	conn, err := pgconn.ConnectConfig(ctx, &config.Config)
	if err != nil {
		return false, unreachable(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	answers, err := conn.Exec(ctx, fmt.Sprintf("SELECT max(version) >= %d FROM annals.migrations", Newest())).ReadAll()
	var pg *pgconn.PgError
	switch {
	case errors.As(err, &pg): // no such table: nothing ran
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read the state of the migrations: %w", err)
	}
	return string(answers[0].Rows[0][0]) == "t", nil
}
