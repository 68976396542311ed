package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/graph"
)

// Mem0Rows reads the rows of a table in which Mem0 keeps memories, in a database of its own.
type Mem0Rows struct {
	conn *pgx.Conn
	rows pgx.Rows
}

// OpenMem0 begins to read a table, whose name may have its schema before it. The connection is
// read-only.
func OpenMem0(ctx context.Context, url, table string) (*Mem0Rows, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, graph.Invalid("import", "is no address of a database of Mem0: %v", err)
	}
	config.RuntimeParams["default_transaction_read_only"] = "on"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to the database of Mem0: %w", err)
	}
	name := pgx.Identifier(strings.SplitN(table, ".", 2)).Sanitize()
	// sqlc knows our schema alone.
	rows, err := conn.Query(ctx, `SELECT id::text, payload FROM `+name+` ORDER BY payload->>'created_at', id`)
	if err != nil {
		return nil, errors.Join(mem0Table(table, err), conn.Close(ctx))
	}
	return &Mem0Rows{conn, rows}, nil
}

// Next reads a row: its id, and what Mem0 stores about it. The payload is only valid until the next
// call. After the last row it returns [io.EOF].
func (r *Mem0Rows) Next() (id string, payload []byte, err error) {
	if r.rows.Next() {
		err = r.rows.Scan(&id, &payload)
		return id, payload, err
	}
	if err := r.rows.Err(); err != nil {
		return "", nil, mem0Table("", err)
	}
	return "", nil, io.EOF
}

// Close closes the connection.
func (r *Mem0Rows) Close() {
	r.rows.Close()
	_ = r.conn.Close(context.Background())
}

// mem0Table explains the error of a table that does not exist or is not Mem0's.
func mem0Table(table string, err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && (pg.Code == "42P01" || pg.Code == "42703" || pg.Code == "42883") { // no such table, column or operator
		return graph.Invalid("table", "%q is no table of Mem0, with id and payload (%s); name it as collection_name in its configuration, with --table", table, pg.Message)
	}
	return fmt.Errorf("read the table of Mem0: %w", err)
}
