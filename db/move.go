package db

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/annalsdb/annals/internal/each"
)

// MovedTable is a table whose rows are exported with a group. The database knows its columns, and
// the order of its rows.
type MovedTable struct {
	Name     string
	Vectors  bool // its rows are vectors, which can be made again
	Replaces bool // its rows replace those that a new group has
}

// MovedTables are the tables of an export, in an order in which rows come after those that they
// refer to. Tombstones are left out, as their key belongs to the database; so are spans that wait
// for their run, which comes within the hour. The statements come from the database and not from
// sqlc, which would hold a whole table in memory.
var MovedTables = each.Of(strings.Fields(`
	groups users instructions templates settings retention undone
	episodes readings threads
	entities entities_history entity_merges
	rejections mentions facts facts_history fact_episodes disputes
	observations observations_history observation_facts observation_episodes observation_runs
	skill_runs skills skills_history skill_decisions edits marks
	communities communities_history community_members community_builds
	answers answers_history answer_rows
	blocks blocks_history agents agent_blocks agent_messages agent_steps agent_files
	traces model_calls
	episode_embeddings entity_embeddings fact_embeddings community_embeddings embeddings_history
`), func(name string) MovedTable {
	made := []string{"groups", "users", "settings", "retention"} // with a new group
	return MovedTable{Name: name, Vectors: strings.Contains(name, "embeddings"), Replaces: slices.Contains(made, name)}
})

// ExportRows passes the group's rows of a table to take, one JSON object a row, in the order of
// their keys. Of vectors it exports those of one model. A row is only valid until take returns.
func (q *Queries) ExportRows(ctx context.Context, t MovedTable, groupID, model string, take func(row []byte) error) error {
	statement, err := q.ExportStatement(ctx, ExportStatementParams{Relation: t.Name, OfModel: t.Vectors})
	if err != nil {
		return fmt.Errorf("prepare to export %s: %w", t.Name, err)
	}
	args := []any{groupID}
	if t.Vectors {
		args = append(args, model)
	}
	rows, err := q.db.Query(ctx, statement, args...)
	if err != nil {
		return fmt.Errorf("export %s: %w", t.Name, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := take(rows.RawValues()[0]); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("export %s: %w", t.Name, err)
	}
	return nil
}

// ImportRows stores exported rows of a table for a group. list is a JSON list of them.
func (q *Queries) ImportRows(ctx context.Context, t MovedTable, groupID string, list json.RawMessage) error {
	statement, err := q.ImportStatement(ctx, ImportStatementParams{Relation: t.Name, Replaces: t.Replaces})
	if err != nil {
		return fmt.Errorf("prepare to import %s: %w", t.Name, err)
	}
	if _, err := q.db.Exec(ctx, statement, groupID, list); err != nil {
		return fmt.Errorf("import %s: %w", t.Name, explainEmbedder(err))
	}
	return nil
}
