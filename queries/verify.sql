-- The queries of 'annals verify': one for each invariant, of a group or, without one, of all
-- groups. They list violations by group and id. A whole database takes few passes over each table.

-- Lists the breaks in the audit of each group and of the service: the place in the chain, or the
-- row without one.
-- name: VerifyAudit :many
SELECT (coalesce(nullif(g.group_id, ''), 'service') || ' ' || coalesce(b.position::text, b.row_id::text))::text AS found
FROM (
    SELECT o.group_id FROM annals.groups o WHERE sqlc.narg('group_id')::text IS NULL OR o.group_id = sqlc.narg('group_id')::text
    UNION ALL
    SELECT '' WHERE sqlc.narg('group_id')::text IS NULL
) g
CROSS JOIN LATERAL annals_internal.audit_breaks(g.group_id) b
ORDER BY 1;

-- Lists facts with inconsistent bounds. The basis of a bound must be known exactly if the bound is.
-- bounded_by needs an inferred start or a known end, and must be another fact.
-- name: VerifyBounds :many
SELECT (f.group_id || ' ' || f.id)::text AS found
FROM annals.facts f
WHERE (sqlc.narg('group_id')::text IS NULL OR f.group_id = sqlc.narg('group_id')::text)
    AND (lower_inf(f.valid) <> (f.from_basis = 'unknown') OR upper_inf(f.valid) <> (f.until_basis = 'unknown')
        OR f.bounded_by = f.id
        OR f.bounded_by IS NOT NULL AND f.from_basis <> 'inferred' AND f.until_basis = 'unknown')
ORDER BY 1;

-- Lists communities that changed a while ago and were not described again, and those without
-- members. Hidden ones are left out, as they say nothing.
-- name: VerifyCommunitiesCurrent :many
SELECT (c.group_id || ' ' || c.id)::text AS found
FROM annals.communities c
WHERE (sqlc.narg('group_id')::text IS NULL OR c.group_id = sqlc.narg('group_id')::text)
    AND NOT c.stale AND (c.digest = '' AND lower(c.recorded) < clock_timestamp() - make_interval(secs => @grace_seconds::float8)
        OR NOT EXISTS (SELECT FROM annals.community_members m WHERE m.group_id = c.group_id AND m.community_id = c.id))
ORDER BY 1;

-- Lists communities with a wrong member count.
-- name: VerifyCommunitySizes :many
SELECT (c.group_id || ' ' || c.id)::text AS found
FROM annals.communities c
LEFT JOIN (SELECT r.group_id, r.community_id, count(*) AS members FROM annals.community_members r GROUP BY r.group_id, r.community_id) m
    ON m.group_id = c.group_id AND m.community_id = c.id
WHERE (sqlc.narg('group_id')::text IS NULL OR c.group_id = sqlc.narg('group_id')::text) AND c.size <> coalesce(m.members, 0)
ORDER BY 1;

-- Lists episodes whose text differs from the stored hash.
-- name: VerifyContent :many
SELECT (e.group_id || ' ' || e.id)::text AS found
FROM annals.episodes e
WHERE (sqlc.narg('group_id')::text IS NULL OR e.group_id = sqlc.narg('group_id')::text)
    AND e.content_hash <> sha256(convert_to(e.content, 'UTF8'))
ORDER BY 1;

-- Lists entities without support: no episode mentions them, no fact has them, and nobody made them
-- by hand.
-- name: VerifyEntitySources :many
SELECT (e.group_id || ' ' || e.id)::text AS found
FROM annals.entities e
LEFT JOIN (SELECT DISTINCT m.group_id, m.entity_id FROM annals.mentions m) m ON m.group_id = e.group_id AND m.entity_id = e.id
LEFT JOIN (SELECT f.group_id, f.source_id AS entity_id FROM annals.facts f UNION SELECT f.group_id, f.target_id FROM annals.facts f) f
    ON f.group_id = e.group_id AND f.entity_id = e.id
WHERE (sqlc.narg('group_id')::text IS NULL OR e.group_id = sqlc.narg('group_id')::text)
    AND m.entity_id IS NULL AND f.entity_id IS NULL
    AND NOT EXISTS (SELECT FROM annals.edits d WHERE d.group_id = e.group_id AND d.subject_id = e.id AND NOT EXISTS (
        SELECT FROM annals.edits f WHERE f.group_id = e.group_id AND f.kind = 'fact' AND f.edited_at = d.edited_at
            AND f.action = d.action AND d.action IN ('edit', 'withdraw', 'restore')))
