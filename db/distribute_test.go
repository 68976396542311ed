package db_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

func TestDistributingTakesCitus(t *testing.T) {
	t.Parallel()
	if err := db.Distribute(t.Context(), open(t), func(string) {}); graph.CodeOf(err) != graph.CodeConflict {
		t.Errorf("without Citus: %v, want a conflict", err)
	}
}

// manyGroups are the queries that are about more than one group. Everything
// else goes to the one server that has the group.
var manyGroups = []string{
	"VectorIndexCandidates", // which groups are large
	"VectorIndexStale", "VectorIndexStrays",
	"GroupsAfter",                                 // re-embedding goes through all groups
	"VectorIndexesRecheck", "VectorIndexesRetire", // and replaces the model of all at one moment
	"APIKeyInsert",                                                                // keys are of no group: they lie under ''
	"GroupList", "GroupsAlike", "GroupsBeginning", "GroupsFilledBy", "GroupsHeld", // what an administrator and the service look through
	"HealthCounts", "HealthLostIndexes", "HealthQueue", "HealthUnindexed", // what the operator is told of all
	"MendCommunities", "MendCountsGroups", "MendMentions", // and has put right
	"GraphsWithin", "GroupsOfRow", "GroupsOfThread", "GroupsOfUUID", "ThreadsOfUUID", "ThreadsWithin", "UsersWithin", // what an application lists and finds in its namespace
	"GroupZones",                    // of the groups that episodes of one request are of
	"GroupsAdopt", "GroupsInstruct", // what it gives all its groups
	"BatchItems", "BatchPage", // how far has come what it adds to several at once
	"AnswersDue", "MarksDueGroups", // what is to be asked again, and what has expired
	"RepliesExpire",                                                                                        // kept replies go when their time has come
	"AgentGroupsDue", "AgentGroupsRested", "CommunitiesDue", "QueueState", "QueueStranded", "RetentionDue", // what workers look for
	"WebhookBatchesOpen", "DeliveriesExpire",
	"ExploreQueues",     // what an administrator is shown of all
	"RejectionsCopy",    // what an import takes over of the group that was exported
	"GroupsByTombstone", // what an operator erases again by a certificate
	"ErasureList",       // what he reads of groups that are gone
	"ErasuresOwing",     // what a worker vacuums: tables, and so of all groups
}

// verifies are the queries of 'annals verify', which goes through a group or, where
// none is named, through all of them in one pass, on every server.
const verifies = "Verify"

var (
	nameOf   = regexp.MustCompile(`(?m)^-- name: (\w+) `)
	comment  = regexp.MustCompile(`(?m)--.*$`)
	reads    = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE|USING)\s+annals(?:_internal)?\.([a-z_]+)\b(\(?)`)
	inserts  = regexp.MustCompile(`(?i)INSERT INTO annals(?:_internal)?\.[a-z_]+\s*(?:AS \w+ )?\(\s*group_id\b`)
	insertAt = regexp.MustCompile(`(?i)INSERT INTO annals(?:_internal)?\.`)
	byGroup  = regexp.MustCompile(`\bgroup_id = (?:@group_id|''|\w+\.group_id)`)
)

// Every table that a query reads is bound to one group, by a parameter or by a join, so that the
// query is sent to one server.
func TestQueriesStayInOneGroup(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../queries/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal("no queries", err)
	}
	looked := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		marks := nameOf.FindAllStringSubmatchIndex(string(text), -1)
		for i, mark := range marks {
			end := len(text)
			if i+1 < len(marks) {
				end = marks[i+1][0]
			}
			name, sql := string(text[mark[2]:mark[3]]), comment.ReplaceAllString(string(text[mark[1]:end]), "")
			sql = strings.ReplaceAll(sql, "annals_internal.river_", "river_") // which is not distributed
			tables := 0
			for _, m := range reads.FindAllStringSubmatch(sql, -1) {
				if m[2] == "" && m[1] != "migrations" && m[1] != "erased" && m[1] != "ranked" { // functions take the group themselves; the others belong to no group
					tables++
				}
			}
			looked += tables
			bound := len(byGroup.FindAllString(sql, -1))
			listed := slices.Contains(manyGroups, name) || filepath.Base(file) == "verify.sql" && strings.HasPrefix(name, verifies)
			switch ok := bound >= tables && len(inserts.FindAllString(sql, -1)) == len(insertAt.FindAllString(sql, -1)); {
			case ok && listed && tables > 0 && strings.Contains(sql, "@group_id"):
				t.Errorf("%s: %s stays in one group; take it off the list", file, name)
			case !ok && !listed:
				t.Errorf("%s: %s reads %d tables and binds %d to a group: it would be sent to every server", file, name, tables, bound)
			}
		}
	}
	if looked < 60 {
		t.Errorf("looked at %d tables; the test no longer finds them", looked)
	}
}

// clusterFaults lists functions that work on one server and fail on a cluster. A table has another
// name on each shard, so a trigger must learn its table from an argument, and may only show its
// name. A function in SQL is rebuilt in PL/pgSQL from the catalogue, where a quoted body has no
// schemas.
const clusterFaults = `SELECT p.oid::regprocedure || ': ' || CASE l.lanname WHEN 'sql' THEN 'its body is not BEGIN ATOMIC' ELSE 'asks for the name of its table' END
	FROM pg_catalog.pg_proc p
	JOIN pg_catalog.pg_language l ON l.oid = p.prolang
	WHERE p.pronamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND p.prokind = 'f' AND p.proname !~ '^river_'
		AND (l.lanname = 'sql' AND p.prosqlbody IS NULL AND p.provolatile <> 'i'
			OR replace(p.prosrc, 'TABLE = TG_TABLE_NAME', '') ~ 'TG_TABLE_NAME|TG_RELNAME|TG_RELID')
	ORDER BY 1`

// Faults that show without a cluster fail here first: few machines have one.
func TestFunctionsSuitACluster(t *testing.T) {
	t.Parallel()
	rows, err := open(t).Query(t.Context(), clusterFaults)
	if err != nil {
		t.Fatal(err)
	}
	faults, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
}
