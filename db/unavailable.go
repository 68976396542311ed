package db

import (
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Unavailable reports whether an error says that the database cannot work at the moment, whatever
// it was asked: it cannot be reached, is starting or stopping, or has run out of disk, memory or
// connections.
func Unavailable(err error) bool {
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch pg.Code {
		case "57P01", "57P02", "57P03", "58030", "25006": // it stops, crashed, starts; its disk fails; it is a standby
			return true
		}
		// A server of a cluster went away during a statement: Citus has no code of its own for
		// that.
		return strings.HasPrefix(pg.Code, "53") || strings.HasPrefix(pg.Code, "08") || pg.Code == "XX000" && isBrokenOff(pg.Message)
	}
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return true
	}
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || err != nil && strings.Contains(err.Error(), "conn closed")
}

// isBrokenOff reports whether a message is one of Citus when the server of a group goes away.
func isBrokenOff(message string) bool {
	return slices.ContainsFunc([]string{"connection marked as essential", "server closed the connection unexpectedly", "could not commit transaction for shard"},
		func(words string) bool { return strings.Contains(message, words) })
}
