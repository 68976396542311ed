-- What models are asked, and how an episode became what it is in the graph:
-- the ledger of calls, the trace of decisions, each group's ontology, episodes
-- that wait for no model, the running summary of a conversation, and where an
-- entity went that was merged into another.
--
-- +goose Up

-- Every call to a model. An answer that passed its checks is kept and serves
-- the same question again at no cost. Without foreign keys: what was spent is
-- still true when the episode is gone, and a search may ask before its group
-- has anything.
CREATE TABLE annals.model_calls (
    group_id text NOT NULL,
    id uuid NOT NULL,
    episode_id uuid,
    kind text NOT NULL CHECK (kind IN ('chat', 'embedding')),
    prompt text NOT NULL,
    version integer NOT NULL,
    model text NOT NULL,
    key bytea NOT NULL, -- hash of all that was asked
    input_tokens integer NOT NULL,
    cached_tokens integer NOT NULL, -- of the input, answered from the provider's own cache
    output_tokens integer NOT NULL,
    latency interval NOT NULL,
    cost numeric, -- US dollars; NULL: the price is not known
    from_cache boolean NOT NULL, -- answered from this table
    repair boolean NOT NULL, -- asks to mend the answer before
    answer text,
    error text,
    called_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (group_id, id)
);
CREATE INDEX model_calls_answers ON annals.model_calls (group_id, key, id) WHERE answer IS NOT NULL AND NOT from_cache;
CREATE INDEX model_calls_episode ON annals.model_calls (group_id, episode_id, id);

-- What a group cost, by day and prompt. cost leaves out the calls whose price
-- is not known, which unpriced counts.
CREATE VIEW annals.model_usage AS
SELECT group_id, date_trunc('day', called_at, 'UTC') AS day, kind, prompt, model,
    count(*) FILTER (WHERE NOT from_cache) AS calls,
    count(*) FILTER (WHERE from_cache) AS cached,
    count(*) FILTER (WHERE repair) AS repairs,
    count(*) FILTER (WHERE error IS NOT NULL) AS failed,
    sum(input_tokens) AS input_tokens,
    sum(output_tokens) AS output_tokens,
    sum(cost) AS cost,
    count(*) FILTER (WHERE cost IS NULL AND NOT from_cache) AS unpriced,
    avg(latency) FILTER (WHERE NOT from_cache) AS mean_latency
FROM annals.model_calls
GROUP BY group_id, 2, kind, prompt, model;

-- Why the graph has of an episode what it has. Written with the graph, and
-- anew each time the episode is processed.
CREATE TABLE annals.traces (
    group_id text NOT NULL,
    episode_id uuid NOT NULL,
    place integer NOT NULL,
    step text NOT NULL,
    decision text NOT NULL,
    subject text NOT NULL, -- the name or sentence it is about
    reason text NOT NULL,
    entity_id uuid,
    fact_id uuid,
    PRIMARY KEY (group_id, episode_id, place),
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE
);

ALTER TABLE annals.groups ADD ontology jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(ontology) = 'object');

-- Kept searchable, but not read by a model until 'annals retry' asks for it.
ALTER TABLE annals.episodes ADD deferred boolean NOT NULL DEFAULT false;
DROP INDEX annals.episodes_waiting;
CREATE INDEX episodes_waiting ON annals.episodes (group_id, id) WHERE state IN ('pending', 'processing') AND NOT deferred;
CREATE INDEX episodes_deferred ON annals.episodes (group_id, id) WHERE deferred;

-- How many earlier messages of its thread are shown when it is read. NULL: as many as the engine is set to.
ALTER TABLE annals.episodes ADD previous integer CHECK (previous BETWEEN 0 AND 100);

-- A conversation, summarised as far as the message that is named.
CREATE TABLE annals.threads (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id text NOT NULL CHECK (id <> ''),
    summary text NOT NULL DEFAULT '',
    through_at timestamptz NOT NULL,
    through_id uuid NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, id)
);

-- An id that once stood for an entity, and the entity it was merged into.
CREATE TABLE annals.entity_merges (
    group_id text NOT NULL,
    id uuid NOT NULL,
    merged_into uuid NOT NULL,
    merged_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, id),
    FOREIGN KEY (group_id, merged_into) REFERENCES annals.entities ON DELETE CASCADE
);
CREATE INDEX entity_merges_into ON annals.entity_merges (group_id, merged_into);

-- What an entity was called that is gone: merged into another, or removed.
-- +goose StatementBegin
CREATE FUNCTION annals.former_name(text, uuid) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT name FROM annals.entities_history WHERE group_id = $1 AND id = $2
        ORDER BY lower(recorded) DESC LIMIT 1), '')
$$;
-- +goose StatementEnd

-- +goose Down

DROP FUNCTION annals.former_name(text, uuid);
DROP TABLE annals.entity_merges, annals.threads, annals.traces;
DROP INDEX annals.episodes_deferred, annals.episodes_waiting;
ALTER TABLE annals.episodes DROP deferred, DROP previous;
CREATE INDEX episodes_waiting ON annals.episodes (group_id, id) WHERE state IN ('pending', 'processing');
ALTER TABLE annals.groups DROP ontology;
DROP VIEW annals.model_usage;
DROP TABLE annals.model_calls;
