package db

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// shardSchema is the prefix of the schemas that each show one shard. The number of the shard
// follows.
const shardSchema = "annals_shard_"

// shard is one shard on its server. In its statements, the name of every table, of every view and
// of every function that reads them gets the schema of the shard.
type shard struct {
	schema string
	names  map[string]bool
}

// named replaces in a statement the schemas of what the shard has.
func (s *shard) named(sql string) string {
	const prefix = "annals"
	var out strings.Builder
	for {
		i := strings.Index(sql, prefix)
		if i < 0 {
			out.WriteString(sql)
			return out.String()
		}
		begins := i == 0 || !isInName(sql[i-1]) && sql[i-1] != '\''
		out.WriteString(sql[:i])
		schema, rest := prefix, sql[i+len(prefix):]
		if after, is := strings.CutPrefix(rest, "_internal"); is {
			schema, rest = "annals_internal", after
		}
		end := 0
		if strings.HasPrefix(rest, ".") {
			end++
			for end < len(rest) && isInName(rest[end]) {
				end++
			}
			if begins && s.names[rest[1:end]] {
				schema = s.schema
			}
		}
		out.WriteString(schema + rest[:end])
		sql = rest[end:]
	}
}

func isInName(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// inShard runs do on the server that has a group, in one snapshot. asked is false if the
// coordinator must be asked instead: the memory is on one server, or the group's server cannot
// answer or no longer has the group.
func inShard(ctx context.Context, pool Pool, groupID string, do func(*Queries) error) (asked bool, err error) {
	bound, isBound := pool.(tenant)
	if isBound {
		pool = bound.pool
	}
	cluster, ok := pool.(clusterPool)
	if !ok || groupID == "" {
		return false, nil
	}
	at, server, ok := cluster.servers.of(ctx, groupID)
	if !ok {
		return false, nil
	}
	s := &snapshot{pool: server, first: []statement{{sql: planAlone}, {hasShard, []any{at.shard}}}}
	if isBound {
		s.first = append(s.first, bound.bind())
	}
	defer s.end(ctx)
	s.shard = &shard{schema: at.schema(), names: cluster.servers.names}
	err = do(New(s))
	if !isOfServer(ctx, err) {
		return true, err
	}
	cluster.servers.failed(ctx, groupID, at, err)
	return false, nil
}

// hasShard fails with a division by zero if the server no longer has a shard in the snapshot of the
// transaction. Nothing is written to a shard that was moved away.
const hasShard = `SELECT 1 / (SELECT count(*) FROM pg_catalog.pg_dist_placement p
	JOIN pg_catalog.pg_dist_local_group l ON l.groupid = p.groupid WHERE p.shardid = $1)`

// isOfServer reports whether an error may come of asking the group's server, so that the
// coordinator may still answer.
func isOfServer(ctx context.Context, err error) bool {
	var pg *pgconn.PgError
	return err != nil && ctx.Err() == nil && !isConflict(err) && (errors.As(err, &pg) || Unavailable(err) || errors.Is(err, errAnother))
}

// isElsewhere reports whether an error says that the shard is not at its supposed place, or has no
// schema there yet.
func isElsewhere(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "22012" || pg.Code == "3F000" || pg.Code == "42P01")
}
