package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Cluster is the state of the servers that a memory is spread over.
type Cluster struct {
	Servers       int      // including the coordinator
	Unreachable   []string // as host:port, from the coordinator
	Undistributed []string // tables that a migration added since
	Unplannable   int      // functions that a migration added in SQL since
	Unshown       int      // shards that are read through the coordinator
}

// ClusterOf reads the state of the cluster. It returns nil if the memory is on one server.
func ClusterOf(ctx context.Context, pool Pool) (*Cluster, error) {
	var spread bool
	if err := pool.QueryRow(ctx, isDistributed).Scan(&spread); err != nil || !spread {
		return nil, err
	}
	var c Cluster
	// The catalogues of Citus are queried by hand: sqlc compiles the queries without Citus.
	if err := pool.QueryRow(ctx, `SELECT count(*) FROM pg_catalog.pg_dist_node WHERE noderole = 'primary'`).Scan(&c.Servers); err != nil {
		return nil, fmt.Errorf("count the servers: %w", err)
	}
	rows, err := pool.Query(ctx, `SELECT DISTINCT h.to_nodename || ':' || h.to_nodeport
		FROM citus_check_cluster_node_health() h
		JOIN pg_catalog.pg_dist_node n ON n.groupid = 0 AND (h.from_nodename, h.from_nodeport) = (n.nodename, n.nodeport)
		WHERE NOT h.result ORDER BY 1`)
	if err != nil {
		return nil, fmt.Errorf("ask for the servers: %w", err)
	}
	if c.Unreachable, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		return nil, fmt.Errorf("ask for the servers: %w", err)
	}
	tables, err := undistributed(ctx, pool)
	if err != nil {
		return nil, err
	}
	for _, table := range tables {
		c.Undistributed = append(c.Undistributed, table.Name)
	}
	functions, err := New(pool).DistributionFunctions(ctx)
	c.Unplannable = len(functions)
	if err != nil || len(c.Unreachable) > 0 {
		return &c, err
	}
	c.Unshown, err = shardsUnshown(ctx, pool)
	return &c, err
}
