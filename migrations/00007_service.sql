-- What the pipeline and the service keep beside the graph: calls of models,
-- traces, users, keys, webhooks, templates, batches.
--
-- +goose Up
-- +goose StatementBegin

CALL annals.begin_migration(7);

-- Every call to a model. An answer that passed its checks is kept and serves
-- the same question again at no cost. Without foreign keys: what was spent is
-- still true when the episode is gone, and a search may ask before its group
-- has anything.
CREATE TABLE annals.model_calls (
    group_id text NOT NULL,
    id uuid NOT NULL,
    episode_id uuid,
    kind text NOT NULL CHECK (kind IN ('chat', 'embedding', 'rerank')),
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
COMMENT ON TABLE annals.model_calls IS 'The ledger: every call to a model, and the answer that serves the same question again.';
COMMENT ON COLUMN annals.model_calls.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.model_calls.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.model_calls.episode_id IS 'The episode it was made for; NULL: none.';
COMMENT ON COLUMN annals.model_calls.kind IS 'chat, embedding or rerank.';
COMMENT ON COLUMN annals.model_calls.prompt IS 'Which prompt was used.';
COMMENT ON COLUMN annals.model_calls.version IS 'Of the prompt.';
COMMENT ON COLUMN annals.model_calls.model IS 'Who was asked, as provider:model.';
COMMENT ON COLUMN annals.model_calls.key IS 'Hash of all that was asked.';
COMMENT ON COLUMN annals.model_calls.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN annals.model_calls.cached_tokens IS 'Of these, answered from the provider''s own cache.';
COMMENT ON COLUMN annals.model_calls.output_tokens IS 'Tokens received.';
COMMENT ON COLUMN annals.model_calls.latency IS 'How long it took.';
COMMENT ON COLUMN annals.model_calls.cost IS 'US dollars by list price; NULL: not known.';
COMMENT ON COLUMN annals.model_calls.from_cache IS 'Answered from this table, at no cost.';
COMMENT ON COLUMN annals.model_calls.repair IS 'It asks to mend the answer before.';
COMMENT ON COLUMN annals.model_calls.answer IS 'What was answered; NULL unless it passed its checks.';
COMMENT ON COLUMN annals.model_calls.error IS 'Why it failed; NULL unless it did.';
COMMENT ON COLUMN annals.model_calls.called_at IS 'When.';

CREATE INDEX model_calls_answers ON annals.model_calls (group_id, key, id) WHERE answer IS NOT NULL AND NOT from_cache;
CREATE INDEX model_calls_episode ON annals.model_calls (group_id, episode_id, id);

-- What a group cost, by day and prompt. cost leaves out the calls whose price
-- is not known, which unpriced counts.
CREATE VIEW annals.model_usage WITH (security_invoker = true) AS
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
COMMENT ON VIEW annals.model_usage IS 'What a group cost, by day, prompt and model.';
COMMENT ON COLUMN annals.model_usage.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.model_usage.day IS 'In UTC.';
COMMENT ON COLUMN annals.model_usage.kind IS 'chat, embedding or rerank.';
COMMENT ON COLUMN annals.model_usage.prompt IS 'Which prompt was used.';
COMMENT ON COLUMN annals.model_usage.model IS 'Who was asked, as provider:model.';
COMMENT ON COLUMN annals.model_usage.calls IS 'That reached the model.';
COMMENT ON COLUMN annals.model_usage.cached IS 'Answered from the ledger at no cost.';
COMMENT ON COLUMN annals.model_usage.repairs IS 'That asked to mend the answer before.';
COMMENT ON COLUMN annals.model_usage.failed IS 'That gave no usable answer.';
COMMENT ON COLUMN annals.model_usage.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN annals.model_usage.output_tokens IS 'Tokens received.';
COMMENT ON COLUMN annals.model_usage.cost IS 'US dollars, of the calls whose price is known.';
COMMENT ON COLUMN annals.model_usage.unpriced IS 'Calls whose price is not known.';
COMMENT ON COLUMN annals.model_usage.mean_latency IS 'How long a call took on average.';

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
COMMENT ON TABLE annals.traces IS 'Why the graph has of an episode what it has, decision by decision.';
COMMENT ON COLUMN annals.traces.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.traces.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.traces.place IS 'The order in which it was decided.';
COMMENT ON COLUMN annals.traces.step IS 'Such as resolve entities.';
COMMENT ON COLUMN annals.traces.decision IS 'extracted, dropped, mended, matched, created, repeated, closed, expired, shortened or failed.';
COMMENT ON COLUMN annals.traces.subject IS 'The name or sentence it is about.';
COMMENT ON COLUMN annals.traces.reason IS 'Why, in words.';
COMMENT ON COLUMN annals.traces.entity_id IS 'The entity it is about; NULL: none.';
COMMENT ON COLUMN annals.traces.fact_id IS 'The fact it is about; NULL: none.';

CREATE TABLE annals.users (
    group_id text PRIMARY KEY REFERENCES annals.groups ON DELETE CASCADE,
    email text NOT NULL DEFAULT '' CHECK (octet_length(email) <= 512),
    first_name text NOT NULL DEFAULT '' CHECK (octet_length(first_name) <= 512),
    last_name text NOT NULL DEFAULT '' CHECK (octet_length(last_name) <= 512),
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    plain boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE annals.users IS 'Whose memory a group of the kind user is.';
COMMENT ON COLUMN annals.users.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.users.email IS 'Their address; may be empty.';
COMMENT ON COLUMN annals.users.first_name IS 'May be empty.';
COMMENT ON COLUMN annals.users.last_name IS 'May be empty.';
COMMENT ON COLUMN annals.users.metadata IS 'What the application keeps with them.';
COMMENT ON COLUMN annals.users.plain IS 'Whether the types of the application are kept from their group.';
COMMENT ON COLUMN annals.users.created_at IS 'When they were made.';
COMMENT ON COLUMN annals.users.updated_at IS 'When they were last changed.';

-- A key opens some groups or all, so that it stands under the group '', as
-- what holds for the whole database does. Its secret is not kept.
CREATE TABLE annals.api_keys (
    group_id text NOT NULL DEFAULT '' CHECK (group_id = ''),
    id uuid NOT NULL,
    name text NOT NULL DEFAULT '' CHECK (octet_length(name) <= 512),
    prefix text COLLATE "C" NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32), -- SHA-256 of the secret
    admin boolean NOT NULL DEFAULT false,
    groups text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    PRIMARY KEY (group_id, id),
    CONSTRAINT api_keys_prefix UNIQUE (group_id, prefix),
    CONSTRAINT api_keys_open_something CHECK (admin <> (cardinality(groups) > 0))
);
COMMENT ON TABLE annals.api_keys IS 'What opens the servers: all groups, or some. They stand under no group, where no tenant sees them.';
COMMENT ON COLUMN annals.api_keys.group_id IS 'Empty: the whole database.';
COMMENT ON COLUMN annals.api_keys.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.api_keys.name IS 'What it is for, in words.';
COMMENT ON COLUMN annals.api_keys.prefix IS 'What its secret begins with, by which it is found.';
COMMENT ON COLUMN annals.api_keys.hash IS 'SHA-256 of its secret, which is not kept.';
COMMENT ON COLUMN annals.api_keys.admin IS 'Whether it opens all groups.';
COMMENT ON COLUMN annals.api_keys.groups IS 'The groups that it opens otherwise.';
COMMENT ON COLUMN annals.api_keys.created_at IS 'When it was made.';
COMMENT ON COLUMN annals.api_keys.expires_at IS 'Until when it works. NULL: without end.';
COMMENT ON COLUMN annals.api_keys.revoked_at IS 'When it was revoked. NULL: it was not.';
COMMENT ON COLUMN annals.api_keys.last_used_at IS 'When it was last used, to the minute. NULL: never.';

-- No foreign key to the group: a request may be the first that names it.
CREATE TABLE annals.replies (
    group_id text NOT NULL CHECK (group_id <> ''),
    caller text NOT NULL,
    key text NOT NULL CHECK (octet_length(key) <= 512),
    request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
    status integer, -- NULL: the request is being worked on
    header jsonb NOT NULL DEFAULT '{}',
    body bytea NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, caller, key)
);
COMMENT ON TABLE annals.replies IS 'What was answered to requests that may be sent twice, for a day.';
COMMENT ON COLUMN annals.replies.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.replies.caller IS 'Whose request it is: the id of an API key, or the name of one that the operator set.';
COMMENT ON COLUMN annals.replies.key IS 'The caller''s word for the request.';
COMMENT ON COLUMN annals.replies.request_hash IS 'SHA-256 of the request, to tell it from others.';
COMMENT ON COLUMN annals.replies.status IS 'The HTTP status of the answer. NULL: the request is being worked on.';
COMMENT ON COLUMN annals.replies.header IS 'The headers of the answer that belong to it.';
COMMENT ON COLUMN annals.replies.body IS 'The answer.';
COMMENT ON COLUMN annals.replies.created_at IS 'When the request came.';