ORDER BY 1;

-- Lists facts that no episode states and that nobody told by hand.
-- name: VerifyFactSources :many
SELECT (f.group_id || ' ' || f.id)::text AS found
FROM annals.facts f
LEFT JOIN (SELECT DISTINCT c.group_id, c.fact_id FROM annals.fact_episodes c WHERE c.role <> 'ends') c
    ON c.group_id = f.group_id AND c.fact_id = f.id
WHERE (sqlc.narg('group_id')::text IS NULL OR f.group_id = sqlc.narg('group_id')::text)
    AND c.fact_id IS NULL
    AND NOT EXISTS (SELECT FROM annals.edits d WHERE d.group_id = f.group_id AND d.subject_id = f.id AND d.action NOT IN ('confirm', 'unconfirm', 'sweep'))
ORDER BY 1;

-- Lists facts whose trust differs from what follows from their sources.
-- name: VerifyTrust :many
SELECT (f.group_id || ' ' || f.id)::text AS found
FROM annals.facts f
WHERE (sqlc.narg('group_id')::text IS NULL OR f.group_id = sqlc.narg('group_id')::text)
    AND f.trust <> annals_internal.fact_trust(f.group_id, f.id)
ORDER BY 1;

-- Lists frequent terms whose count is far from the actual one.
-- name: VerifyFrequentTerms :many
SELECT (t.group_id || ' ' || t.kind || ' ' || t.term)::text AS found
FROM annals_internal.frequent_terms t
LEFT JOIN LATERAL (
    SELECT count(*) AS documents FROM annals_internal.all_postings p WHERE p.group_id = t.group_id AND p.kind = t.kind AND p.term = t.term
) n ON true
WHERE (sqlc.narg('group_id')::text IS NULL OR t.group_id = sqlc.narg('group_id')::text)
    AND abs(t.documents - n.documents) > 100 + n.documents / 3
ORDER BY 1;

-- Lists links to missing rows. Foreign keys prevent them, unless something disabled these, such as
-- a restore of data alone.
-- name: VerifyLinks :many
SELECT DISTINCT (l.group_id || ' ' || l.kind || ' ' || l.id)::text AS found
FROM (
    SELECT 'mentions' AS kind, m.group_id, m.episode_id AS id FROM annals.mentions m
    LEFT JOIN annals.episodes e ON e.group_id = m.group_id AND e.id = m.episode_id WHERE e.id IS NULL
    UNION ALL
    SELECT 'mentions', m.group_id, m.entity_id FROM annals.mentions m
    LEFT JOIN annals.entities e ON e.group_id = m.group_id AND e.id = m.entity_id WHERE e.id IS NULL
    UNION ALL
    SELECT 'fact_episodes', c.group_id, c.episode_id FROM annals.fact_episodes c
    LEFT JOIN annals.episodes e ON e.group_id = c.group_id AND e.id = c.episode_id WHERE e.id IS NULL
    UNION ALL
    SELECT 'fact_episodes', c.group_id, c.fact_id FROM annals.fact_episodes c
    LEFT JOIN annals.facts f ON f.group_id = c.group_id AND f.id = c.fact_id WHERE f.id IS NULL
    UNION ALL
    SELECT 'facts', f.group_id, f.id FROM annals.facts f
    LEFT JOIN annals.entities s ON s.group_id = f.group_id AND s.id = f.source_id
    LEFT JOIN annals.entities t ON t.group_id = f.group_id AND t.id = f.target_id WHERE s.id IS NULL OR t.id IS NULL
    UNION ALL
    SELECT 'community_members', m.group_id, m.entity_id FROM annals.community_members m
    LEFT JOIN annals.entities e ON e.group_id = m.group_id AND e.id = m.entity_id WHERE e.id IS NULL
    UNION ALL
    SELECT 'community_members', m.group_id, m.community_id FROM annals.community_members m
    LEFT JOIN annals.communities c ON c.group_id = m.group_id AND c.id = m.community_id WHERE c.id IS NULL
    UNION ALL
    SELECT 'readings', r.group_id, r.episode_id FROM annals_internal.readings r
    LEFT JOIN annals.episodes e ON e.group_id = r.group_id AND e.id = r.episode_id WHERE e.id IS NULL
) l
WHERE sqlc.narg('group_id')::text IS NULL OR l.group_id = sqlc.narg('group_id')::text
ORDER BY 1;

