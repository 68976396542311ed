-- What changed when, in words. A statement gives a line when it began and a
-- line when it ended; recorded_at is when we learned of either. A statement
-- that relates several pairs of entities is several facts and one line; one
-- that says that something stopped does not end itself.
--
-- +goose Up

CREATE VIEW annals.timeline AS
SELECT DISTINCT ON (group_id, at, event, statement_id) group_id, at, event, fact_id, words, recorded_at, statement_id
FROM (
    SELECT f.group_id, lower(f.valid) AS at, 'began' AS event, f.id AS fact_id, f.fact AS words,
        f.created_at AS recorded_at, f.statement_id
    FROM annals.facts f
    WHERE NOT lower_inf(f.valid)
    UNION ALL
    SELECT f.group_id, upper(f.valid), 'ended', f.id, 'No longer: ' || f.fact, coalesce(f.expired_at, f.created_at),
        f.statement_id
    FROM annals.facts f
    WHERE NOT upper_inf(f.valid) AND NOT f.ends
) change
ORDER BY group_id, at, event, statement_id, fact_id;

-- +goose Down

DROP VIEW annals.timeline;
