-- The rows of an export, put back as they were. Each statement takes lines of
-- one table as a JSON list; triggers derive the rest. Package db runs these
-- statements itself, in the order of the tables.

-- Whether a group has anything that an import could run into. What it is set to
-- and what searches of it have cost is nothing of the kind.
-- name: ImportAgentBlocks :execrows
INSERT INTO annals.agent_blocks (group_id, agent_id, block_id, place)
SELECT @group_id::text, r.agent_id, r.block_id, r.place
FROM json_populate_recordset(NULL::annals.agent_blocks, @lines::json) AS r;

-- name: ImportAgentFiles :execrows
INSERT INTO annals.agent_files (group_id, agent_id, id, name, content, lines, chunks, open_from, open_to, opened_at, created_at)
SELECT @group_id::text, r.agent_id, r.id, r.name, r.content, r.lines, r.chunks, r.open_from, r.open_to, r.opened_at, r.created_at
FROM json_populate_recordset(NULL::annals.agent_files, @lines::json) AS r;

-- name: ImportAgentMessages :execrows
INSERT INTO annals.agent_messages (group_id, agent_id, seq, id, step, role, kind, actor, content, thought, function, arguments, call_id, failed,
    tokens, occurred_at, episode_id, external_id)
SELECT @group_id::text, r.agent_id, r.seq, r.id, r.step, r.role, r.kind, r.actor, r.content, r.thought, r.function, r.arguments,
    r.call_id, r.failed, r.tokens, r.occurred_at, r.episode_id, r.external_id
FROM json_populate_recordset(NULL::annals.agent_messages, @lines::json) AS r;

-- name: ImportAgentSteps :execrows
INSERT INTO annals.agent_steps (group_id, agent_id, step, kind, model, prompt_tokens, evicted, failures, note, finished_at)
SELECT @group_id::text, r.agent_id, r.step, r.kind, r.model, r.prompt_tokens, r.evicted, r.failures, r.note, r.finished_at
FROM json_populate_recordset(NULL::annals.agent_steps, @lines::json) AS r;

-- name: ImportAgents :execrows
INSERT INTO annals.agents (group_id, id, name, instructions, settings, summary, queue_start, last_seq, passages, steps, turn_steps, awaiting,
    warned, heartbeat_seconds, heartbeat_at, paused_until, consolidated_seq, created_at)
SELECT @group_id::text, r.id, r.name, r.instructions, r.settings, r.summary, r.queue_start, r.last_seq, r.passages, r.steps,
    r.turn_steps, r.awaiting, r.warned, r.heartbeat_seconds, r.heartbeat_at, r.paused_until,
    r.consolidated_seq, r.created_at
FROM json_populate_recordset(NULL::annals.agents, @lines::json) AS r;

-- name: ImportBlocks :execrows
INSERT INTO annals.blocks (group_id, id, label, description, value, char_limit, read_only, edited_by, version, cursor, parent, redo,
    created_at, recorded)
SELECT @group_id::text, r.id, r.label, r.description, r.value, r.char_limit, r.read_only, r.edited_by, r.version, r.cursor,
    r.parent, r.redo, r.created_at, r.recorded
FROM json_populate_recordset(NULL::annals.blocks, @lines::json) AS r;

-- name: ImportBlocksHistory :execrows
INSERT INTO annals.blocks_history (group_id, id, label, description, value, char_limit, read_only, edited_by, version, cursor, parent, redo,
    created_at, recorded)
SELECT @group_id::text, r.id, r.label, r.description, r.value, r.char_limit, r.read_only, r.edited_by, r.version, r.cursor,
    r.parent, r.redo, r.created_at, r.recorded
FROM json_populate_recordset(NULL::annals.blocks_history, @lines::json) AS r;

-- name: ImportCommunities :execrows
INSERT INTO annals.communities (group_id, id, name, summary, created_at, recorded, digest)
SELECT @group_id::text, r.id, r.name, r.summary, r.created_at, r.recorded, r.digest
FROM json_populate_recordset(NULL::annals.communities, @lines::json) AS r;