-- Lists standing answers that were made from missing rows, or that cite rows that were not recorded
-- for them.
-- name: VerifyAnswers :many
SELECT DISTINCT (a.group_id || ' ' || a.answer_id)::text AS found
FROM (
    SELECT l.group_id, l.answer_id
    FROM annals_internal.answer_rows l
    LEFT JOIN annals.facts f ON f.group_id = l.group_id AND f.id = l.row_id AND l.kind = 'fact'
    LEFT JOIN annals.episodes e ON e.group_id = l.group_id AND e.id = l.row_id AND l.kind = 'episode'
    LEFT JOIN annals.entities n ON n.group_id = l.group_id AND n.id = l.row_id AND l.kind IN ('entity', 'name')
    LEFT JOIN annals.communities c ON c.group_id = l.group_id AND c.id = l.row_id AND l.kind = 'community'
    LEFT JOIN annals.observations o ON o.group_id = l.group_id AND o.id = l.row_id AND l.kind = 'observation'
    WHERE coalesce(f.id, e.id, n.id, c.id, o.id) IS NULL
    UNION ALL
    SELECT s.group_id, s.id
    FROM annals.answers s
    CROSS JOIN LATERAL jsonb_path_query(s.body, '$.**.cites[*].id') AS c(cited)
    LEFT JOIN annals_internal.answer_rows l ON l.group_id = s.group_id AND l.answer_id = s.id AND l.row_id::text = c.cited #>> '{}'
    WHERE l.row_id IS NULL
) a
WHERE sqlc.narg('group_id')::text IS NULL OR a.group_id = sqlc.narg('group_id')::text
ORDER BY 1;

-- Lists entities with a wrong mention count.
-- name: VerifyMentions :many
SELECT (e.group_id || ' ' || e.id)::text AS found
FROM annals.entities e
LEFT JOIN annals_internal.entity_mentions k ON k.group_id = e.group_id AND k.entity_id = e.id
LEFT JOIN (SELECT r.group_id, r.entity_id, count(*) AS episodes FROM annals.mentions r GROUP BY r.group_id, r.entity_id) m
    ON m.group_id = e.group_id AND m.entity_id = e.id
WHERE (sqlc.narg('group_id')::text IS NULL OR e.group_id = sqlc.narg('group_id')::text)
    AND (k.name, k.mentions::bigint) IS DISTINCT FROM (e.name, coalesce(m.episodes, 0))
ORDER BY 1;

-- Lists episodes that state a fact but do not mention one of its entities.
-- name: VerifyMentioned :many
-- Sets are compared instead of rows, so that a plan without statistics is not slower.
SELECT DISTINCT (lacking.group_id || ' ' || lacking.episode_id)::text AS found
FROM (
    SELECT c.group_id, c.episode_id, e.id AS entity_id
    FROM annals.fact_episodes c
    JOIN annals.facts f ON f.group_id = c.group_id AND f.id = c.fact_id
    CROSS JOIN LATERAL (SELECT unnest(ARRAY[f.source_id, f.target_id]) AS id) AS e
    WHERE (sqlc.narg('group_id')::text IS NULL OR c.group_id = sqlc.narg('group_id')::text) AND c.role = 'states'
    EXCEPT
    SELECT m.group_id, m.episode_id, m.entity_id
    FROM annals.mentions m
    WHERE sqlc.narg('group_id')::text IS NULL OR m.group_id = sqlc.narg('group_id')::text
) AS lacking
ORDER BY 1;

-- Lists entities that are not found by one of their names, or are found by a name that they do not
-- have.
-- name: VerifyNames :many
SELECT DISTINCT (coalesce(w.group_id, k.group_id) || ' ' || coalesce(w.id, k.entity_id))::text AS found
FROM (
    SELECT DISTINCT e.group_id, e.id, annals_internal.name_key(n.name) AS name_key
    FROM annals.entities e
    CROSS JOIN LATERAL unnest(e.aliases || e.name) AS n(name)
    WHERE annals_internal.name_key(n.name) <> ''
) w
FULL JOIN annals_internal.entity_names k ON k.group_id = w.group_id AND k.entity_id = w.id AND k.name_key = w.name_key
WHERE (w.id IS NULL OR k.entity_id IS NULL)
    AND (sqlc.narg('group_id')::text IS NULL OR coalesce(w.group_id, k.group_id) = sqlc.narg('group_id')::text)
ORDER BY 1;

