package db_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/annalsdb/annals/db"
)

func TestUnavailable(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]bool{
		&pgconn.PgError{Code: "53100"}: true, &pgconn.PgError{Code: "53300"}: true, &pgconn.PgError{Code: "57P01"}: true, &pgconn.PgError{Code: "08006"}: true,
		&net.OpError{Op: "dial", Err: errors.New("refused")}: true, io.ErrUnexpectedEOF: true,
		&pgconn.PgError{Code: "XX000", Message: "failure on connection marked as essential: 127.0.0.1:5433"}: true, &pgconn.PgError{Code: "XX000"}: false, errors.New("conn closed"): true,
		&pgconn.PgError{Code: "23505"}: false, &pgconn.PgError{Code: "57014"}: false, errors.New("a defect"): false, io.EOF: false,
	} {
		if got := db.Unavailable(fmt.Errorf("read: %w", err)); got != want {
			t.Errorf("%v: %t", err, got)
		}
	}
	if db.Unavailable(nil) {
		t.Error("no error is one")
	}
}
