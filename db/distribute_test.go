package db_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
)

// Citus itself is not at hand: functions of the same names note what they are
// called for, and refuse a table whose parent is not distributed yet.
const likeCitus = `CREATE TABLE public.distributed (n int GENERATED ALWAYS AS IDENTITY, name text PRIMARY KEY);
	CREATE FUNCTION public.create_reference_table(name text) RETURNS void LANGUAGE sql AS $$ INSERT INTO public.distributed (name) VALUES (name) $$;
	CREATE FUNCTION public.create_distributed_table(name text, col text, colocate_with text DEFAULT 'default') RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		IF EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = name::regclass AND k.contype = 'f' AND k.confrelid <> k.conrelid
			AND NOT EXISTS (SELECT FROM public.distributed d WHERE d.name::regclass = k.confrelid)) THEN
			RAISE EXCEPTION '% refers to a table that is not distributed', name;
		END IF;
		PERFORM 1 FROM pg_attribute WHERE attrelid = name::regclass AND attname = col AND attnotnull;
		IF NOT FOUND THEN RAISE EXCEPTION '% has no %', name, col; END IF;
		INSERT INTO public.distributed (name) VALUES (name);
	END $$`

func TestEveryTableIsDistributed(t *testing.T) {
	t.Parallel()
	pool := open(t)
	if err := db.Distribute(t.Context(), pool, func(string) {}); graph.CodeOf(err) != graph.CodeConflict {
		t.Errorf("without Citus: %v, want a conflict", err)
	}
	exec(t, pool, likeCitus)
	var told []string
	if err := db.Distribute(t.Context(), pool, func(s string) { told = append(told, s) }); err != nil {
		t.Fatal(err)
	}
	printed, err := db.Distribution(t.Context(), pool)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(printed, told); diff != "" {
		t.Errorf("what is run is not what is printed (-printed +run):\n%s", diff)
	}
	tables := one[[]string](t, pool, `SELECT array_agg(relname::text ORDER BY relname) FROM pg_class WHERE relnamespace = 'annals'::regnamespace AND relkind = 'r' AND relname <> 'migrations'`)
	distributed := one[[]string](t, pool, `SELECT array_agg(replace(name, 'annals.', '') ORDER BY name) FROM public.distributed`)
	slices.Sort(distributed)
	slices.Sort(tables)
	if diff := cmp.Diff(tables, distributed); diff != "" {
		t.Errorf("tables (-want +distributed):\n%s", diff)
	}
}

// manyGroups are the queries that are about more than one group. Everything
// else goes to the one server that has the group.
var manyGroups = []string{
	"VectorIndexCandidates", // which groups are large
	"VectorIndexStale", "VectorIndexStrays",
	"GroupsAfter",                                 // re-embedding goes through all groups
	"VectorIndexesRecheck", "VectorIndexesRetire", // and replaces the model of all at one moment
	"APIKeyInsert",                                                                                 // keys are of no group: they lie under ''
	"GroupList", "GroupsAlike", "GroupsBeginning", "GroupsFilledBy", "GroupsHeld", "GroupsWaiting", // what an administrator and the service look through
	"HealthCounts", "HealthLostIndexes", "HealthQueue", "HealthUnindexed", // what the operator is told of all
	"MendCommunities", "MendCountsGroups", "MendMentions", // and has put right
	"GraphsWithin", "GroupsOfRow", "GroupsOfThread", "GroupsOfUUID", "ThreadsOfUUID", "ThreadsWithin", "UsersWithin", // what an application lists and finds in its namespace
	"GroupsAdopt", "GroupsInstruct", // what it gives all its groups
	"BatchItems", "BatchPage", // how far has come what it adds to several at once
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
	reads    = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE|USING)\s+annals\.([a-z_]+)\b(\(?)`)
	inserts  = regexp.MustCompile(`(?i)INSERT INTO annals\.[a-z_]+\s*(?:AS \w+ )?\(\s*group_id\b`)
	insertAt = regexp.MustCompile(`(?i)INSERT INTO annals\.`)
	byGroup  = regexp.MustCompile(`\bgroup_id = (?:@group_id|''|\w+\.group_id)`)
)

// Every table that a query reads is bound to one group, by its parameter or by
// that of a table it is joined to, so that the query is sent to one server.
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
			tables := 0
			for _, m := range reads.FindAllStringSubmatch(sql, -1) {
				if m[2] == "" && m[1] != "migrations" && m[1] != "erased" && m[1] != "ranked" { // not a function, which takes the group itself, nor what is of no group
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
