-- The audit: see migrations/00017_audit.sql. The group '' is the service.

-- Lists the breaks in the audit of a group.
-- name: AuditBreaks :many
SELECT coalesce(b.position, 0)::bigint AS position, coalesce(b.row_id, '00000000-0000-0000-0000-000000000000')::uuid AS row_id, b.problem::text AS problem
FROM annals_internal.audit_breaks(@group_id::text) b;

-- name: AuditHas :one
SELECT EXISTS (SELECT FROM annals.audit WHERE group_id = @group_id AND hash = @hash) AS there;

-- name: AuditHead :one
SELECT position, noted_at, hash
FROM annals.audit
WHERE group_id = @group_id
ORDER BY position DESC
LIMIT 1;

-- Lists entries, with the current state of the rows that they are about.
-- name: AuditList :many
WITH page AS MATERIALIZED (
    SELECT a.*
    FROM annals.audit a
    WHERE a.group_id = @group_id AND a.position > @after::bigint
    ORDER BY a.position
    LIMIT @max_rows::int
)
SELECT p.group_id, p.position, p.noted_at, p.door, p.written_by, p.authority, p.action, p.row_id, p.digest, p.previous, p.hash, coalesce(r.noted, '')::text AS noted
FROM page p
LEFT JOIN annals_internal.audit_rows(@group_id::text, ARRAY(SELECT q.row_id FROM page q)) r ON r.id = p.row_id
ORDER BY p.position;

-- Records a change to something other than entities and facts.
-- name: ChangeNote :exec
INSERT INTO annals.changes (group_id, door, written_by, authority, action, detail)
SELECT @group_id, o.origin->>'door', o.origin->>'written_by', (o.origin->>'authority')::annals.authority, @action, @detail
FROM (SELECT annals_internal.write_origin() AS origin) o
WHERE EXISTS (SELECT FROM annals.groups g WHERE g.group_id = @group_id);

-- Records one entry for all that an import brought.
-- name: ImportNote :exec
INSERT INTO annals.changes (group_id, door, written_by, authority, action, detail)
SELECT @group_id, o.origin->>'door', o.origin->>'written_by', (o.origin->>'authority')::annals.authority, 'import',
    jsonb_build_object('sealed', annals_internal.unaudited_rows(@group_id::text))
FROM (SELECT annals_internal.write_origin() AS origin) o;