-- Lists rows whose postings differ from their terms, and postings without a row. Both sides are
-- compared by a count and a checksum.
-- name: VerifyPostings :many
WITH document AS (
    SELECT d.group_id, d.kind, d.id, d.length, t.terms, t.checksum
    FROM (
        SELECT e.group_id, 'episode' AS kind, e.id, e.length, e.terms AS words FROM annals.episodes e
        UNION ALL
        SELECT n.group_id, 'entity', n.id, n.length, n.terms FROM annals.entities n
        UNION ALL
        SELECT f.group_id, 'fact', f.id, f.length, f.terms FROM annals.facts f
        UNION ALL
        SELECT c.group_id, 'community', c.id, c.length, c.terms FROM annals.communities c
    ) d
    CROSS JOIN LATERAL (
        SELECT count(*) AS terms, bit_xor(hashtextextended(u.lexeme, cardinality(u.positions))) AS checksum FROM unnest(d.words) u
    ) t
    WHERE t.terms > 0 AND (sqlc.narg('group_id')::text IS NULL OR d.group_id = sqlc.narg('group_id')::text)
), posted AS (
    SELECT p.group_id, p.kind, p.document_id AS id, count(*) AS terms, bit_xor(hashtextextended(p.term, p.tf)) AS checksum,
        min(p.length) AS shortest, max(p.length) AS longest
    FROM annals_internal.all_postings p
    WHERE sqlc.narg('group_id')::text IS NULL OR p.group_id = sqlc.narg('group_id')::text
    GROUP BY p.group_id, p.kind, p.document_id
)
SELECT (coalesce(d.group_id, p.group_id) || ' ' || coalesce(d.kind, p.kind) || ' ' || coalesce(d.id, p.id))::text AS found
FROM document d
FULL JOIN posted p ON p.group_id = d.group_id AND p.kind = d.kind AND p.id = d.id
WHERE (d.terms, d.checksum, d.length, d.length) IS DISTINCT FROM (p.terms, p.checksum, p.shortest, p.longest)
ORDER BY 1;

-- Lists facts that were withdrawn or taken back but are still believed.
-- name: VerifyRejections :many
SELECT DISTINCT (f.group_id || ' ' || f.id)::text AS found
FROM annals.rejections r
JOIN annals.facts f ON f.group_id = r.group_id AND f.id = r.fact_id
WHERE (sqlc.narg('group_id')::text IS NULL OR r.group_id = sqlc.narg('group_id')::text) AND r.lifted_at IS NULL
ORDER BY 1;

-- Lists the counts for ranking that are far from the actual ones. They are refreshed from time to
-- time, and those of a group that is being read once no episode waits.
-- name: VerifyStatistics :many
SELECT (n.group_id || ' ' || n.kind)::text AS found
FROM (
    SELECT e.group_id, 'episode'::annals.kind AS kind, count(*) AS documents, coalesce(sum(e.length), 0) AS terms
    FROM annals.episodes e GROUP BY e.group_id
    UNION ALL
    SELECT n.group_id, 'entity', count(*), coalesce(sum(n.length), 0) FROM annals.entities n GROUP BY n.group_id
    UNION ALL
    SELECT f.group_id, 'fact', count(*), coalesce(sum(f.length), 0) FROM annals.facts f GROUP BY f.group_id
    UNION ALL
    SELECT c.group_id, 'community', count(*), coalesce(sum(c.length), 0) FROM annals.communities c GROUP BY c.group_id
) n
JOIN (
    SELECT e.group_id FROM annals.episodes e GROUP BY e.group_id
    HAVING bool_or(e.state = 'done') AND NOT bool_or(e.state IN ('pending', 'processing') AND NOT e.deferred)
) r ON r.group_id = n.group_id
LEFT JOIN annals_internal.search_statistics s ON s.group_id = n.group_id AND s.kind = n.kind
WHERE (sqlc.narg('group_id')::text IS NULL OR n.group_id = sqlc.narg('group_id')::text)
    AND (abs(coalesce(s.documents, 0) - n.documents) > 10 + n.documents / 10 OR abs(coalesce(s.terms, 0) - n.terms) > 100 + n.terms / 10)
ORDER BY 1;

-- Lists conversations whose summary covers a missing message.
-- name: VerifyThreads :many
SELECT (t.group_id || ' ' || t.id)::text AS found
FROM annals.threads t
WHERE (sqlc.narg('group_id')::text IS NULL OR t.group_id = sqlc.narg('group_id')::text) AND t.through_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = t.group_id AND e.id = t.through_id)
ORDER BY 1;