-- name: ImportCommunitiesHistory :execrows
INSERT INTO annals.communities_history (group_id, id, name, summary, created_at, recorded, evidence)
SELECT @group_id::text, r.id, r.name, r.summary, r.created_at, r.recorded, r.evidence
FROM json_populate_recordset(NULL::annals.communities_history, @lines::json) AS r;

-- name: ImportCommunityBuilds :execrows
INSERT INTO annals.community_builds (group_id, built_at, entities, arrived)
SELECT @group_id::text, r.built_at, r.entities, r.arrived
FROM json_populate_recordset(NULL::annals.community_builds, @lines::json) AS r;

-- name: ImportCommunityEmbeddings :execrows
INSERT INTO annals.community_embeddings (group_id, model, community_id, embedding)
SELECT @group_id::text, r.model, r.community_id, r.embedding
FROM json_populate_recordset(NULL::annals.community_embeddings, @lines::json) AS r;

-- name: ImportCommunityMembers :execrows
INSERT INTO annals.community_members (group_id, community_id, entity_id)
SELECT @group_id::text, r.community_id, r.entity_id
FROM json_populate_recordset(NULL::annals.community_members, @lines::json) AS r;

-- name: ImportEmbeddingsHistory :execrows
INSERT INTO annals.embeddings_history (group_id, kind, model, id, until, embedding)
SELECT @group_id::text, r.kind, r.model, r.id, r.until, r.embedding
FROM json_populate_recordset(NULL::annals.embeddings_history, @lines::json) AS r;

-- name: ImportEntities :execrows
INSERT INTO annals.entities (group_id, id, name, aliases, labels, summary, attributes, created_at, recorded, caused_by)
SELECT @group_id::text, r.id, r.name, r.aliases, r.labels, r.summary, r.attributes, r.created_at, r.recorded, r.caused_by
FROM json_populate_recordset(NULL::annals.entities, @lines::json) AS r;

-- name: ImportEntitiesHistory :execrows
INSERT INTO annals.entities_history (
    group_id, id, name, aliases, labels, summary, attributes, created_at, recorded, evidence, caused_by, ended_by
)
SELECT @group_id::text, r.id, r.name, r.aliases, r.labels, r.summary, r.attributes, r.created_at, r.recorded, r.evidence,
    r.caused_by, r.ended_by
FROM json_populate_recordset(NULL::annals.entities_history, @lines::json) AS r;

-- name: ImportEntityEmbeddings :execrows
INSERT INTO annals.entity_embeddings (group_id, model, entity_id, embedding)
SELECT @group_id::text, r.model, r.entity_id, r.embedding
FROM json_populate_recordset(NULL::annals.entity_embeddings, @lines::json) AS r;

-- name: ImportEntityMerges :execrows
INSERT INTO annals.entity_merges (group_id, id, merged_into, merged_at)
SELECT @group_id::text, r.id, r.merged_into, r.merged_at
FROM json_populate_recordset(NULL::annals.entity_merges, @lines::json) AS r;

-- name: ImportEpisodeEmbeddings :execrows
INSERT INTO annals.episode_embeddings (group_id, model, episode_id, embedding)
SELECT @group_id::text, r.model, r.episode_id, r.embedding
FROM json_populate_recordset(NULL::annals.episode_embeddings, @lines::json) AS r;

-- name: ImportEpisodes :execrows
INSERT INTO annals.episodes (
    group_id, id, source, content, actor, role, name, source_description, thread_id, occurred_at, created_at, metadata,
    external_id, state, attempts, error, deferred, previous, processed_at
)
SELECT @group_id::text, r.id, r.source, r.content, r.actor, r.role, r.name, r.source_description, r.thread_id,
    r.occurred_at, r.created_at, r.metadata, r.external_id, r.state, r.attempts, r.error, r.deferred, r.previous,
    r.processed_at
FROM json_populate_recordset(NULL::annals.episodes, @lines::json) AS r;

