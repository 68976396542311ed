-- Queries for people at a terminal: which memories exist, and which name or id is meant.

-- Lists groups with their row counts, by name, after a given name. Without episodes, the last one
-- is at Go's zero time.
-- name: GroupsHeld :many
SELECT g.group_id, g.kind, g.name, split_part(g.text_search, '.', -1)::text AS language, g.text_search_from,
    (SELECT count(*) FROM annals.episodes e WHERE e.group_id = g.group_id) AS episodes,
    (SELECT count(*) FROM annals.entities n WHERE n.group_id = g.group_id) AS entities,
    (SELECT count(*) FROM annals.facts f WHERE f.group_id = g.group_id) AS facts,
    coalesce((SELECT max(e.occurred_at) FROM annals.episodes e WHERE e.group_id = g.group_id), '0001-01-01 UTC')::timestamptz AS last_episode_at
FROM annals.groups g
WHERE g.group_id > @after::text
ORDER BY g.group_id
LIMIT @max_rows::int;

-- Finds the groups with the most similar names.
-- name: GroupsAlike :many
SELECT group_id
FROM annals.groups
ORDER BY annals_internal.spelling_similarity(group_id, @name::text) DESC, group_id
LIMIT @max_rows::int;

-- Finds the first groups whose names have a prefix.
-- name: GroupsBeginning :many
SELECT group_id
FROM annals.groups
WHERE starts_with(group_id, @beginning::text)
ORDER BY group_id
LIMIT @max_rows::int;

-- Finds the ids that begin or end with a text, of the given kinds. It includes ids of rows that no
-- longer exist, other than episodes, as their history can be read.
-- name: IDsByPart :many
SELECT DISTINCT i.id
FROM (
    SELECT e.id FROM annals.episodes e WHERE e.group_id = @group_id AND 'episode' = ANY(@kinds::text[])
    UNION ALL
    SELECT n.id FROM annals.entities n WHERE n.group_id = @group_id AND 'entity' = ANY(@kinds::text[])
    UNION ALL
    SELECT h.id FROM annals_internal.entities_history h WHERE h.group_id = @group_id AND 'entity' = ANY(@kinds::text[])
    UNION ALL
    SELECT f.id FROM annals.facts f WHERE f.group_id = @group_id AND 'fact' = ANY(@kinds::text[])
    UNION ALL
    SELECT h.id FROM annals_internal.facts_history h WHERE h.group_id = @group_id AND 'fact' = ANY(@kinds::text[])
    UNION ALL
    SELECT o.id FROM annals.observations o WHERE o.group_id = @group_id AND 'observation' = ANY(@kinds::text[])
    UNION ALL
    SELECT h.id FROM annals_internal.observations_history h WHERE h.group_id = @group_id AND 'observation' = ANY(@kinds::text[])
    UNION ALL
    SELECT w.id FROM annals.answers w WHERE w.group_id = @group_id AND 'answer' = ANY(@kinds::text[])
    UNION ALL
    SELECT h.id FROM annals_internal.answers_history h WHERE h.group_id = @group_id AND 'answer' = ANY(@kinds::text[])
    UNION ALL
    SELECT k.id FROM annals.skill_versions k WHERE k.group_id = @group_id AND 'skill' = ANY(@kinds::text[])
) i
WHERE starts_with(replace(i.id::text, '-', ''), @part::text)
    OR right(replace(i.id::text, '-', ''), length(@part::text)) = @part::text
ORDER BY i.id
LIMIT @max_rows::int;

-- Lists the latest rows of a kind, with the words that distinguish them, without expired ones.
-- Withheld rows are included if they are to be decided on or removed.
-- name: IDsLatest :many
SELECT i.id, i.words
FROM (
    (SELECT e.id, left(e.content, 60) AS words FROM annals.episodes e
        WHERE e.group_id = @group_id AND 'episode' = ANY(@kinds::text[]) AND e.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'episode', now()))
            AND (@withheld::boolean OR NOT annals_internal.quarantined(@group_id::text, e.id, e.authority, e.thread_id)) ORDER BY e.id DESC LIMIT @max_rows::int)
    UNION ALL
    (SELECT n.id, left(n.name, 60) FROM annals.entities n
        WHERE n.group_id = @group_id AND 'entity' = ANY(@kinds::text[]) AND n.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'entity', now()))
            AND (@withheld OR annals_internal.entity_shown(@group_id::text, n.id, 'believed')) ORDER BY n.id DESC LIMIT @max_rows::int)
    UNION ALL
    (SELECT f.id, left(f.told, 60) FROM annals.facts f
        WHERE f.group_id = @group_id AND 'fact' = ANY(@kinds::text[]) AND f.id NOT IN (SELECT annals_internal.expired(@group_id::text, 'fact', now()))
            AND (@withheld OR f.trust <> 'candidate') ORDER BY f.id DESC LIMIT @max_rows::int)
) i
ORDER BY i.id DESC
LIMIT @max_rows::int;

-- Lists the groups of a namespace, or all if it is empty, that have something that came by a door.
-- name: GroupsFilledBy :many
SELECT g.group_id
FROM annals.groups g
WHERE annals_internal.is_among(g.group_id, @namespace::text, sqlc.narg('among')::text[])
    AND (EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = g.group_id AND e.door = @door::text)
        OR EXISTS (SELECT FROM annals.edits d WHERE d.group_id = g.group_id AND d.door = @door))
ORDER BY g.group_id
LIMIT @max_rows::int;