-- Lists erased data that exists nevertheless: episodes, also by a sentence, groups, and texts
-- written by hand. Words that an episode states again are left out: said depends on both sides of
-- that join, so that no text is searched before it.
-- name: VerifyTombstones :many
SELECT (e.group_id || ' ' || e.id)::text AS found
FROM annals.episodes e
WHERE (sqlc.narg('group_id')::text IS NULL OR e.group_id = sqlc.narg('group_id')::text)
    AND e.group_id IN (SELECT t.group_id FROM annals_internal.tombstones t)
    AND (annals_internal.has_tombstone(e.group_id, ARRAY[
            annals_internal.tombstone_hash('content', e.content), annals_internal.tombstone_hash('external_id', e.external_id), annals_internal.tombstone_hash('id', e.id::text)])
        OR annals_internal.repeats_erased(e.group_id, jsonb_build_array(e.content, e.name, e.source_description, e.metadata), false))
UNION ALL
SELECT g.group_id
FROM annals.groups g
WHERE (sqlc.narg('group_id')::text IS NULL OR g.group_id = sqlc.narg('group_id')::text)
    AND annals_internal.tombstone_hash('group', g.group_id) IN (SELECT t.digest FROM annals_internal.erased_groups t)
    AND NOT EXISTS (SELECT FROM annals.edits d WHERE d.group_id = g.group_id AND d.action = 'readmit' AND d.subject_id IS NULL)
UNION ALL
SELECT w.group_id || ' ' || w.kind || ' ' || w.id
FROM (
    SELECT f.group_id, 'fact' AS kind, f.id::text AS id, '[]'::jsonb AS names, CASE WHEN c.fact_id IS NULL THEN jsonb_build_array(f.fact, f.told, f.attributes) END AS said
    FROM annals.facts f
    LEFT JOIN annals.fact_episodes c ON c.group_id = f.group_id AND c.fact_id = f.id AND c.role = 'states'
    WHERE c.fact_id IS NULL
    UNION ALL
    SELECT n.group_id, 'entity', n.id::text, jsonb_build_array(n.name, n.aliases), jsonb_build_array(n.summary, n.attributes)
    FROM annals.entities n
    WHERE EXISTS (SELECT FROM annals.edits d WHERE d.group_id = n.group_id AND d.subject_id = n.id)
    UNION ALL
    SELECT g.group_id, 'group', g.group_id, jsonb_build_array(g.name), jsonb_build_array(g.description, g.ontology) FROM annals.groups g
    UNION ALL
    SELECT b.group_id, 'block', b.id::text, jsonb_build_array(b.label), jsonb_build_array(b.description, b.value) FROM annals.blocks b
    UNION ALL
    SELECT a.group_id, 'agent', a.id::text, jsonb_build_array(a.name), jsonb_build_array(a.instructions) FROM annals.agents a
) w
WHERE (sqlc.narg('group_id')::text IS NULL OR w.group_id = sqlc.narg('group_id')::text)
    AND w.group_id IN (SELECT t.group_id FROM annals_internal.tombstones t)
    AND (annals_internal.repeats_erased(w.group_id, w.said, true) OR annals_internal.repeats_erased(w.group_id, w.names, false))
ORDER BY 1;

-- Lists the tables with disabled triggers.
-- name: VerifyTriggers :many
SELECT DISTINCT (r.qualified || ' ' || t.tgname)::text AS found
FROM pg_catalog.pg_trigger t
JOIN annals_internal.relations() r ON to_regclass(r.qualified) = t.tgrelid AND NOT r.is_view
WHERE t.tgenabled NOT IN ('O', 'A')
ORDER BY 1;

-- Lists vectors of missing rows, or of models that are neither in force nor being filled in.
-- name: VerifyVectorOwners :many
SELECT DISTINCT (v.group_id || ' ' || v.kind || ' ' || v.id)::text AS found
FROM annals.vectors v
LEFT JOIN (
    SELECT e.group_id, 'episode'::annals.kind AS kind, e.id FROM annals.episodes e
    UNION ALL
    SELECT n.group_id, 'entity', n.id FROM annals.entities n
    UNION ALL
    SELECT f.group_id, 'fact', f.id FROM annals.facts f
    UNION ALL
    SELECT c.group_id, 'community', c.id FROM annals.communities c WHERE NOT c.stale
) o ON o.group_id = v.group_id AND o.kind = v.kind AND o.id = v.id
WHERE (sqlc.narg('group_id')::text IS NULL OR v.group_id = sqlc.narg('group_id')::text)
    AND (o.id IS NULL OR v.model NOT IN (annals_internal.current_embedder(), coalesce(annals_internal.next_embedder(), '')))