-- name: ImportFactEmbeddings :execrows
INSERT INTO annals.fact_embeddings (group_id, model, fact_id, embedding)
SELECT @group_id::text, r.model, r.fact_id, r.embedding
FROM json_populate_recordset(NULL::annals.fact_embeddings, @lines::json) AS r;

-- name: ImportFactEpisodes :execrows
INSERT INTO annals.fact_episodes (group_id, fact_id, episode_id, role)
SELECT @group_id::text, r.fact_id, r.episode_id, r.role
FROM json_populate_recordset(NULL::annals.fact_episodes, @lines::json) AS r;

-- name: ImportFacts :execrows
INSERT INTO annals.facts (
    group_id, id, source_id, target_id, predicate, fact, ends, attributes, valid, recorded, created_at, expired_at,
    statement_id, kind, from_basis, from_precision, until_basis, until_precision, said_at, bounded_by, caused_by
)
SELECT @group_id::text, r.id, r.source_id, r.target_id, r.predicate, r.fact, r.ends, r.attributes, r.valid, r.recorded,
    r.created_at, r.expired_at, r.statement_id, coalesce(r.kind, 'state'), coalesce(r.from_basis, 'unknown'), coalesce(r.from_precision, 'unknown'), coalesce(r.until_basis, 'unknown'), coalesce(r.until_precision, 'unknown'), r.said_at, r.bounded_by, r.caused_by
FROM json_populate_recordset(NULL::annals.facts, @lines::json) AS r;

-- name: ImportFactsHistory :execrows
INSERT INTO annals.facts_history (
    group_id, id, source_id, target_id, predicate, fact, ends, attributes, valid, recorded, created_at, expired_at,
    statement_id, kind, from_basis, from_precision, until_basis, until_precision, said_at, bounded_by, evidence, caused_by, ended_by
)
SELECT @group_id::text, r.id, r.source_id, r.target_id, r.predicate, r.fact, r.ends, r.attributes, r.valid, r.recorded,
    r.created_at, r.expired_at, r.statement_id, coalesce(r.kind, 'state'), coalesce(r.from_basis, 'unknown'), coalesce(r.from_precision, 'unknown'), coalesce(r.until_basis, 'unknown'), coalesce(r.until_precision, 'unknown'), r.said_at, r.bounded_by, r.evidence, r.caused_by, r.ended_by
FROM json_populate_recordset(NULL::annals.facts_history, @lines::json) AS r;

-- name: ImportGroups :execrows
INSERT INTO annals.groups (group_id, kind, text_search, created_at, ontology, name, description, time_zone, updated_at)
SELECT @group_id::text, r.kind, r.text_search, r.created_at, r.ontology, coalesce(r.name, ''), coalesce(r.description, ''),
    coalesce(r.time_zone, ''), coalesce(r.updated_at, r.created_at)
FROM json_populate_recordset(NULL::annals.groups, @lines::json) AS r
ON CONFLICT (group_id) DO UPDATE
SET kind = excluded.kind, text_search = excluded.text_search, created_at = excluded.created_at, ontology = excluded.ontology,
    name = excluded.name, description = excluded.description, time_zone = excluded.time_zone, updated_at = excluded.updated_at;

-- name: ImportInstructions :execrows
INSERT INTO annals.instructions (group_id, purpose, name, words, created_at)
SELECT @group_id::text, r.purpose, r.name, r.words, r.created_at
FROM json_populate_recordset(NULL::annals.instructions, @lines::json) AS r;

-- name: ImportMentions :execrows
INSERT INTO annals.mentions (group_id, episode_id, entity_id)
SELECT @group_id::text, r.episode_id, r.entity_id
FROM json_populate_recordset(NULL::annals.mentions, @lines::json) AS r;

-- name: ImportModelCalls :execrows
INSERT INTO annals.model_calls (
    group_id, id, episode_id, kind, prompt, version, model, key, input_tokens, cached_tokens, output_tokens, latency, cost,
    from_cache, repair, answer, error, called_at
)
SELECT @group_id::text, r.id, r.episode_id, r.kind, r.prompt, r.version, r.model, r.key, r.input_tokens,
    r.cached_tokens, r.output_tokens, r.latency, r.cost, r.from_cache, r.repair, r.answer, r.error, r.called_at
