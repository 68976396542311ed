-- Erasing: removes every trace, for good.

-- Makes keyed hashes that recognise the episodes if they are added again.
-- name: TombstoneEpisodes :many
SELECT b.kind::text AS kind, b.digest::bytea AS digest, coalesce(b.opens, '')::bytea AS opens, coalesce(b.size, 0)::int AS size
FROM annals_internal.add_episode_tombstones(@group_id::text, @ids::uuid[]) b;

-- name: TombstoneGroup :one
SELECT b.digest::bytea AS digest FROM annals_internal.add_tombstone(@group_id::text, 'group', @group_id::text) b;

-- Replaces the lines of texts that repeat what was erased.
-- name: WithoutErased :many
SELECT annals_internal.redact_erased(@group_id::text, t.said)::text AS said
FROM unnest(@texts::text[]) WITH ORDINALITY AS t(said, place)
ORDER BY t.place;

-- Allows erased data to be stored again, until the end of the transaction or until it is switched
-- off.
-- name: Readmit :exec
SELECT annals_internal.set_local('annals.take_back', @switch::text);

-- name: EraseGroup :many
SELECT * FROM annals_internal.erased WHERE false -- gives the rows their type
UNION ALL
SELECT e.source, e.removed, 0 FROM annals_internal.erase_group(@group_id::text) e;

-- Counts what erasing a group removes, in the tables that the caller may read.
-- name: GroupHolds :many
SELECT * FROM annals_internal.erased WHERE false -- gives the rows their type
UNION ALL
SELECT c.source, c.held, 0
FROM annals_internal.count_rows(@group_id::text, ARRAY(
    SELECT t::text FROM annals_internal.tables_with_column('group_id') t
    WHERE t <> 'erasures' AND has_table_privilege(annals_internal.qualified_name(t), 'SELECT') -- certificates stay
)) c
WHERE c.held > 0;

-- name: EraseReferences :many
SELECT * FROM annals_internal.erased WHERE false -- gives the rows their type
UNION ALL
SELECT e.source, e.removed, 0 FROM annals_internal.erase_references(@group_id::text, @reference::text, @ids::uuid[]) e;

-- name: GroupKind :one
SELECT kind::text AS kind
FROM annals.groups
WHERE group_id = @group_id;

-- name: GroupHasVectorIndexes :one
SELECT EXISTS (SELECT FROM annals_internal.vector_indexes WHERE group_id = @group_id);

-- Lists the entities that episodes mention or state facts about, with the entities that were merged
-- into them.
-- name: EntitiesTold :many
WITH told AS (
    SELECT m.entity_id FROM annals.mentions m WHERE m.group_id = @group_id AND m.episode_id = ANY(@episode_ids::uuid[])
    UNION
    SELECT unnest(ARRAY[f.source_id, f.target_id])
    FROM annals.fact_episodes c
    JOIN annals.facts f ON f.group_id = c.group_id AND f.id = c.fact_id
    WHERE c.group_id = @group_id AND c.episode_id = ANY(@episode_ids::uuid[])
)
SELECT t.entity_id::uuid AS id FROM told t
UNION
SELECT m.id FROM annals_internal.entity_merges m JOIN told t ON t.entity_id = m.merged_into WHERE m.group_id = @group_id
ORDER BY 1;

-- Lists entities with merges by hand that have a name found only in episodes to be erased, with
-- their remaining names. Undoing leaves edited entities as they are, so it does not remove such
-- names.
-- name: EntitiesLosingNames :many
SELECT e.id, coalesce(array_agg(w.name ORDER BY w.place) FILTER (WHERE NOT w.gone), '{}')::text[] AS names
FROM annals.entities e
CROSS JOIN LATERAL (
    SELECT u.name, u.place, EXISTS (
        SELECT FROM annals.episodes p
        WHERE p.group_id = @group_id AND p.id = ANY(@episode_ids::uuid[]) AND strpos(lower(p.actor || ' ' || p.content), lower(u.name)) > 0
    ) AND NOT EXISTS (
        SELECT FROM annals.mentions m
        JOIN annals.episodes o ON o.group_id = @group_id AND o.id = m.episode_id
        WHERE m.group_id = @group_id AND m.entity_id = e.id AND NOT o.id = ANY(@episode_ids::uuid[])
            AND strpos(lower(o.actor || ' ' || o.content), lower(u.name)) > 0
    ) AS gone
    FROM unnest(e.name || e.aliases) WITH ORDINALITY AS u(name, place)
) w
WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[])
    AND EXISTS (SELECT FROM annals_internal.entity_merges m WHERE m.group_id = @group_id AND m.merged_into = e.id)