ORDER BY 1;

-- Lists rows that lack a vector of the embedder.
-- name: VerifyVectors :many
SELECT (e.group_id || ' episode ' || e.id)::text AS found
FROM annals.episodes e
LEFT JOIN annals_internal.episode_embeddings v ON v.group_id = e.group_id AND v.model = @model AND v.episode_id = e.id AND v.part = 0
WHERE (sqlc.narg('group_id')::text IS NULL OR e.group_id = sqlc.narg('group_id')::text) AND e.state = 'done' AND v.episode_id IS NULL
UNION ALL
SELECT n.group_id || ' entity ' || n.id
FROM annals.entities n
LEFT JOIN annals_internal.entity_embeddings v ON v.group_id = n.group_id AND v.model = @model AND v.entity_id = n.id
WHERE (sqlc.narg('group_id')::text IS NULL OR n.group_id = sqlc.narg('group_id')::text) AND v.entity_id IS NULL
UNION ALL
SELECT f.group_id || ' fact ' || f.id
FROM annals.facts f
LEFT JOIN annals_internal.fact_embeddings v ON v.group_id = f.group_id AND v.model = @model AND v.fact_id = f.id
WHERE (sqlc.narg('group_id')::text IS NULL OR f.group_id = sqlc.narg('group_id')::text) AND v.fact_id IS NULL
UNION ALL
SELECT c.group_id || ' community ' || c.id
FROM annals.communities c
LEFT JOIN annals_internal.community_embeddings v ON v.group_id = c.group_id AND v.model = @model AND v.community_id = c.id
WHERE (sqlc.narg('group_id')::text IS NULL OR c.group_id = sqlc.narg('group_id')::text) AND NOT c.stale AND v.community_id IS NULL
ORDER BY 1;

-- Lists rows whose current version begins before a former one ends, or that have two versions of
-- one time.
-- name: VerifyVersions :many
SELECT DISTINCT (v.group_id || ' ' || v.kind || ' ' || v.id)::text AS found
FROM (
    SELECT 'entity' AS kind, c.group_id, c.id
    FROM annals.entities c
    JOIN annals_internal.entities_history h ON h.group_id = c.group_id AND h.id = c.id AND h.recorded && c.recorded
    UNION ALL
    SELECT 'fact', c.group_id, c.id
    FROM annals.facts c
    JOIN annals_internal.facts_history h ON h.group_id = c.group_id AND h.id = c.id AND h.recorded && c.recorded
    UNION ALL
    SELECT 'community', c.group_id, c.id
    FROM annals.communities c
    JOIN annals_internal.communities_history h ON h.group_id = c.group_id AND h.id = c.id AND h.recorded && c.recorded
    UNION ALL
    SELECT 'answer', c.group_id, c.id
    FROM annals.answers c
    JOIN annals_internal.answers_history h ON h.group_id = c.group_id AND h.id = c.id AND h.recorded && c.recorded
    UNION ALL
    SELECT 'block', c.group_id, c.id
    FROM annals.blocks c
    JOIN annals_internal.blocks_history h ON h.group_id = c.group_id AND h.id = c.id AND h.recorded && c.recorded
    UNION ALL
    SELECT 'block', b.group_id, b.id
    FROM (
        SELECT r.group_id, r.id, r.recorded, r.version - lag(r.version) OVER versions AS further, lag(r.recorded) OVER versions AS before
        FROM annals.block_versions r
        WINDOW versions AS (PARTITION BY r.group_id, r.id ORDER BY r.version)
    ) b
    WHERE upper(b.before) > lower(b.recorded) OR b.further = 1 AND upper(b.before) < lower(b.recorded) -- versions between others may have been erased
) v
WHERE sqlc.narg('group_id')::text IS NULL OR v.group_id = sqlc.narg('group_id')::text
ORDER BY 1;

