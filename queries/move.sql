-- Moving a group between databases. The database builds the statements of an export and an import
-- from its catalogue. Package db runs them itself, to pass on the rows one by one.

-- Builds the statement that reads a group's rows of a table as lines of JSON, in the order of their
-- keys.
-- name: ExportStatement :one
SELECT coalesce(annals_internal.export_statement(@relation::name, @of_model::boolean), '')::text AS statement;

-- Sets the formats of times and numbers, so that they do not depend on the user.
-- name: ExportStyle :one
SELECT set_config('timezone', 'UTC', true) AS timezone, set_config('datestyle', 'ISO, YMD', true) AS datestyle,
    set_config('intervalstyle', 'postgres', true) AS intervalstyle, set_config('bytea_output', 'hex', true) AS bytea_output,
    set_config('extra_float_digits', '1', true) AS extra_float_digits,
    set_config('idle_in_transaction_session_timeout', '0', true) AS timeout;

-- Reports whether a group has rows that an import could conflict with. Its settings and the costs
-- of searches do not count.
-- name: ImportOccupied :one
SELECT (EXISTS (SELECT FROM annals.episodes p WHERE p.group_id = @group_id)
    OR EXISTS (SELECT FROM annals.entities n WHERE n.group_id = @group_id)
    OR EXISTS (SELECT FROM annals_internal.entities_history h WHERE h.group_id = @group_id)
    OR EXISTS (SELECT FROM annals_internal.facts_history f WHERE f.group_id = @group_id)
    OR EXISTS (SELECT FROM annals.communities c WHERE c.group_id = @group_id)
    OR EXISTS (SELECT FROM annals_internal.communities_history d WHERE d.group_id = @group_id)
    OR EXISTS (SELECT FROM annals_internal.undone u WHERE u.group_id = @group_id))::boolean AS occupied;

-- Counts the given ids that exist among the group's episodes, entities or facts.
-- name: ImportPresent :one
SELECT ((SELECT count(*) FROM annals.episodes e WHERE e.group_id = @group_id AND e.id = ANY(@ids::uuid[]))
    + (SELECT count(*) FROM annals.entities n WHERE n.group_id = @group_id AND n.id = ANY(@ids::uuid[]))
    + (SELECT count(*) FROM annals.facts f WHERE f.group_id = @group_id AND f.id = ANY(@ids::uuid[])))::bigint AS present;

-- Builds the statement that stores rows of a table from a JSON list. Triggers derive the rest.
-- name: ImportStatement :one
SELECT coalesce(annals_internal.import_statement(@relation::name, @replaces::boolean), '')::text AS statement;

-- Makes the next write to a group later than the import, whose server may have had a clock ahead of
-- ours.
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

-- Records who imported the facts that no episode states: without that they would count as told by a
-- person.
-- name: ImportedFactsNote :exec
INSERT INTO annals.edits (group_id, door, written_by, authority, action, kind, subject_id)
SELECT f.group_id, o.origin->>'door', o.origin->>'written_by', (o.origin->>'authority')::annals.authority, 'add', 'fact', f.id
FROM annals.facts f
CROSS JOIN (SELECT annals_internal.write_origin() AS origin) o
WHERE f.group_id = @group_id
    AND NOT EXISTS (SELECT FROM annals.fact_episodes c WHERE c.group_id = @group_id AND c.fact_id = f.id AND c.role = 'states' OFFSET 0)
    AND NOT EXISTS (SELECT FROM annals.edits d
        WHERE d.group_id = @group_id AND d.subject_id = f.id AND d.action IN ('add', 'edit', 'restore', 'insert', 'update') OFFSET 0);

-- Counts the rows of a group in tables.
-- name: RowsCount :many
SELECT c.source::text AS name, c.held::bigint AS held
FROM annals_internal.count_rows(@group_id::text, @tables::text[]) c;
