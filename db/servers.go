package db

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// serverConnect is how long connecting to a server of a cluster may take, if the URL of the
	// coordinator does not say.
	serverConnect = 2 * time.Second

	// serverRest is how long a server that could not be read is not asked; the coordinator is asked
	// instead.
	serverRest = 30 * time.Second

	// maxPlaces is the number of groups whose place is remembered.
	maxPlaces = 100_000
)

// clusterPool is the pool of a coordinator of a cluster. Reads of one group may go to the server
// that has it, see [InSnapshot]: that takes a fraction of the time that the coordinator takes to
// plan the same.
type clusterPool struct {
	Pool
	servers *servers
}

// Spread prepares to read from the servers of a cluster. On one server it returns the pool as it
// is. The returned function closes what was opened. A server that cannot be read is logged; log may
// be nil.
func Spread(ctx context.Context, pool Pool, log *slog.Logger) (Pool, func(), error) {
	var distributed bool
	if err := pool.QueryRow(ctx, isDistributed).Scan(&distributed); err != nil {
		return nil, nil, explainConnect(err)
	}
	if !distributed {
		return pool, func() {}, nil
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &servers{coordinator: pool, log: log, names: map[string]bool{}, pools: map[string]*pgxpool.Pool{}, places: map[string]place{}, resting: map[string]time.Time{}}
	rows, err := pool.Query(ctx, `SELECT name FROM (`+shownNames+`) n`)
	if err != nil {
		return nil, nil, fmt.Errorf("list what shards show: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, nil, fmt.Errorf("list what shards show: %w", err)
		}
		s.names[name] = true
	}
	return clusterPool{pool, s}, s.close, rows.Err()
}

const isDistributed = `SELECT coalesce(current_setting('annals.distributed', true), '') = 'on'`

// servers are the servers of a cluster, with the places of groups.
type servers struct {
	coordinator Pool
	log         *slog.Logger
	names       map[string]bool // of the tables, views and functions of each shard

	mu      sync.Mutex
	pools   map[string]*pgxpool.Pool // by address
	places  map[string]place         // by group
	resting map[string]time.Time     // until when a server is not asked
}

// place is where a group is: its server and its shard.
type place struct {
	shard   int64 // of annals.groups, which stands for all shards of the group
	address string
}

// schema is the schema whose views and functions show only the shard.
func (p place) schema() string { return shardSchema + strconv.FormatInt(p.shard, 10) }

func (s *servers) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, pool := range s.pools {
		pool.Close()
	}
}

// of returns where a group is, and reports whether its server can be asked.
func (s *servers) of(ctx context.Context, groupID string) (place, Pool, bool) {
	s.mu.Lock()
	at, known := s.places[groupID]
	s.mu.Unlock()
	if !known {
		var err error
		if at, err = s.find(ctx, groupID); err != nil {
			return place{}, nil, false
		}
	}
	s.mu.Lock()
	if !known {
		if len(s.places) >= maxPlaces {
			clear(s.places)
		}
		s.places[groupID] = at
	}
	pool, rests := s.pools[at.address], time.Now().Before(s.resting[at.address])
	s.mu.Unlock()
	if pool == nil && !rests {
		pool = s.open(ctx, at.address)
	}
	return at, pool, pool != nil && !rests
}

// open opens the connections to a server; nil: it cannot be asked now.
func (s *servers) open(ctx context.Context, address string) *pgxpool.Pool {
	var meant string
	err := s.coordinator.QueryRow(ctx, identityOf, address).Scan(&meant)
	s.mu.Lock()
	defer s.mu.Unlock()
	if pool := s.pools[address]; pool != nil || ctx.Err() != nil {
		return pool
	}
	var pool *pgxpool.Pool
	if err == nil {
		pool, err = s.connect(ctx, address, meant)
	}
	if err != nil {
		s.resting[address] = time.Now().Add(serverRest)
		return nil
	}
	s.pools[address] = pool
	return pool
}

// A server is identified by PostgreSQL's system identifier: the name by which the coordinator knows
// it may mean another server here.
const (
	identityOf = `SELECT r.result FROM run_command_on_all_nodes('` + identity + `', give_warning_for_connection_errors => true) r
	JOIN pg_catalog.pg_dist_node n ON n.nodeid = r.nodeid
	WHERE r.success AND $1 IN (n.nodename || ':' || n.nodeport, '[' || n.nodename || ']:' || n.nodeport)`
	identity = `SELECT system_identifier::text FROM pg_catalog.pg_control_system()`
)

// errAnother says that a server is not the one that the coordinator means.
var errAnother = errors.New("another server has the name that the coordinator knows")

// find asks the coordinator where a group is, or will be.
func (s *servers) find(ctx context.Context, groupID string) (at place, err error) {
	var host string
	var port int
	err = s.coordinator.QueryRow(ctx, `SELECT p.shardid, n.nodename, n.nodeport
		FROM pg_catalog.pg_dist_placement p
		JOIN pg_catalog.pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
		WHERE p.shardid = get_shard_id_for_distribution_column('annals.groups', $1::text)`, groupID).Scan(&at.shard, &host, &port)
	at.address = net.JoinHostPort(host, strconv.Itoa(port))
	return at, err
}

// connect opens a pool to a server, with the settings of the coordinator's.
func (s *servers) connect(ctx context.Context, address, meant string) (*pgxpool.Pool, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return nil, err
	}
	return Beneath(ctx, s.coordinator, func(config *pgxpool.Config) {
		config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			var is string
			if err := conn.QueryRow(ctx, identity).Scan(&is); err != nil {
				return err
			}
			if is != meant {
				return errAnother
			}
			return registerTypes(ctx, conn)
		}
		to := config.ConnConfig
		to.Host, to.Port, to.Fallbacks = host, uint16(port), nil
		if to.TLSConfig != nil && to.TLSConfig.ServerName != "" {
			to.TLSConfig.ServerName = host
		}
		if to.ConnectTimeout == 0 {
			to.ConnectTimeout = serverConnect
		}
	})
}

// failed notes that a group could not be read from its supposed place. A server that does not
// answer is not asked for a while.
func (s *servers) failed(ctx context.Context, groupID string, at place, err error) {
	s.mu.Lock()
	delete(s.places, groupID)
	if Unavailable(err) || errors.Is(err, errAnother) {
		s.resting[at.address] = time.Now().Add(serverRest)
	}
	s.mu.Unlock()
	if !isElsewhere(err) {
		s.log.WarnContext(ctx, "a group is read by way of the coordinator: its server could not be asked", "group", groupID, "server", at.address, "error", err)
	}
}