GROUP BY e.id
HAVING bool_or(w.gone) AND NOT bool_and(w.gone);

-- name: EntityCall :exec
UPDATE annals.entities
SET name = @name, aliases = @aliases
WHERE group_id = @group_id AND id = @id;

-- name: FactsTold :many
SELECT DISTINCT fact_id
FROM annals.fact_episodes
WHERE group_id = @group_id AND episode_id = ANY(@episode_ids::uuid[])
ORDER BY fact_id;

-- Lists all the ids that an entity ever had.
-- name: EntityWithMerged :many
SELECT id FROM annals_internal.entity_merges WHERE group_id = @group_id AND merged_into = @id::uuid
UNION
SELECT @id::uuid
ORDER BY 1;

-- Lists the names that an entity ever had, as words between spaces.
-- name: WordsOfEntity :many
SELECT DISTINCT (' ' || btrim(regexp_replace(annals_internal.name_key(called.n), '[^[:alnum:]]+', ' ', 'g')) || ' ')::text AS words
FROM (
    SELECT unnest(e.aliases || e.name) AS n FROM annals.entities e WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[])
    UNION
    SELECT unnest(h.aliases || h.name) FROM annals_internal.entities_history h WHERE h.group_id = @group_id AND h.id = ANY(@ids::uuid[])
) called
WHERE called.n ~ '[[:alnum:]]';

-- Lists the names of given entities that no longer exist, without names that another entity has.
-- name: WordsOfGone :many
SELECT DISTINCT (' ' || btrim(regexp_replace(annals_internal.name_key(called.n), '[^[:alnum:]]+', ' ', 'g')) || ' ')::text AS words
FROM annals_internal.entities_history h
CROSS JOIN LATERAL unnest(h.aliases || h.name) AS called(n)
WHERE h.group_id = @group_id AND h.id = ANY(@ids::uuid[]) AND called.n ~ '[[:alnum:]]'
    AND NOT EXISTS (SELECT FROM annals.entities e WHERE e.group_id = h.group_id AND e.id = h.id)
    AND NOT EXISTS (SELECT FROM annals_internal.entity_names o WHERE o.group_id = h.group_id AND o.name_key = annals_internal.name_key(called.n));

-- Lists the terms of episodes. A term that no other episode stored by then holds is listed twice:
-- it identifies as much as two others together.
-- name: TermsTold :many
WITH told AS (
    SELECT DISTINCT t.term
    FROM annals.episodes e
    JOIN annals.groups g ON g.group_id = e.group_id
    CROSS JOIN LATERAL annals_internal.words_of(g.text_search::regconfig, concat_ws(' ', e.name,
        CASE e.source WHEN 'run' THEN annals_internal.run_text(e.content::jsonb) ELSE e.content END), false) AS w
    CROSS JOIN LATERAL unnest(tsvector_to_array(w.terms)) AS t(term)
    WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[])
)
SELECT t.term::text AS term
FROM told t
CROSS JOIN LATERAL generate_series(1, CASE WHEN EXISTS (
    SELECT FROM annals_internal.all_postings p
    CROSS JOIN LATERAL (SELECT e.id, e.created_at FROM annals.episodes e WHERE e.group_id = @group_id AND e.id = p.document_id OFFSET 0) o
    WHERE p.group_id = @group_id AND p.kind = 'episode' AND p.term = t.term AND o.created_at <= @since::timestamptz AND o.id <> ALL(@ids::uuid[])
) THEN 1 ELSE 2 END)
ORDER BY t.term;

-- Removes documents of agents that are partly erased, or that name an entity.
-- name: AgentFilesErase :many
DELETE FROM annals.agent_files f
WHERE f.group_id = @group_id AND (annals_internal.contains_any_name(annals_internal.join_texts(' . ', f.name, f.content), @words::text[]) OR EXISTS (
    SELECT FROM annals.episodes e
    WHERE e.group_id = @group_id AND e.id = ANY(@episode_ids::uuid[]) AND e.name = f.name AND e.thread_id = 'agent/' || f.agent_id::text || '/files'))
RETURNING f.agent_id, f.name;

-- name: EpisodesOfFile :many
SELECT id FROM annals.episodes
WHERE group_id = @group_id AND thread_id = 'agent/' || @agent_id::uuid || '/files' AND name = @name
ORDER BY id;

