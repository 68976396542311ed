package db

import (
	"context"
	"encoding/json"
	"fmt"
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
var MovedTables = []MovedTable{
	{Name: "groups", Replaces: true},
	{Name: "users", Replaces: true},
	{Name: "instructions"},
	{Name: "templates"},
	{Name: "settings", Replaces: true},
	{Name: "retention", Replaces: true},
	{Name: "undone"},
	{Name: "episodes"},
	{Name: "readings"},
	{Name: "threads"},
	{Name: "entities"},
	{Name: "entities_history"},
	{Name: "entity_merges"},
	{Name: "rejections"},
	{Name: "mentions"},
	{Name: "facts"},
	{Name: "facts_history"},
	{Name: "fact_episodes"},
	{Name: "disputes"},
	{Name: "observations"},
	{Name: "observations_history"},
	{Name: "observation_facts"},
	{Name: "observation_episodes"},
	{Name: "observation_runs"},
	{Name: "skill_runs"},
	{Name: "skills"},
	{Name: "skills_history"},
	{Name: "skill_decisions"},
	{Name: "edits"},
	{Name: "marks"},
	{Name: "communities"},
	{Name: "communities_history"},
	{Name: "community_members"},
	{Name: "community_builds"},
	{Name: "answers"},
	{Name: "answers_history"},
	{Name: "answer_rows"},
	{Name: "blocks"},
	{Name: "blocks_history"},
	{Name: "agents"},
	{Name: "agent_blocks"},
	{Name: "agent_messages"},
	{Name: "agent_steps"},
	{Name: "agent_files"},
	{Name: "traces"},
	{Name: "model_calls"},
	{Name: "episode_embeddings", Vectors: true},
	{Name: "entity_embeddings", Vectors: true},
	{Name: "fact_embeddings", Vectors: true},
	{Name: "community_embeddings", Vectors: true},
	{Name: "embeddings_history", Vectors: true},
}

// ExportRows passes the group's rows of a table to each, one JSON object a row, in the order of
// their keys. Of vectors it exports those of one model. A row is only valid until each returns.
func (q *Queries) ExportRows(ctx context.Context, t MovedTable, groupID, model string, each func(row []byte) error) error {
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
		if err := each(rows.RawValues()[0]); err != nil {
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
