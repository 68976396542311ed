-- The rows of a group, each as a line of JSON, in the order of their keys: what
-- an export consists of. Everything is here that cannot be derived from the
-- rest; terms, postings, names and statistics can, and vectors from the texts.
-- Package db runs these statements itself, to pass on the rows one by one.

-- What times and numbers look like must not depend on who exports.
-- name: ExportAgentBlocks :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT agent_id, block_id, place
    FROM annals.agent_blocks
    WHERE group_id = @group_id
) r
ORDER BY r.agent_id, r.block_id;

-- name: ExportAgentFiles :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT agent_id, id, name, content, lines, chunks, open_from, open_to, opened_at, created_at
    FROM annals.agent_files
    WHERE group_id = @group_id
) r
ORDER BY r.agent_id, r.id;

-- name: ExportAgentMessages :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT agent_id, seq, id, step, role, kind, actor, content, thought, function, arguments, call_id, failed, tokens,
        occurred_at, episode_id, external_id
    FROM annals.agent_messages
    WHERE group_id = @group_id
) r
ORDER BY r.agent_id, r.seq;

-- name: ExportAgentSteps :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT agent_id, step, kind, model, prompt_tokens, evicted, failures, note, finished_at
    FROM annals.agent_steps
    WHERE group_id = @group_id
) r
ORDER BY r.agent_id, r.step;

-- name: ExportAgents :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, name, instructions, settings, summary, queue_start, last_seq, passages, steps, turn_steps, awaiting, warned,
        heartbeat_seconds, heartbeat_at, paused_until, consolidated_seq, created_at
    FROM annals.agents
    WHERE group_id = @group_id
) r
ORDER BY r.id;

-- name: ExportBlocks :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, label, description, value, char_limit, read_only, edited_by, version, cursor, parent, redo, created_at, recorded
    FROM annals.blocks
    WHERE group_id = @group_id
) r
ORDER BY r.id;

-- name: ExportBlocksHistory :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, label, description, value, char_limit, read_only, edited_by, version, cursor, parent, redo, created_at, recorded
    FROM annals.blocks_history
    WHERE group_id = @group_id
) r
ORDER BY r.id, r.version;

-- name: ExportCommunities :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, name, summary, created_at, recorded, digest
    FROM annals.communities
    WHERE group_id = @group_id
) r
ORDER BY r.id;

-- name: ExportCommunitiesHistory :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, name, summary, created_at, recorded, evidence
    FROM annals.communities_history
    WHERE group_id = @group_id
) r
ORDER BY r.id, r.recorded;

-- name: ExportCommunityBuilds :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT built_at, entities, arrived
    FROM annals.community_builds
    WHERE group_id = @group_id
) r;

-- name: ExportCommunityEmbeddings :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT model, community_id, embedding
    FROM annals.community_embeddings
    WHERE group_id = @group_id AND model = @model
) r
ORDER BY r.community_id;

-- name: ExportCommunityMembers :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT community_id, entity_id
    FROM annals.community_members
    WHERE group_id = @group_id
) r
ORDER BY r.community_id, r.entity_id;

-- name: ExportEmbeddingsHistory :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT kind, model, id, until, embedding
    FROM annals.embeddings_history
    WHERE group_id = @group_id AND model = @model
) r
ORDER BY r.kind, r.id, r.until;

-- name: ExportEntities :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, name, aliases, labels, summary, attributes, created_at, recorded, caused_by
    FROM annals.entities
    WHERE group_id = @group_id
) r
ORDER BY r.id;

-- name: ExportEntitiesHistory :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, name, aliases, labels, summary, attributes, created_at, recorded, evidence, caused_by, ended_by
    FROM annals.entities_history
    WHERE group_id = @group_id
) r
ORDER BY r.id, r.recorded;

-- name: ExportEntityEmbeddings :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT model, entity_id, embedding
    FROM annals.entity_embeddings
    WHERE group_id = @group_id AND model = @model
) r
ORDER BY r.entity_id;

-- name: ExportEntityMerges :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, merged_into, merged_at
    FROM annals.entity_merges
    WHERE group_id = @group_id
) r
ORDER BY r.id;

-- name: ExportEpisodeEmbeddings :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT model, episode_id, embedding
    FROM annals.episode_embeddings
    WHERE group_id = @group_id AND model = @model
) r
ORDER BY r.episode_id;