-- Lists rows whose terms differ from those of their text, and episodes whose key for rejections does.
-- name: VerifyWords :many
SELECT (w.group_id || ' ' || w.kind || ' ' || w.id)::text AS found
FROM (
    SELECT e.group_id, 'episode' AS kind, e.id, e.terms, e.length, concat_ws(' ', e.actor, e.name, annals_internal.searched(e.source, e.content)) AS words,
        e.said_key = annals_internal.rejection_key(e.actor || ' ' || e.content) AS recognised
    FROM annals.episodes e
    UNION ALL
    SELECT n.group_id, 'entity', n.id, n.terms, n.length, concat_ws(' ', n.name, array_to_string(n.aliases, ' '), n.summary), true FROM annals.entities n
    UNION ALL
    SELECT f.group_id, 'fact', f.id, f.terms, f.length, concat_ws(' ', f.fact, translate(lower(f.predicate), '_', ' ')), true FROM annals.facts f
    UNION ALL
    SELECT c.group_id, 'community', c.id, c.terms, c.length, concat_ws(' ', c.name, c.summary), true FROM annals.communities c
) w
JOIN annals.groups g ON g.group_id = w.group_id
CROSS JOIN LATERAL annals_internal.words_of(g.text_search::regconfig, w.words, true) AS t
WHERE (sqlc.narg('group_id')::text IS NULL OR w.group_id = sqlc.narg('group_id')::text)
    AND (w.terms <> t.terms OR w.length <> t.length OR NOT w.recognised)
ORDER BY 1;

-- Repairs of what the queries above list. Nobody else writes meanwhile.

-- name: VerifyLock :exec
LOCK TABLE annals.groups, annals.episodes, annals.entities, annals.facts, annals.communities, annals.mentions, annals.fact_episodes,
    annals.community_members IN SHARE ROW EXCLUSIVE MODE;

-- The trigger on the bounds corrects them; bounded_by is cleared where VerifyBounds refuses it.
-- name: MendBounds :execrows
UPDATE annals.facts
SET valid = valid, bounded_by = CASE WHEN bounded_by = id OR from_basis <> 'inferred' AND until_basis = 'unknown' THEN NULL ELSE bounded_by END
WHERE group_id = @group_id AND id = ANY(@ids::uuid[]);

-- name: MendFactSources :one
SELECT annals_internal.remove_unsupported_facts(@group_id, @ids::uuid[])::bigint AS removed;

-- name: MendLinks :exec
WITH mention AS (
    DELETE FROM annals.mentions m WHERE m.group_id = @group_id AND (
        NOT EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = @group_id AND e.id = m.episode_id)
        OR NOT EXISTS (SELECT FROM annals.entities e WHERE e.group_id = @group_id AND e.id = m.entity_id))
), citation AS (
    DELETE FROM annals.fact_episodes c WHERE c.group_id = @group_id AND (
        NOT EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = @group_id AND e.id = c.episode_id)
        OR NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = @group_id AND f.id = c.fact_id))
), member AS (
    DELETE FROM annals.community_members m WHERE m.group_id = @group_id AND (
        NOT EXISTS (SELECT FROM annals.entities e WHERE e.group_id = @group_id AND e.id = m.entity_id)
        OR NOT EXISTS (SELECT FROM annals.communities c WHERE c.group_id = @group_id AND c.id = m.community_id))
), reading AS (
    DELETE FROM annals_internal.readings r WHERE r.group_id = @group_id
        AND NOT EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = @group_id AND e.id = r.episode_id)
)
DELETE FROM annals.facts f WHERE f.group_id = @group_id AND (
    NOT EXISTS (SELECT FROM annals.entities e WHERE e.group_id = @group_id AND e.id = f.source_id)
    OR NOT EXISTS (SELECT FROM annals.entities e WHERE e.group_id = @group_id AND e.id = f.target_id));

-- name: MendAnswers :exec
SELECT annals_internal.hide_answers(@group_id::text, @ids::uuid[]);

-- name: MendMentioned :exec
INSERT INTO annals.mentions (group_id, episode_id, entity_id)
SELECT c.group_id, c.episode_id, e.id
FROM annals.fact_episodes c
JOIN annals.facts f ON f.group_id = c.group_id AND f.id = c.fact_id
CROSS JOIN LATERAL (VALUES (f.source_id), (f.target_id)) AS e(id)
WHERE c.group_id = @group_id AND c.episode_id = ANY(@ids::uuid[]) AND c.role = 'states'
ON CONFLICT DO NOTHING;

-- name: MendNamesDrop :exec
DELETE FROM annals_internal.entity_names
WHERE group_id = @group_id AND entity_id = ANY(@ids::uuid[]);

-- name: MendNamesMake :exec
INSERT INTO annals_internal.entity_names (group_id, name_key, entity_id)
SELECT DISTINCT e.group_id, annals_internal.name_key(n.name), e.id
FROM annals.entities e
CROSS JOIN LATERAL unnest(e.aliases || e.name) AS n(name)
WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[]) AND annals_internal.name_key(n.name) <> '';