-- name: PassagesCount :exec
UPDATE annals.agents a
SET passages = (SELECT count(*) FROM annals.episodes e WHERE e.group_id = @group_id AND e.thread_id = 'agent/' || a.id || '/archive')
WHERE a.group_id = @group_id;

-- name: EraseFromAgents :many
SELECT * FROM annals_internal.erased WHERE false -- gives the rows their type
UNION ALL
SELECT e.source, e.removed, e.edited FROM annals_internal.erase_from_agents(@group_id::text, @words::text[], @terms::text[], coalesce(sqlc.narg('since')::timestamptz, '-infinity')) e;

-- Lists the runs that agents recorded of themselves since, and that repeat what is erased in a
-- line, by the rule of annals_internal.erase_from_agents.
-- name: RunsRepeating :many
WITH run AS MATERIALIZED (
    SELECT e.id, annals_internal.run_text(e.content::jsonb) AS said, g.text_search::regconfig AS config
    FROM annals.episodes e
    JOIN annals.groups g ON g.group_id = e.group_id
    WHERE e.group_id = @group_id AND e.source = 'run' AND e.thread_id LIKE 'agent/%/runs' AND e.created_at >= @since::timestamptz
)
SELECT r.id
FROM run r
WHERE annals_internal.remove_repeating_lines(r.said, '', @words::text[], @terms::text[], r.config) <> r.said
ORDER BY r.id;

-- Lists the episodes that mention an entity or state facts about it, and those in any state whose
-- text, speaker, title or own id contains one of its names.
-- name: EpisodesOfEntity :many
SELECT m.episode_id AS id FROM annals.mentions m WHERE m.group_id = @group_id AND m.entity_id = ANY(@ids::uuid[])
UNION
SELECT c.episode_id
FROM annals.facts f JOIN annals.fact_episodes c ON c.group_id = f.group_id AND c.fact_id = f.id
WHERE f.group_id = @group_id AND (f.source_id = ANY(@ids::uuid[]) OR f.target_id = ANY(@ids::uuid[]))
UNION
SELECT p.id
FROM annals.episodes p
WHERE p.group_id = @group_id AND annals_internal.contains_any_name(annals_internal.join_texts(' ', p.actor, p.name, p.source_description, p.thread_id, p.external_id,
    CASE p.source WHEN 'run' THEN annals_internal.json_text(p.content) ELSE p.content END, annals_internal.json_text(p.metadata::text)), @words::text[])
ORDER BY 1;

-- Lists the other entities whose summaries may be about given entities: they name them, or have a
-- fact with them or one that names them.
-- name: EntitiesTelling :many
SELECT e.id FROM annals.entities e
WHERE e.group_id = @group_id AND NOT e.id = ANY(@ids::uuid[])
    AND annals_internal.contains_any_name(annals_internal.join_texts(' . ', e.summary, e.written), @words::text[])
UNION
SELECT o.id
FROM annals.facts f
CROSS JOIN LATERAL (VALUES (f.source_id), (f.target_id)) AS o(id)
WHERE f.group_id = @group_id AND NOT o.id = ANY(@ids::uuid[])
    AND (f.source_id = ANY(@ids::uuid[]) OR f.target_id = ANY(@ids::uuid[]) OR annals_internal.contains_any_name(f.fact, @words::text[]));

-- Erases the remaining rows that name an entity.
-- name: EraseNaming :many
SELECT * FROM annals_internal.erased WHERE false -- gives the rows their type
UNION ALL
SELECT e.source, e.removed, e.edited FROM annals_internal.erase_name_from_group(@group_id::text, @words::text[]) e;

-- name: CommunitiesNaming :many
SELECT c.id FROM annals.communities c
WHERE c.group_id = @group_id AND annals_internal.contains_any_name(annals_internal.join_texts(' . ', c.name, c.summary), @words::text[])
UNION
SELECT h.id FROM annals_internal.communities_history h
WHERE h.group_id = @group_id AND annals_internal.contains_any_name(annals_internal.join_texts(' . ', h.name, h.summary), @words::text[])
ORDER BY 1;

-- name: ModelCallsNamingEmpty :execrows
UPDATE annals.model_calls
SET answer = NULL, error = NULL, key = ''
WHERE group_id = @group_id AND (answer IS NOT NULL OR error IS NOT NULL)
    AND annals_internal.contains_any_name(annals_internal.join_texts(' . ', annals_internal.json_text(answer), error), @words::text[]);