CREATE INDEX replies_created ON annals.replies (created_at);

-- No foreign key to the group: what stands under a namespace is of no group.
CREATE TABLE annals.instructions (
    group_id text NOT NULL CHECK (group_id <> ''),
    purpose text NOT NULL CHECK (purpose IN ('graph', 'summary')),
    name text NOT NULL CHECK (name <> '' AND octet_length(name) <= 512),
    words text NOT NULL CHECK (words <> '' AND octet_length(words) <= 8192),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, purpose, name)
);
COMMENT ON TABLE annals.instructions IS 'What to heed when episodes are read, each by its name. Together they are the instructions of a group''s ontology.';
COMMENT ON COLUMN annals.instructions.group_id IS 'The group, or the namespace, whose groups all heed it.';
COMMENT ON COLUMN annals.instructions.purpose IS 'graph: of what is read; summary: of what is summed up about a user.';
COMMENT ON COLUMN annals.instructions.name IS 'What it is called.';
COMMENT ON COLUMN annals.instructions.words IS 'What it says.';
COMMENT ON COLUMN annals.instructions.created_at IS 'When it was given.';

CREATE TABLE annals.templates (
    group_id text NOT NULL CHECK (group_id <> ''),
    id text NOT NULL CHECK (id <> '' AND octet_length(id) <= 512),
    template text NOT NULL CHECK (template <> '' AND octet_length(template) <= 8192),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals.templates IS 'Forms of context strings that an application keeps.';
COMMENT ON COLUMN annals.templates.group_id IS 'The namespace of the application.';
COMMENT ON COLUMN annals.templates.id IS 'What it is called.';
COMMENT ON COLUMN annals.templates.template IS 'The form, as the application wrote it.';
COMMENT ON COLUMN annals.templates.created_at IS 'When it was made.';
COMMENT ON COLUMN annals.templates.updated_at IS 'When it was last changed.';

CREATE TABLE annals.batches (
    group_id text NOT NULL CHECK (group_id <> ''),
    id uuid NOT NULL,
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    ignored_roles text[] NOT NULL DEFAULT '{}',
    groups text[] NOT NULL DEFAULT '{}',
    items integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    processed_at timestamptz,
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals.batches IS 'Episodes that are collected, for several groups of an application, before they are added.';
COMMENT ON COLUMN annals.batches.group_id IS 'The namespace of the application.';
COMMENT ON COLUMN annals.batches.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.batches.metadata IS 'What the application keeps with it.';
COMMENT ON COLUMN annals.batches.ignored_roles IS 'Whose messages are stored but not read into the graph.';
COMMENT ON COLUMN annals.batches.groups IS 'The groups that its items are for.';
COMMENT ON COLUMN annals.batches.items IS 'How many there are.';
COMMENT ON COLUMN annals.batches.created_at IS 'When it was made.';
COMMENT ON COLUMN annals.batches.updated_at IS 'When something was last added.';
COMMENT ON COLUMN annals.batches.processed_at IS 'When its items were added to their groups. NULL: they were not yet.';

-- An item lies with the group that it is for, and goes with it.
CREATE TABLE annals.batch_items (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    batch_id uuid NOT NULL,
    place integer NOT NULL,
    episode_id uuid NOT NULL,
    item jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, batch_id, place)
);
COMMENT ON TABLE annals.batch_items IS 'What was collected in batches, each item with the group that it is for.';
COMMENT ON COLUMN annals.batch_items.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.batch_items.batch_id IS 'The batch.';
COMMENT ON COLUMN annals.batch_items.place IS 'Which of its items it is, from 0.';
COMMENT ON COLUMN annals.batch_items.episode_id IS 'The episode that it is, or will be.';
COMMENT ON COLUMN annals.batch_items.item IS 'The episode, until it is added; then what is left to say of it.';
COMMENT ON COLUMN annals.batch_items.created_at IS 'When it was collected.';

-- A group that goes leaves no name behind.
CREATE FUNCTION annals.leave_batches() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals.check_tenant(OLD.group_id);
    UPDATE annals.batches SET groups = array_remove(groups, OLD.group_id) WHERE OLD.group_id = ANY (groups);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals.leave_batches() IS 'Takes a group that is removed off the lists of batches.';

CREATE TRIGGER leave_batches AFTER DELETE ON annals.groups FOR EACH ROW EXECUTE FUNCTION annals.leave_batches();

CREATE TABLE annals.webhooks (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    url text NOT NULL CHECK (url <> '' AND octet_length(url) <= 2048),
    events text[] NOT NULL CHECK (cardinality(events) > 0
        AND events <@ ARRAY['episode.processed', 'episode.failed', 'batch.completed']),
    secret bytea NOT NULL CHECK (octet_length(secret) BETWEEN 24 AND 64),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals.webhooks IS 'Who is told of what becomes of a group''s episodes.';
COMMENT ON COLUMN annals.webhooks.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.webhooks.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.webhooks.url IS 'Where deliveries go.';
COMMENT ON COLUMN annals.webhooks.events IS 'What it is told of.';
COMMENT ON COLUMN annals.webhooks.secret IS 'The key that deliveries are signed with. Signing needs it as it is.';
COMMENT ON COLUMN annals.webhooks.created_at IS 'When it was made.';

CREATE TABLE annals.webhook_deliveries (
    group_id text NOT NULL,
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event text NOT NULL,
    episode_id uuid,
    payload text NOT NULL, -- byte for byte, as it is signed
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    status integer,
    error text,
    created_at timestamptz NOT NULL DEFAULT now(),
    attempted_at timestamptz,
    PRIMARY KEY (group_id, id),
    FOREIGN KEY (group_id, webhook_id) REFERENCES annals.webhooks ON DELETE CASCADE
);
COMMENT ON TABLE annals.webhook_deliveries IS 'What webhooks are told, for a week.';
COMMENT ON COLUMN annals.webhook_deliveries.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.webhook_deliveries.id IS 'Its id, a UUIDv7, which the receiver sees as webhook-id.';
COMMENT ON COLUMN annals.webhook_deliveries.webhook_id IS 'The webhook that is told.';
COMMENT ON COLUMN annals.webhook_deliveries.event IS 'What happened.';
COMMENT ON COLUMN annals.webhook_deliveries.episode_id IS 'The episode it is about. NULL: several.';
COMMENT ON COLUMN annals.webhook_deliveries.payload IS 'The body, as it is signed and sent.';
COMMENT ON COLUMN annals.webhook_deliveries.state IS 'waiting: it is tried, again; delivered; failed: it is not tried any more.';
COMMENT ON COLUMN annals.webhook_deliveries.attempts IS 'How often it was tried.';
COMMENT ON COLUMN annals.webhook_deliveries.status IS 'The HTTP status of the last answer. NULL: there was none.';
COMMENT ON COLUMN annals.webhook_deliveries.error IS 'Why the last attempt failed.';
COMMENT ON COLUMN annals.webhook_deliveries.created_at IS 'When it happened.';
COMMENT ON COLUMN annals.webhook_deliveries.attempted_at IS 'When it was last tried.';

CREATE INDEX webhook_deliveries_webhook ON annals.webhook_deliveries (group_id, webhook_id, id);
CREATE INDEX webhook_deliveries_episode ON annals.webhook_deliveries (group_id, episode_id);
CREATE INDEX webhook_deliveries_ended ON annals.webhook_deliveries (created_at) WHERE state <> 'waiting';

-- Episodes that came together. Episodes are read in the order of their ids: when
-- none up to the last waits any more, all have been.
CREATE TABLE annals.webhook_batches (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    first_id uuid NOT NULL,
    last_id uuid NOT NULL,
    episodes integer NOT NULL CHECK (episodes > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals.webhook_batches IS 'Episodes that came together and are not all read, where a webhook wants to know.';
COMMENT ON COLUMN annals.webhook_batches.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.webhook_batches.id IS 'Its id, which whoever added them was told.';
COMMENT ON COLUMN annals.webhook_batches.first_id IS 'The first of its episodes.';
COMMENT ON COLUMN annals.webhook_batches.last_id IS 'The last of its episodes.';
COMMENT ON COLUMN annals.webhook_batches.episodes IS 'How many they are.';
COMMENT ON COLUMN annals.webhook_batches.created_at IS 'When the last of them was added.';

CREATE FUNCTION annals_queue.deliver(about text, told_event text, told_episode uuid, told jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    WITH delivery AS (
        INSERT INTO annals.webhook_deliveries (group_id, id, webhook_id, event, episode_id, payload)
        SELECT w.group_id, annals.new_id(), w.id, told_event, told_episode, jsonb_build_object('type', told_event,
            'timestamp', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'data', told)::text
        FROM annals.webhooks w
        WHERE w.group_id = about AND told_event = ANY (w.events)
        RETURNING group_id, id
    )
    INSERT INTO annals_queue.river_job (args, kind, max_attempts, queue)
    SELECT jsonb_build_object('group_id', d.group_id, 'delivery_id', d.id), 'webhook', 10, 'webhooks' FROM delivery d;
    IF FOUND THEN
        PERFORM pg_notify('annals_queue.river_insert', '{"queue":"webhooks"}');
    END IF;
END
$$;
COMMENT ON FUNCTION annals_queue.deliver(text, text, uuid, jsonb) IS 'Has the webhooks of a group be told of an event.';

-- Tells of the batches of a group that are read, and says how many they were.
CREATE FUNCTION annals.complete_webhook_batches(told_group text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    batch record;
    told integer := 0;
BEGIN
    PERFORM annals.check_tenant(told_group);
    FOR batch IN
        DELETE FROM annals.webhook_batches b
        WHERE b.group_id = told_group AND NOT EXISTS (
            SELECT FROM annals.episodes e
            WHERE e.group_id = told_group AND e.state IN ('pending', 'processing') AND NOT e.deferred
                AND e.id BETWEEN b.first_id AND b.last_id)
        RETURNING b.*
    LOOP
        PERFORM annals_queue.deliver(told_group, 'batch.completed', NULL,
            jsonb_build_object('group_id', told_group, 'batch_id', batch.id, 'episodes', batch.episodes));
        told := told + 1;
    END LOOP;
    RETURN told;
END
$$;
COMMENT ON FUNCTION annals.complete_webhook_batches(text) IS 'Tells webhooks of the batches of a group that are read.';

-- Tells of an episode that came into the graph, or failed, and of its batch.
CREATE FUNCTION annals.tell_webhooks() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals.check_tenant(NEW.group_id);
    IF EXISTS (SELECT FROM annals.webhooks w WHERE w.group_id = NEW.group_id) THEN
        PERFORM annals_queue.deliver(NEW.group_id, CASE NEW.state WHEN 'done' THEN 'episode.processed' ELSE 'episode.failed' END, NEW.id,
            jsonb_build_object('group_id', NEW.group_id, 'episode_id', NEW.id, 'external_id', NEW.external_id,
                'thread_id', NEW.thread_id, 'attempts', NEW.attempts));
        IF EXISTS (SELECT FROM annals.webhook_batches b WHERE b.group_id = NEW.group_id) THEN
            PERFORM annals.complete_webhook_batches(NEW.group_id);
        END IF;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals.tell_webhooks() IS 'Trigger: tells webhooks what became of an episode.';

-- One that is placed anew, because an earlier one was taken back, came before.
CREATE TRIGGER tell_webhooks AFTER UPDATE OF state ON annals.episodes
    FOR EACH ROW WHEN (OLD.state = 'processing' AND NEW.state IN ('done', 'failed') AND OLD.processed_at IS NULL)
    EXECUTE FUNCTION annals.tell_webhooks();

REVOKE EXECUTE ON FUNCTION annals_queue.deliver(text, text, uuid, jsonb), annals.complete_webhook_batches(text), annals.tell_webhooks(),
    annals.leave_batches() FROM PUBLIC;

CALL annals.end_migration(7, 'service');

-- +goose StatementEnd
-- +goose Down

DROP TRIGGER tell_webhooks ON annals.episodes;
DROP FUNCTION annals.tell_webhooks, annals.complete_webhook_batches, annals_queue.deliver;
DROP TABLE annals.webhook_batches, annals.webhook_deliveries, annals.webhooks;
DROP TRIGGER leave_batches ON annals.groups;
DROP FUNCTION annals.leave_batches;
DROP TABLE annals.batch_items, annals.batches, annals.templates, annals.instructions, annals.replies, annals.api_keys,
    annals.users, annals.traces;
DROP VIEW annals.model_usage;
DROP TABLE annals.model_calls;
DELETE FROM annals.migrations WHERE version = 7;