-- Blocks that hold any of the rows are unpacked.
-- name: MendPostingsDrop :exec
WITH loose AS (
    DELETE FROM annals_internal.postings
    WHERE group_id = @group_id AND kind = @kind::text AND document_id = ANY(@ids::uuid[])
), block AS (
    DELETE FROM annals_internal.posting_blocks b
    WHERE b.group_id = @group_id AND b.kind = @kind::text AND b.ids && @ids::uuid[]
    RETURNING b.term, b.ids, b.tf, b.lengths
)
INSERT INTO annals_internal.postings (group_id, kind, term, document_id, tf, length)
SELECT @group_id, @kind::text, p.term, p.id, p.tf, p.length
FROM (SELECT b.term, unnest(b.ids) AS id, unnest(b.tf) AS tf, unnest(b.lengths) AS length FROM block b) p
WHERE p.id <> ALL(@ids::uuid[])
ON CONFLICT DO NOTHING;

-- name: MendPostingsMake :exec
INSERT INTO annals_internal.postings (group_id, kind, term, document_id, tf, length)
SELECT d.group_id, @kind::text, t.lexeme, d.id, cardinality(t.positions), d.length
FROM (
    SELECT e.group_id, e.id, e.length, e.terms FROM annals.episodes e
    WHERE @kind::text = 'episode' AND e.group_id = @group_id AND e.id = ANY(@ids::uuid[])
    UNION ALL
    SELECT n.group_id, n.id, n.length, n.terms FROM annals.entities n
    WHERE @kind::text = 'entity' AND n.group_id = @group_id AND n.id = ANY(@ids::uuid[])
    UNION ALL
    SELECT f.group_id, f.id, f.length, f.terms FROM annals.facts f
    WHERE @kind::text = 'fact' AND f.group_id = @group_id AND f.id = ANY(@ids::uuid[])
    UNION ALL
    SELECT c.group_id, c.id, c.length, c.terms FROM annals.communities c
    WHERE @kind::text = 'community' AND c.group_id = @group_id AND c.id = ANY(@ids::uuid[])
) d
CROSS JOIN LATERAL unnest(d.terms) AS t;

-- name: MendStatisticsDrop :exec
WITH frequent AS (
    DELETE FROM annals_internal.frequent_terms t WHERE t.group_id = @group_id
)
DELETE FROM annals_internal.search_statistics s WHERE s.group_id = @group_id;

-- name: MendVectorOwners :exec
WITH episode AS (
    DELETE FROM annals_internal.episode_embeddings v WHERE v.group_id = @group_id AND v.episode_id = ANY(@ids::uuid[])
        AND (v.model <> annals_internal.current_embedder() AND v.model IS DISTINCT FROM annals_internal.next_embedder()
            OR NOT EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = v.group_id AND e.id = v.episode_id))
), entity AS (
    DELETE FROM annals_internal.entity_embeddings v WHERE v.group_id = @group_id AND v.entity_id = ANY(@ids::uuid[])
        AND (v.model <> annals_internal.current_embedder() AND v.model IS DISTINCT FROM annals_internal.next_embedder()
            OR NOT EXISTS (SELECT FROM annals.entities e WHERE e.group_id = v.group_id AND e.id = v.entity_id))
), fact AS (
    DELETE FROM annals_internal.fact_embeddings v WHERE v.group_id = @group_id AND v.fact_id = ANY(@ids::uuid[])
        AND (v.model <> annals_internal.current_embedder() AND v.model IS DISTINCT FROM annals_internal.next_embedder()
            OR NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = v.group_id AND f.id = v.fact_id))
)
DELETE FROM annals_internal.community_embeddings v WHERE v.group_id = @group_id AND v.community_id = ANY(@ids::uuid[])
    AND (v.model <> annals_internal.current_embedder() AND v.model IS DISTINCT FROM annals_internal.next_embedder()
        OR NOT EXISTS (SELECT FROM annals.communities c WHERE c.group_id = v.group_id AND c.id = v.community_id));

-- The triggers split the texts into terms, and make postings of these.
-- name: MendWords :exec
WITH episode AS (
    UPDATE annals.episodes e SET actor = e.actor WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[])
), entity AS (
    UPDATE annals.entities n SET name = n.name WHERE n.group_id = @group_id AND n.id = ANY(@ids::uuid[])
), fact AS (
    UPDATE annals.facts f SET fact = f.fact WHERE f.group_id = @group_id AND f.id = ANY(@ids::uuid[])
)
UPDATE annals.communities c SET name = c.name WHERE c.group_id = @group_id AND c.id = ANY(@ids::uuid[]);