-- Removes versions that began since a time.
-- name: EntityVersionsDelete :execrows
DELETE FROM annals_internal.entities_history
WHERE group_id = @group_id AND id = ANY(@ids::uuid[]) AND lower(recorded) >= @since::timestamptz;

-- name: FactVersionsDelete :execrows
DELETE FROM annals_internal.facts_history
WHERE group_id = @group_id AND lower(recorded) >= @since::timestamptz
    AND (id = ANY(@ids::uuid[]) OR evidence && @episode_ids::uuid[]);

-- name: FactVersionsOfEntityDelete :execrows
DELETE FROM annals_internal.facts_history
WHERE group_id = @group_id AND (source_id = ANY(@entity_ids::uuid[]) OR target_id = ANY(@entity_ids::uuid[]));

-- name: FactsOfEntities :many
SELECT id FROM annals.facts f
WHERE f.group_id = @group_id AND (f.source_id = ANY(@entity_ids::uuid[]) OR f.target_id = ANY(@entity_ids::uuid[]))
ORDER BY id;

-- Lists the communities that any of the entities is or was a member of.
-- name: CommunitiesOfEntities :many
SELECT m.community_id AS id FROM annals.community_members m WHERE m.group_id = @group_id AND m.entity_id = ANY(@entity_ids::uuid[])
UNION
SELECT h.id FROM annals_internal.communities_history h WHERE h.group_id = @group_id AND h.evidence && @entity_ids::uuid[]
ORDER BY 1;

-- name: CommunityVersionsDelete :execrows
DELETE FROM annals_internal.communities_history
WHERE group_id = @group_id AND id = ANY(@ids::uuid[]);

-- Removes the vectors of versions that are no longer in the history.
-- name: PastVectorsForget :execrows
DELETE FROM annals_internal.embeddings_history v
WHERE v.group_id = @group_id AND NOT CASE v.kind
    WHEN 'entity' THEN EXISTS (SELECT FROM annals_internal.entities_history n
        WHERE n.group_id = @group_id AND n.id = v.id AND upper(n.recorded) = v.until)
    WHEN 'fact' THEN EXISTS (SELECT FROM annals_internal.facts_history f
        WHERE f.group_id = @group_id AND f.id = v.id AND upper(f.recorded) = v.until)
    WHEN 'community' THEN EXISTS (SELECT FROM annals_internal.communities_history c
        WHERE c.group_id = @group_id AND c.id = v.id AND upper(c.recorded) = v.until)
    ELSE false
END;

-- Marks the communities to be built again at the next opportunity.
-- name: CommunityBuildForget :exec
UPDATE annals_internal.community_builds
SET built_at = NULL, entities = 0, arrived = greatest(arrived, 1)
WHERE group_id = @group_id;

-- name: ModelCallsDelete :execrows
DELETE FROM annals.model_calls
WHERE group_id = @group_id AND episode_id = ANY(@episode_ids::uuid[]);

-- Empties the answers of models since a time, which may repeat what is erased, and their keys,
-- which are hashes of the questions. The costs remain.
-- name: ModelCallsEmpty :execrows
UPDATE annals.model_calls
SET answer = NULL, error = NULL, key = ''
WHERE group_id = @group_id AND called_at >= @since::timestamptz AND (answer IS NOT NULL OR error IS NOT NULL OR key <> '');

-- Empties the errors of failed episodes, which may quote what is erased.
-- name: FailuresEmpty :exec
WITH failed AS (
    UPDATE annals.episodes e SET error = 'the reason was erased; retry it'
    WHERE e.group_id = @group_id AND e.state = 'failed'
    RETURNING e.id
)
DELETE FROM annals.traces t USING failed f
WHERE t.group_id = @group_id AND t.episode_id = f.id;

-- name: FrequentTermsForget :exec
WITH uncounted AS (
    UPDATE annals_internal.search_statistics s SET counted = 0, refreshed_at = '-infinity' WHERE s.group_id = @group_id
)
DELETE FROM annals_internal.frequent_terms f
WHERE f.group_id = @group_id;