-- name: ExportEpisodes :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, source, content, actor, role, name, source_description, thread_id, occurred_at, created_at, metadata,
        external_id, state, attempts, error, deferred, previous, processed_at
    FROM annals.episodes
    WHERE group_id = @group_id
) r
ORDER BY r.id;

-- name: ExportFactEmbeddings :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT model, fact_id, embedding
    FROM annals.fact_embeddings
    WHERE group_id = @group_id AND model = @model
) r
ORDER BY r.fact_id;

-- name: ExportFactEpisodes :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT fact_id, episode_id, role
    FROM annals.fact_episodes
    WHERE group_id = @group_id
) r
ORDER BY r.fact_id, r.episode_id, r.role;

-- name: ExportFacts :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, source_id, target_id, predicate, fact, ends, attributes, valid, recorded, created_at, expired_at, statement_id,
        kind, from_basis, from_precision, until_basis, until_precision, said_at, bounded_by, caused_by
    FROM annals.facts
    WHERE group_id = @group_id
) r
ORDER BY r.id;

-- name: ExportFactsHistory :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, source_id, target_id, predicate, fact, ends, attributes, valid, recorded, created_at, expired_at, statement_id,
        kind, from_basis, from_precision, until_basis, until_precision, said_at, bounded_by, evidence, caused_by, ended_by
    FROM annals.facts_history
    WHERE group_id = @group_id
) r
ORDER BY r.id, r.recorded;

-- name: ExportGroups :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT kind, text_search, created_at, ontology, name, description, time_zone, updated_at
    FROM annals.groups
    WHERE group_id = @group_id
) r;

-- name: ExportInstructions :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT purpose, name, words, created_at
    FROM annals.instructions
    WHERE group_id = @group_id
) r
ORDER BY r.purpose COLLATE "C", r.name COLLATE "C";

-- name: ExportMentions :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT episode_id, entity_id
    FROM annals.mentions
    WHERE group_id = @group_id
) r
ORDER BY r.episode_id, r.entity_id;

-- name: ExportModelCalls :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, episode_id, kind, prompt, version, model, key, input_tokens, cached_tokens, output_tokens, latency, cost,
        from_cache, repair, answer, error, called_at
    FROM annals.model_calls
    WHERE group_id = @group_id
) r
ORDER BY r.id;

-- name: ExportReadings :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT episode_id, reader, reading
    FROM annals.readings
    WHERE group_id = @group_id
) r
ORDER BY r.episode_id;

-- name: ExportRetention :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT max_age, max_episodes, applied_at
    FROM annals.retention
    WHERE group_id = @group_id
) r;

-- name: ExportSettings :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT name, value
    FROM annals.settings
    WHERE group_id = @group_id
) r
ORDER BY r.name COLLATE "C";

-- name: ExportStyle :one
SELECT set_config('timezone', 'UTC', true) AS timezone, set_config('datestyle', 'ISO, YMD', true) AS datestyle,
    set_config('intervalstyle', 'postgres', true) AS intervalstyle, set_config('bytea_output', 'hex', true) AS bytea_output,
    set_config('extra_float_digits', '1', true) AS extra_float_digits,
    set_config('idle_in_transaction_session_timeout', '0', true) AS timeout;

-- name: ExportTemplates :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, template, created_at, updated_at
    FROM annals.templates
    WHERE group_id = @group_id
) r
ORDER BY r.id COLLATE "C";

-- name: ExportThreads :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT id, summary, through_at, through_id, updated_at, created_at, metadata
    FROM annals.threads
    WHERE group_id = @group_id
) r
ORDER BY r.id COLLATE "C";

-- name: ExportTraces :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT episode_id, place, step, decision, subject, reason, entity_id, fact_id
    FROM annals.traces
    WHERE group_id = @group_id
) r
ORDER BY r.episode_id, r.place;

-- name: ExportUndone :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT undone_at, since, removed
    FROM annals.undone
    WHERE group_id = @group_id
) r
ORDER BY r.undone_at;

-- name: ExportUsers :many
SELECT row_to_json(r)::text AS line
FROM (
    SELECT email, first_name, last_name, metadata, plain, created_at, updated_at
    FROM annals.users
    WHERE group_id = @group_id
) r;