FROM json_populate_recordset(NULL::annals.model_calls, @lines::json) AS r;

-- name: ImportOccupied :one
SELECT (EXISTS (SELECT FROM annals.episodes p WHERE p.group_id = @group_id)
    OR EXISTS (SELECT FROM annals.entities n WHERE n.group_id = @group_id)
    OR EXISTS (SELECT FROM annals.entities_history h WHERE h.group_id = @group_id)
    OR EXISTS (SELECT FROM annals.facts_history f WHERE f.group_id = @group_id)
    OR EXISTS (SELECT FROM annals.communities c WHERE c.group_id = @group_id)
    OR EXISTS (SELECT FROM annals.communities_history d WHERE d.group_id = @group_id)
    OR EXISTS (SELECT FROM annals.undone u WHERE u.group_id = @group_id))::boolean AS occupied;

-- name: ImportReadings :execrows
INSERT INTO annals.readings (group_id, episode_id, reader, reading)
SELECT @group_id::text, r.episode_id, r.reader, r.reading
FROM json_populate_recordset(NULL::annals.readings, @lines::json) AS r;

-- name: ImportRetention :execrows
INSERT INTO annals.retention (group_id, max_age, max_episodes, applied_at)
SELECT @group_id::text, r.max_age, r.max_episodes, r.applied_at
FROM json_populate_recordset(NULL::annals.retention, @lines::json) AS r
ON CONFLICT (group_id) DO UPDATE
SET max_age = excluded.max_age, max_episodes = excluded.max_episodes, applied_at = excluded.applied_at;

-- name: ImportSettings :execrows
INSERT INTO annals.settings (group_id, name, value)
SELECT @group_id::text, r.name, r.value
FROM json_populate_recordset(NULL::annals.settings, @lines::json) AS r
ON CONFLICT (group_id, name) DO UPDATE SET value = excluded.value;

-- name: ImportTemplates :execrows
INSERT INTO annals.templates (group_id, id, template, created_at, updated_at)
SELECT @group_id::text, r.id, r.template, r.created_at, r.updated_at
FROM json_populate_recordset(NULL::annals.templates, @lines::json) AS r;

-- name: ImportThreads :execrows
INSERT INTO annals.threads (group_id, id, summary, through_at, through_id, updated_at, created_at, metadata)
SELECT @group_id::text, r.id, r.summary, r.through_at, r.through_id, r.updated_at, r.created_at, coalesce(r.metadata, '{}')
FROM json_populate_recordset(NULL::annals.threads, @lines::json) AS r;

-- name: ImportTraces :execrows
INSERT INTO annals.traces (group_id, episode_id, place, step, decision, subject, reason, entity_id, fact_id)
SELECT @group_id::text, r.episode_id, r.place, r.step, r.decision, r.subject, r.reason, r.entity_id, r.fact_id
FROM json_populate_recordset(NULL::annals.traces, @lines::json) AS r;

-- name: ImportUndone :execrows
INSERT INTO annals.undone (group_id, undone_at, since, removed)
SELECT @group_id::text, r.undone_at, r.since, r.removed
FROM json_populate_recordset(NULL::annals.undone, @lines::json) AS r;

-- name: ImportUsers :execrows
INSERT INTO annals.users (group_id, email, first_name, last_name, metadata, plain, created_at, updated_at)
SELECT @group_id::text, r.email, r.first_name, r.last_name, r.metadata, r.plain, r.created_at, r.updated_at
FROM json_populate_recordset(NULL::annals.users, @lines::json) AS r
ON CONFLICT (group_id) DO UPDATE
SET email = excluded.email, first_name = excluded.first_name, last_name = excluded.last_name, metadata = excluded.metadata,
    plain = excluded.plain, created_at = excluded.created_at, updated_at = excluded.updated_at;
