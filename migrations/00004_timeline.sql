-- What changed when, in words. A fact gives a line when it began and a line
-- when it ended; recorded_at is when we learned of either.
--
-- +goose Up

CREATE VIEW annals.timeline AS
SELECT f.group_id, lower(f.valid) AS at, 'began' AS event, f.id AS fact_id, f.fact AS words, f.created_at AS recorded_at
FROM annals.facts f
WHERE NOT lower_inf(f.valid)
UNION ALL
SELECT f.group_id, upper(f.valid), 'ended', f.id, 'No longer: ' || f.fact, coalesce(f.expired_at, f.created_at)
FROM annals.facts f
WHERE NOT upper_inf(f.valid);

-- +goose Down

DROP VIEW annals.timeline;
