package db

import (
	"context"
	"encoding/json"
	"fmt"
)

// MovedTable is a table whose rows go with a group when it is exported.
type MovedTable struct {
	Name    string
	Vectors bool // its rows are vectors, which can be made anew

	export, put string
}

// MovedTables are all of them, in an order in which rows come after those they
// refer to. Tombstones stay: their key is the database's own. The statements are those of queries/export.sql and
// queries/import.sql; what sqlc makes of them would hold a whole table in
// memory, so that they are run here.
var MovedTables = []MovedTable{
	{Name: "groups", export: exportGroups, put: importGroups},
	{Name: "users", export: exportUsers, put: importUsers},
	{Name: "instructions", export: exportInstructions, put: importInstructions},
	{Name: "templates", export: exportTemplates, put: importTemplates},
	{Name: "settings", export: exportSettings, put: importSettings},
	{Name: "retention", export: exportRetention, put: importRetention},
	{Name: "undone", export: exportUndone, put: importUndone},
	{Name: "episodes", export: exportEpisodes, put: importEpisodes},
	{Name: "readings", export: exportReadings, put: importReadings},
	{Name: "threads", export: exportThreads, put: importThreads},
	{Name: "entities", export: exportEntities, put: importEntities},
	{Name: "entities_history", export: exportEntitiesHistory, put: importEntitiesHistory},
	{Name: "entity_merges", export: exportEntityMerges, put: importEntityMerges},
	{Name: "mentions", export: exportMentions, put: importMentions},
	{Name: "facts", export: exportFacts, put: importFacts},
	{Name: "facts_history", export: exportFactsHistory, put: importFactsHistory},
	{Name: "fact_episodes", export: exportFactEpisodes, put: importFactEpisodes},
	{Name: "communities", export: exportCommunities, put: importCommunities},
	{Name: "communities_history", export: exportCommunitiesHistory, put: importCommunitiesHistory},
	{Name: "community_members", export: exportCommunityMembers, put: importCommunityMembers},
	{Name: "community_builds", export: exportCommunityBuilds, put: importCommunityBuilds},
	{Name: "blocks", export: exportBlocks, put: importBlocks},
	{Name: "blocks_history", export: exportBlocksHistory, put: importBlocksHistory},
	{Name: "agents", export: exportAgents, put: importAgents},
	{Name: "agent_blocks", export: exportAgentBlocks, put: importAgentBlocks},
	{Name: "agent_messages", export: exportAgentMessages, put: importAgentMessages},
	{Name: "agent_steps", export: exportAgentSteps, put: importAgentSteps},
	{Name: "agent_files", export: exportAgentFiles, put: importAgentFiles},
	{Name: "traces", export: exportTraces, put: importTraces},
	{Name: "model_calls", export: exportModelCalls, put: importModelCalls},
	{Name: "episode_embeddings", Vectors: true, export: exportEpisodeEmbeddings, put: importEpisodeEmbeddings},
	{Name: "entity_embeddings", Vectors: true, export: exportEntityEmbeddings, put: importEntityEmbeddings},
	{Name: "fact_embeddings", Vectors: true, export: exportFactEmbeddings, put: importFactEmbeddings},
	{Name: "community_embeddings", Vectors: true, export: exportCommunityEmbeddings, put: importCommunityEmbeddings},
	{Name: "embeddings_history", Vectors: true, export: exportEmbeddingsHistory, put: importEmbeddingsHistory},
}

// ExportRows passes on the group's rows of a table, one JSON object each, in
// the order of their keys; of vectors, those of one model. A row is only good
// until each returns.
func (q *Queries) ExportRows(ctx context.Context, t MovedTable, groupID, model string, each func(row []byte) error) error {
	args := []any{groupID}
	if t.Vectors {
		args = append(args, model)
	}
	rows, err := q.db.Query(ctx, t.export, args...)
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

// ImportRows stores rows of a table as they were exported, given as one JSON
// list, for a group.
func (q *Queries) ImportRows(ctx context.Context, t MovedTable, groupID string, list json.RawMessage) error {
	if _, err := q.db.Exec(ctx, t.put, groupID, list); err != nil {
		return fmt.Errorf("import %s: %w", t.Name, explainEmbedder(err))
	}
	return nil
}
