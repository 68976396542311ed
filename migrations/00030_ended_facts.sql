-- Searches leave out the facts that have ended, of which most groups have few.
--
-- +goose Up

CREATE INDEX facts_closed ON annals.facts (group_id, id) INCLUDE (valid) WHERE NOT upper_inf(valid);

-- +goose Down

DROP INDEX annals.facts_closed;