-- Lists the tables in which the transaction changes or removes rows. The server counts these, so
-- that no table is forgotten. Postings before packing are in annals_internal.postings, packed ones
-- in posting_blocks: if one is touched, both are listed.
-- name: TablesTouched :many
SELECT DISTINCT n.name::text AS name
FROM pg_catalog.pg_stat_xact_user_tables t
CROSS JOIN LATERAL (
    SELECT format('%I.%I', t.schemaname, t.relname) AS name
    UNION ALL
    SELECT v.name FROM (VALUES ('annals_internal.posting_blocks'), ('annals_internal.postings')) AS v(name)
    WHERE t.schemaname = 'annals_internal' AND t.relname IN ('posting_blocks', 'postings')
) n
WHERE t.schemaname IN ('annals', 'annals_internal') AND t.n_tup_upd + t.n_tup_del > 0
ORDER BY 1;

-- name: ErasureNote :one
SELECT annals_internal.note_erasure(@group_id::text, @scope::text, @certificate::jsonb, @to_vacuum::text[])::uuid AS id;

-- Lists the erasures of a group, or of all groups including those that are gone, the latest first.
-- name: ErasureList :many
SELECT group_id, id, erased_at, door, written_by, certificate, to_vacuum
FROM annals.erasures
WHERE sqlc.narg('group_id')::text IS NULL OR group_id = sqlc.narg('group_id')::text
ORDER BY erased_at DESC, id
LIMIT @max_rows::int;

-- Lists the erasures whose tables still have to be vacuumed, with those of the tables that exist.
-- name: ErasuresOwing :many
SELECT e.group_id, e.id, ARRAY(SELECT t.name FROM unnest(e.to_vacuum) AS t (name) WHERE to_regclass(t.name) IS NOT NULL)::text[] AS tables
FROM annals.erasures e
WHERE e.to_vacuum <> '{}'
ORDER BY e.erased_at;

-- name: ErasurePaid :batchexec
UPDATE annals.erasures
SET to_vacuum = '{}'
WHERE group_id = @group_id AND id = @id;

-- Removes the statistics of empty tables, which ANALYZE keeps.
-- name: EmptyTablesForget :exec
DELETE FROM pg_catalog.pg_statistic s
USING pg_catalog.pg_class c
WHERE c.oid = s.starelid AND c.relnamespace IN ('annals'::regnamespace, 'annals_internal'::regnamespace) AND c.relkind = 'r' AND c.reltuples = 0;

-- name: TablesOfGroups :many
SELECT annals_internal.tables_with_column('group_id')::text AS source;

-- Lists the episodes that were erased, or that have one of the keyed hashes.
-- name: ErasedEpisodes :many
SELECT e.id::uuid AS id FROM annals_internal.erased_episodes(@group_id::text, @digests::bytea[]) AS e(id);

-- Finds the data in a group that a certificate names: episodes with its ids and, if it has any,
-- with the keyed hashes of their contents.
-- name: CertifiedEpisodes :many
SELECT p.id FROM annals.episodes p WHERE p.group_id = @group_id AND p.id = ANY(@ids::uuid[])
UNION
SELECT e.id::uuid FROM annals_internal.erased_episodes(@group_id::text, @digests::bytea[]) AS e(id) WHERE cardinality(@digests::bytea[]) > 0
ORDER BY 1;

-- Makes a group a copy of another, with the tombstones of that group if the caller may know it.
-- name: TombstonesCopy :one
SELECT annals_internal.copy_tombstones(@from_group::text, @group_id::text, @known::boolean)::boolean AS erased;

-- name: CopiesOf :many
SELECT c.name::text AS group_id FROM annals_internal.copies_of(@group_id::text) AS c(name);

-- name: TombstoneKey :one
SELECT annals_internal.tombstone_key()::text AS key;

-- name: TombstonesAgain :exec
SELECT annals_internal.restore_tombstones(@group_id::text, @kinds::text[], @digests::bytea[], @opens::bytea[], @sizes::int[]);

-- Finds the groups that have a keyed hash.
-- name: GroupsByTombstone :many
SELECT g.group_id FROM annals.groups g
WHERE annals_internal.tombstone_hash('group', g.group_id) = ANY(@digests::bytea[])
ORDER BY g.group_id;

-- Returns the highest authority of what was said, edited or set in a group. Upkeep has no
-- authority.
-- name: GroupAuthority :one
SELECT greatest(
    (SELECT max(e.authority) FROM annals.episodes e WHERE e.group_id = @group_id),
    (SELECT max(d.authority) FROM annals.edits d WHERE d.group_id = @group_id AND d.action NOT IN ('sweep', 'readmit')),
    (SELECT max(c.authority) FROM annals.changes c WHERE c.group_id = @group_id AND c.action NOT IN ('sweep', 'mend', 'readmit')),
    'assistant')::annals.authority AS authority;
