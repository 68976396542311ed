-- What moves a group between databases: the rows of an export are read and
-- stored by statements that the database makes from its catalog, which package
-- db runs itself, to pass on the rows one by one.

-- Reads a group's rows of a table as lines of JSON, in the order of their keys.
-- name: ExportStatement :one
SELECT coalesce(annals_internal.export_statement(@relation::name, @of_model::boolean), '')::text AS statement;

-- Fixes what times and numbers look like, which must not depend on who exports.
-- name: ExportStyle :one
SELECT set_config('timezone', 'UTC', true) AS timezone, set_config('datestyle', 'ISO, YMD', true) AS datestyle,
    set_config('intervalstyle', 'postgres', true) AS intervalstyle, set_config('bytea_output', 'hex', true) AS bytea_output,
    set_config('extra_float_digits', '1', true) AS extra_float_digits,
    set_config('idle_in_transaction_session_timeout', '0', true) AS timeout;

-- Reports whether a group has anything that an import could run into. What it is
-- set to and what searches of it have cost is nothing of the kind.
-- name: ImportOccupied :one
SELECT (EXISTS (SELECT FROM annals.episodes p WHERE p.group_id = @group_id)
    OR EXISTS (SELECT FROM annals.entities n WHERE n.group_id = @group_id)
    OR EXISTS (SELECT FROM annals_internal.entities_history h WHERE h.group_id = @group_id)
    OR EXISTS (SELECT FROM annals_internal.facts_history f WHERE f.group_id = @group_id)
    OR EXISTS (SELECT FROM annals.communities c WHERE c.group_id = @group_id)
    OR EXISTS (SELECT FROM annals_internal.communities_history d WHERE d.group_id = @group_id)
    OR EXISTS (SELECT FROM annals_internal.undone u WHERE u.group_id = @group_id))::boolean AS occupied;

-- Counts which of the ids a group has among its episodes, entities or facts.
-- name: ImportPresent :one
SELECT ((SELECT count(*) FROM annals.episodes e WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[]))
    + (SELECT count(*) FROM annals.entities n WHERE n.group_id = @group_id AND n.id = ANY(@ids::uuid[]))
    + (SELECT count(*) FROM annals.facts f WHERE f.group_id = @group_id AND f.id = ANY(@ids::uuid[])))::bigint AS present;

-- Stores rows of a table, given as a JSON list; triggers derive the rest.
-- name: ImportStatement :one
SELECT coalesce(annals_internal.import_statement(@relation::name, @replaces::boolean), '')::text AS statement;

-- Makes the next write to a group later than what was imported, which another
-- server may have recorded by a clock that is ahead of this one's.
-- name: ImportedUntil :exec
UPDATE annals.groups g
SET written_at = greatest(g.written_at,
    (SELECT max(p.processed_at) FROM annals.episodes p WHERE p.group_id = @group_id),
    (SELECT max(lower(e.recorded)) FROM annals.entities e WHERE e.group_id = @group_id),
    (SELECT max(lower(f.recorded)) FROM annals.facts f WHERE f.group_id = @group_id),
    (SELECT max(lower(c.recorded)) FROM annals.communities c WHERE c.group_id = @group_id),
    (SELECT max(upper(h.recorded)) FROM annals_internal.entities_history h WHERE h.group_id = @group_id),
    (SELECT max(upper(h.recorded)) FROM annals_internal.facts_history h WHERE h.group_id = @group_id),
    (SELECT max(upper(h.recorded)) FROM annals_internal.communities_history h WHERE h.group_id = @group_id),
    (SELECT max(u.undone_at) FROM annals_internal.undone u WHERE u.group_id = @group_id),
    (SELECT max(greatest(m.since, m.until)) FROM annals.marks m WHERE m.group_id = @group_id),
    (SELECT max(d.edited_at) FROM annals.edits d WHERE d.group_id = @group_id),
    (SELECT max(lower(o.recorded)) FROM annals.observations o WHERE o.group_id = @group_id),
    (SELECT max(upper(h.recorded)) FROM annals_internal.observations_history h WHERE h.group_id = @group_id),
    (SELECT max(lower(k.recorded)) FROM annals.skills k WHERE k.group_id = @group_id),
    (SELECT max(upper(h.recorded)) FROM annals_internal.skills_history h WHERE h.group_id = @group_id),
    (SELECT max(lower(a.recorded)) FROM annals.answers a WHERE a.group_id = @group_id),
    (SELECT max(upper(h.recorded)) FROM annals_internal.answers_history h WHERE h.group_id = @group_id))
WHERE g.group_id = @group_id;

-- Records who brought the facts that nothing states, which would count as told
-- by a person otherwise.
-- name: ImportedFactsNote :exec
INSERT INTO annals.edits (group_id, door, written_by, authority, action, kind, subject_id)
SELECT f.group_id, o.origin->>'door', o.origin->>'written_by', (o.origin->>'authority')::annals.authority, 'add', 'fact', f.id
FROM annals.facts f
CROSS JOIN (SELECT annals_internal.write_origin() AS origin) o
WHERE f.group_id = @group_id
    AND NOT EXISTS (SELECT FROM annals.fact_episodes c WHERE c.group_id = f.group_id AND c.fact_id = f.id AND c.role = 'states')
    AND NOT EXISTS (SELECT FROM annals.edits d
        WHERE d.group_id = f.group_id AND d.subject_id = f.id AND d.action IN ('add', 'edit', 'restore', 'insert', 'update'));

-- Counts the rows of a group in tables.
-- name: RowsCount :many
SELECT c.source::text AS name, c.held::bigint AS held
FROM annals_internal.count_rows(@group_id::text, @tables::text[]) c;
