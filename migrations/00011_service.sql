-- Tables of the pipeline and the service beside the graph: requests to models,
-- traces, users, keys, webhooks, templates, batches.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(11);

-- Records every request to a model. A valid answer is reused for the same
-- request, at no cost. The table has no foreign keys: the cost stays when an
-- episode is removed, and a search may call a model before its group exists.
CREATE TABLE annals.model_calls (
    group_id text NOT NULL,
    id uuid NOT NULL,
    episode_id uuid,
    kind text NOT NULL CHECK (kind IN ('chat', 'embedding', 'rerank')),
    prompt text NOT NULL,
    version integer NOT NULL,
    model text NOT NULL,
    key bytea NOT NULL,
    input_tokens integer NOT NULL,
    cached_tokens integer NOT NULL,
    output_tokens integer NOT NULL,
    latency interval NOT NULL,
    cost numeric,
    from_cache boolean NOT NULL,
    repair boolean NOT NULL,
    answer text,
    error text,
    called_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals.model_calls IS
    'Every request to a model, with tokens, cost, duration and answer. The answer is reused for the same request.';
COMMENT ON COLUMN annals.model_calls.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.model_calls.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.model_calls.episode_id IS 'The episode it was made for; NULL: none.';
COMMENT ON COLUMN annals.model_calls.kind IS 'Kind of request: chat, embedding or rerank.';
COMMENT ON COLUMN annals.model_calls.prompt IS 'Name of the prompt.';
COMMENT ON COLUMN annals.model_calls.version IS 'Version of the prompt.';
COMMENT ON COLUMN annals.model_calls.model IS 'The model, as provider:model.';
COMMENT ON COLUMN annals.model_calls.key IS 'Hash of the whole request.';
COMMENT ON COLUMN annals.model_calls.input_tokens IS 'Number of tokens sent.';
COMMENT ON COLUMN annals.model_calls.cached_tokens IS 'Number of these read from the provider''s own cache.';
COMMENT ON COLUMN annals.model_calls.output_tokens IS 'Number of tokens received.';
COMMENT ON COLUMN annals.model_calls.latency IS 'Duration of the request.';
COMMENT ON COLUMN annals.model_calls.cost IS 'Cost in US dollars by list price; NULL: not known.';
COMMENT ON COLUMN annals.model_calls.from_cache IS 'True if the answer came from this table, at no cost.';
COMMENT ON COLUMN annals.model_calls.repair IS 'True if it asks the model to correct the previous answer.';
COMMENT ON COLUMN annals.model_calls.answer IS 'The answer; NULL unless it passed its checks.';
COMMENT ON COLUMN annals.model_calls.error IS 'Reason for the failure; NULL unless it failed.';
COMMENT ON COLUMN annals.model_calls.called_at IS 'Time of the request.';

CREATE INDEX model_calls_answers ON annals.model_calls (group_id, key, id) WHERE answer IS NOT NULL AND NOT from_cache;
COMMENT ON INDEX annals.model_calls_answers IS 'Finds the answer to an earlier equal request.';
CREATE INDEX model_calls_episode ON annals.model_calls (group_id, episode_id, id);
COMMENT ON INDEX annals.model_calls_episode IS 'Finds the requests made for an episode.';

-- Sums requests and their cost. cost omits requests of unknown price; unpriced
-- counts them.
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
COMMENT ON VIEW annals.model_usage IS 'Requests to models and their cost, by group, day, prompt and model.';
COMMENT ON COLUMN annals.model_usage.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.model_usage.day IS 'The day, in UTC.';
COMMENT ON COLUMN annals.model_usage.kind IS 'Kind of request: chat, embedding or rerank.';
COMMENT ON COLUMN annals.model_usage.prompt IS 'Name of the prompt.';
COMMENT ON COLUMN annals.model_usage.model IS 'The model, as provider:model.';
COMMENT ON COLUMN annals.model_usage.calls IS 'Number of requests that reached the model.';
COMMENT ON COLUMN annals.model_usage.cached IS 'Number of requests answered from model_calls at no cost.';
COMMENT ON COLUMN annals.model_usage.repairs IS 'Number of requests to correct a previous answer.';
COMMENT ON COLUMN annals.model_usage.failed IS 'Number of requests without a usable answer.';
COMMENT ON COLUMN annals.model_usage.input_tokens IS 'Number of tokens sent.';
COMMENT ON COLUMN annals.model_usage.output_tokens IS 'Number of tokens received.';
COMMENT ON COLUMN annals.model_usage.cost IS 'Cost in US dollars of the requests of known price.';
COMMENT ON COLUMN annals.model_usage.unpriced IS 'Number of requests of unknown price.';
COMMENT ON COLUMN annals.model_usage.mean_latency IS 'Mean duration of a request.';

-- Explains what the graph took from an episode. Written in the transaction of the
-- graph, and replaced whenever the episode is processed.
CREATE TABLE annals.traces (
    group_id text NOT NULL,
    episode_id uuid NOT NULL,
    place integer NOT NULL,
    step text NOT NULL,
    decision text NOT NULL,
    subject text NOT NULL,
    reason text NOT NULL,
    entity_id uuid,
    fact_id uuid,
    PRIMARY KEY (group_id, episode_id, place),
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE
);
CREATE INDEX traces_withdrawn ON annals.traces (group_id, episode_id) WHERE decision IN ('expired', 'refused');
COMMENT ON INDEX annals.traces_withdrawn IS 'Finds the statements of an episode that expired or were refused, and whether a group has any.';
COMMENT ON TABLE annals.traces IS 'The decisions that led from an episode to its entities and facts.';
COMMENT ON COLUMN annals.traces.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.traces.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.traces.place IS 'Position in the order of decisions.';
COMMENT ON COLUMN annals.traces.step IS 'The step of processing, such as resolve entities.';
COMMENT ON COLUMN annals.traces.decision IS
    'The decision, such as extracted, dropped, refused, matched, created, repeated, closed, expired or failed.';
COMMENT ON COLUMN annals.traces.subject IS 'Name or sentence that it is about.';
COMMENT ON COLUMN annals.traces.reason IS 'The reason, in words.';
COMMENT ON COLUMN annals.traces.entity_id IS 'The entity it is about; NULL: none.';
COMMENT ON COLUMN annals.traces.fact_id IS 'The fact it is about; NULL: none.';

-- Returns the statements of episodes that are not believed, now or at a time. They were
-- taken back, with the episode that did it; lost all their valid time to another
-- statement, which only trace and history show; or were refused, because they had been
-- taken back before. Statements that the same episode makes again and that hold are left
-- out.
CREATE FUNCTION annals.withdrawn_statements(group_id text, episode_ids uuid[], known_at timestamptz DEFAULT NULL)
RETURNS TABLE (episode_id uuid, fact text, source_id uuid, target_id uuid, predicate text, valid tstzrange, said_at timestamptz, taken_back boolean, taken_back_by uuid)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT e.id, r.fact, r.source_id, r.target_id, r.predicate, r.valid, r.said_at, true, r.episode_id
    FROM annals.episodes e
    JOIN annals.rejections r ON r.group_id = $1 AND e.said_key = ANY (r.told)
    WHERE e.group_id = $1 AND e.id = ANY ($2) AND EXISTS (SELECT FROM annals.rejections o WHERE o.group_id = $1)
        AND ($3 IS NULL OR r.rejected_at <= $3)
        AND (annals_internal.rejected_at(r.rejected_at, r.lifted_at, $3)
            OR r.lifted_by LIKE 'episode %' AND NOT annals_internal.states($1, e.id, r.predicate, NULL, $3))
    UNION ALL
    SELECT t.episode_id, h.fact, h.source_id, h.target_id, h.predicate, h.valid, h.said_at, false, NULL
    FROM (SELECT DISTINCT d.episode_id, d.fact_id FROM annals.traces d
        WHERE d.group_id = $1 AND d.episode_id = ANY ($2) AND d.fact_id IS NOT NULL AND d.decision = 'expired') t
    CROSS JOIN LATERAL (
        SELECT v.fact, v.source_id, v.target_id, v.predicate, v.valid, v.said_at, v.recorded, v.evidence FROM annals_internal.facts_history v
        WHERE v.group_id = $1 AND v.id = t.fact_id
        ORDER BY lower(v.recorded) DESC
        LIMIT 1
    ) h
    WHERE t.episode_id = ANY (h.evidence)
        AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = $1 AND f.id = t.fact_id)
        AND NOT EXISTS (SELECT FROM annals.rejections r WHERE r.group_id = $1 AND r.fact_id = t.fact_id)
        AND NOT EXISTS (
            SELECT FROM annals.fact_episodes c
            JOIN annals.facts f ON f.group_id = $1 AND f.id = c.fact_id
                AND f.source_id = h.source_id AND f.target_id = h.target_id AND f.predicate = h.predicate
            WHERE c.group_id = $1 AND c.episode_id = t.episode_id AND c.role = 'states')
        AND ($3 IS NULL OR upper(h.recorded) <= $3)
    UNION ALL
    SELECT DISTINCT d.episode_id, d.subject, NULL::uuid, NULL::uuid, '', '(,)'::tstzrange, NULL::timestamptz, true, NULL::uuid
    FROM annals.traces d
    WHERE d.group_id = $1 AND d.episode_id = ANY ($2) AND d.decision = 'refused'
        AND CASE WHEN $3 IS NULL THEN NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = $1 AND f.id = d.fact_id) -- restored
            ELSE EXISTS (SELECT FROM annals.rejections r
                WHERE r.group_id = $1 AND r.fact_id = d.fact_id AND annals_internal.rejected_at(r.rejected_at, r.lifted_at, $3)) END
        AND NOT annals_internal.states($1, d.episode_id, NULL, d.subject, $3);
END
$$;
COMMENT ON FUNCTION annals.withdrawn_statements(text, uuid[], timestamptz) IS
    'Returns the statements of episodes that are not believed: taken back before or after, or left without valid time by another statement.';

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
COMMENT ON TABLE annals.users IS 'The people whose memories are groups of kind user.';
COMMENT ON COLUMN annals.users.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.users.email IS 'Email address; may be empty.';
COMMENT ON COLUMN annals.users.first_name IS 'First name; may be empty.';
COMMENT ON COLUMN annals.users.last_name IS 'Last name; may be empty.';
COMMENT ON COLUMN annals.users.metadata IS 'JSON object of the application, returned unchanged.';
COMMENT ON COLUMN annals.users.plain IS 'True if the application''s types do not apply to their group.';
COMMENT ON COLUMN annals.users.created_at IS 'Time they were created.';
COMMENT ON COLUMN annals.users.updated_at IS 'Time they were last changed.';

CREATE VIEW annals_internal.user_rows WITH (security_invoker = true) AS
SELECT u.*, g.time_zone
FROM annals.users u
JOIN annals.groups g ON g.group_id = u.group_id;
COMMENT ON VIEW annals_internal.user_rows IS 'Users with their time zones.';
COMMENT ON COLUMN annals_internal.user_rows.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.user_rows.email IS 'Email address; may be empty.';
COMMENT ON COLUMN annals_internal.user_rows.first_name IS 'First name; may be empty.';
COMMENT ON COLUMN annals_internal.user_rows.last_name IS 'Last name; may be empty.';
COMMENT ON COLUMN annals_internal.user_rows.metadata IS 'JSON object of the application, returned unchanged.';
COMMENT ON COLUMN annals_internal.user_rows.plain IS 'True if the application''s types do not apply to their group.';
COMMENT ON COLUMN annals_internal.user_rows.created_at IS 'Time they were created.';
COMMENT ON COLUMN annals_internal.user_rows.updated_at IS 'Time they were last changed.';
COMMENT ON COLUMN annals_internal.user_rows.time_zone IS 'IANA time zone of the person; may be empty.';

-- Returns the UUID of a group, or of a thread as GROUP/THREAD. A name that is a
-- UUID of version 8, as given to unnamed ones, is returned itself. Otherwise it
-- is the first half of the name's SHA-256, so that it stays the same in another
-- database.
CREATE FUNCTION annals_internal.named_uuid(name text) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
    WHEN name COLLATE "C" ~ '^([^:/]*:|[^/]*/)?[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' THEN right(name, 36)::uuid
    ELSE (
        SELECT encode(set_byte(set_byte(substr(h.hash, 1, 16), 6, get_byte(h.hash, 6) & 15 | 128), 8, get_byte(h.hash, 8) & 63 | 128), 'hex')::uuid
        FROM (SELECT sha256(convert_to(name, 'UTF8'))) AS h(hash)
    )
END;
COMMENT ON FUNCTION annals_internal.named_uuid(text) IS
    'Returns the UUID by which clients address a group or a thread.';

CREATE INDEX groups_named ON annals.groups (annals_internal.named_uuid(group_id));
COMMENT ON INDEX annals.groups_named IS 'Finds a group by the UUID made from its name.';
CREATE INDEX threads_named ON annals.threads (annals_internal.named_uuid(group_id || '/' || id)) WHERE created_at IS NOT NULL;
COMMENT ON INDEX annals.threads_named IS 'Finds a thread created by the application, by the UUID made from its name.';

-- A key opens several groups or all, so its group_id is '', as for settings. Its
-- secret is not stored.
CREATE TABLE annals_internal.api_keys (
    group_id text NOT NULL DEFAULT '' CHECK (group_id = ''),
    id uuid NOT NULL,
    name text NOT NULL DEFAULT '' CHECK (octet_length(name) <= 512),
    prefix text COLLATE "C" NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    admin boolean NOT NULL DEFAULT false,
    groups text[] NOT NULL DEFAULT '{}',
    rights text NOT NULL DEFAULT 'erase' CHECK (rights IN ('read', 'write', 'erase')),
    authority annals.authority NOT NULL DEFAULT 'person',
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    PRIMARY KEY (group_id, id),
    CONSTRAINT api_keys_prefix UNIQUE (group_id, prefix),
    CONSTRAINT api_keys_open_something CHECK (admin <> (cardinality(groups) > 0))
);
COMMENT ON TABLE annals_internal.api_keys IS
    'Keys of the service, for all groups or some. Their group_id is '''', which no tenant sees.';
COMMENT ON COLUMN annals_internal.api_keys.group_id IS 'Always empty: a setting applies to the whole database.';
COMMENT ON COLUMN annals_internal.api_keys.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals_internal.api_keys.name IS 'Purpose of the key, in words; may be empty.';
COMMENT ON COLUMN annals_internal.api_keys.prefix IS 'Beginning of its secret, by which it is found.';
COMMENT ON COLUMN annals_internal.api_keys.hash IS 'SHA-256 of its secret; the secret itself is not stored.';
COMMENT ON COLUMN annals_internal.api_keys.admin IS 'True if it opens all groups.';
COMMENT ON COLUMN annals_internal.api_keys.groups IS 'The groups that it opens if it does not open all.';
COMMENT ON COLUMN annals_internal.api_keys.rights IS 'Rights of the key: read; write (and read); or erase (and everything else).';
COMMENT ON COLUMN annals_internal.api_keys.authority IS 'Highest authority of what it writes; see annals.episodes.authority.';
COMMENT ON COLUMN annals_internal.api_keys.created_at IS 'Time it was created.';
COMMENT ON COLUMN annals_internal.api_keys.expires_at IS 'Time it stops working; NULL: never.';
COMMENT ON COLUMN annals_internal.api_keys.revoked_at IS 'Time it was revoked; NULL: it was not.';
COMMENT ON COLUMN annals_internal.api_keys.last_used_at IS 'Time it was last used, to the minute; NULL: never.';

-- Has no foreign key to the group: a request may be the first to name it.
CREATE TABLE annals_internal.replies (
    group_id text NOT NULL CHECK (group_id <> ''),
    caller text NOT NULL,
    key text NOT NULL CHECK (octet_length(key) <= 512),
    request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
    status integer,
    header jsonb NOT NULL DEFAULT '{}',
    body bytea NOT NULL DEFAULT '',
    done boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, caller, key)
);
COMMENT ON TABLE annals_internal.replies IS
    'Answers to requests with an Idempotency-Key, kept for a day. A repeated request gets the same answer.';
COMMENT ON COLUMN annals_internal.replies.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.replies.caller IS 'Sender of the request: the id of an API key, or the name of a key that the operator set.';
COMMENT ON COLUMN annals_internal.replies.key IS 'The Idempotency-Key of the request.';
COMMENT ON COLUMN annals_internal.replies.request_hash IS 'SHA-256 of the request. It distinguishes other requests with the same key.';
COMMENT ON COLUMN annals_internal.replies.status IS 'HTTP status of the answer; NULL: the request is still being processed.';
COMMENT ON COLUMN annals_internal.replies.header IS 'HTTP headers of the answer.';
COMMENT ON COLUMN annals_internal.replies.body IS 'Body of the answer.';
COMMENT ON COLUMN annals_internal.replies.done IS
    'True once the request took effect, set in the same transaction. It is then never carried out again.';
COMMENT ON COLUMN annals_internal.replies.created_at IS 'Time the request arrived.';

CREATE INDEX replies_created ON annals_internal.replies (created_at);
COMMENT ON INDEX annals_internal.replies_created IS 'Finds answers older than a day, to remove them.';

-- Has no foreign key to the group: an instruction may belong to a namespace.
CREATE TABLE annals_internal.instructions (
    group_id text NOT NULL CHECK (group_id <> ''),
    purpose text NOT NULL CHECK (purpose IN ('graph', 'summary')),
    name text NOT NULL CHECK (name <> '' AND octet_length(name) <= 512),
    words text NOT NULL CHECK (words <> '' AND octet_length(words) <= 8192),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, purpose, name)
);
COMMENT ON TABLE annals_internal.instructions IS
    'Named instructions for reading episodes. Those of a group together become the instructions of its ontology.';
COMMENT ON COLUMN annals_internal.instructions.group_id IS 'The group, or a namespace whose groups all follow it.';
COMMENT ON COLUMN annals_internal.instructions.purpose IS
    'When it applies: graph, to reading episodes; summary, to summarising a user.';
COMMENT ON COLUMN annals_internal.instructions.name IS 'Name of the instruction.';
COMMENT ON COLUMN annals_internal.instructions.words IS 'Text of the instruction.';
COMMENT ON COLUMN annals_internal.instructions.created_at IS 'Time it was created.';

-- Sets the instructions of all groups of a namespace, or of one: their own and
-- those of the namespace. It updates one group at a time, because those of a
-- cluster lie on different servers.
CREATE FUNCTION annals_internal.apply_instructions(namespace text, one text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    told record;
    words text;
    instructed bigint := 0;
BEGIN
    FOR told IN
        SELECT g.group_id, g.kind, g.ontology FROM annals.groups g
        WHERE CASE WHEN one <> '' THEN g.group_id = one ELSE split_part(g.group_id, ':', 1) = namespace AND strpos(g.group_id, ':') > 0 END
        ORDER BY g.group_id
    LOOP
        words := (SELECT string_agg(i.words, E'\n' ORDER BY i.group_id, i.purpose, i.name) FROM annals_internal.instructions i
            WHERE i.group_id IN (told.group_id, namespace) AND (i.purpose = 'graph' OR told.kind = 'user'));
        told.ontology := CASE WHEN words IS NULL THEN told.ontology - 'instructions' ELSE jsonb_set(told.ontology, '{instructions}', to_jsonb(words)) END;
        UPDATE annals.groups g SET ontology = told.ontology WHERE g.group_id = told.group_id;
        instructed := instructed + 1;
    END LOOP;
    RETURN instructed;
END
$$;
COMMENT ON FUNCTION annals_internal.apply_instructions(text, text) IS 'Sets the instructions of the groups of a namespace, or of one group, in their ontologies.';

CREATE TABLE annals_internal.templates (
    group_id text NOT NULL CHECK (group_id <> ''),
    id text NOT NULL CHECK (id <> '' AND octet_length(id) <= 512),
    template text NOT NULL CHECK (template <> '' AND octet_length(template) <= 8192),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals_internal.templates IS 'Templates of context strings that an application stores.';
COMMENT ON COLUMN annals_internal.templates.group_id IS 'Namespace of the application.';
COMMENT ON COLUMN annals_internal.templates.id IS 'Name of the template.';
COMMENT ON COLUMN annals_internal.templates.template IS 'Text of the template, as the application wrote it.';
COMMENT ON COLUMN annals_internal.templates.created_at IS 'Time it was created.';
COMMENT ON COLUMN annals_internal.templates.updated_at IS 'Time it was last changed.';

CREATE TABLE annals_internal.batches (
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
COMMENT ON TABLE annals_internal.batches IS 'Batches in which an application collects episodes for several groups before adding them.';
COMMENT ON COLUMN annals_internal.batches.group_id IS 'Namespace of the application.';
COMMENT ON COLUMN annals_internal.batches.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals_internal.batches.metadata IS 'JSON object of the application, returned unchanged.';
COMMENT ON COLUMN annals_internal.batches.ignored_roles IS 'Roles whose messages are stored but not read into the graph.';
COMMENT ON COLUMN annals_internal.batches.groups IS 'The groups that its items are for.';
COMMENT ON COLUMN annals_internal.batches.items IS 'Number of items that were ever added.';
COMMENT ON COLUMN annals_internal.batches.created_at IS 'Time it was created.';
COMMENT ON COLUMN annals_internal.batches.updated_at IS 'Time something was last added.';
COMMENT ON COLUMN annals_internal.batches.processed_at IS 'Time its items were added to their groups; NULL: not yet.';

-- Items belong to their target group, and are deleted with it.
CREATE TABLE annals_internal.batch_items (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    batch_id uuid NOT NULL,
    place integer NOT NULL,
    episode_id uuid NOT NULL,
    item jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, batch_id, place)
);
COMMENT ON TABLE annals_internal.batch_items IS 'The items of batches, each with its target group.';
COMMENT ON COLUMN annals_internal.batch_items.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.batch_items.batch_id IS 'The batch.';
COMMENT ON COLUMN annals_internal.batch_items.place IS 'Position in the batch, from 0.';
COMMENT ON COLUMN annals_internal.batch_items.episode_id IS 'The episode that it becomes.';
COMMENT ON COLUMN annals_internal.batch_items.item IS 'The episode as JSON until it is added; then the data still to be reported.';
COMMENT ON COLUMN annals_internal.batch_items.created_at IS 'Time it was added to the batch.';

-- Removes the name of a deleted group from batches. In a cluster, batches lie on
-- another server than the group, and annals_internal.erase_group does it.
CREATE FUNCTION annals_internal.leave_batches() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_internal.check_tenant(OLD.group_id);
    IF current_setting('annals.distributed', true) = 'on' THEN
        RETURN NULL;
    END IF;
    UPDATE annals_internal.batches SET groups = array_remove(groups, OLD.group_id) WHERE OLD.group_id = ANY (groups);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.leave_batches() IS 'Trigger: removes the name of a deleted group from batches.';

CREATE TRIGGER leave_batches AFTER DELETE ON annals.groups FOR EACH ROW EXECUTE FUNCTION annals_internal.leave_batches();
COMMENT ON TRIGGER leave_batches ON annals.groups IS 'Removes the name of a deleted group from batches.';

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
COMMENT ON TABLE annals.webhooks IS 'Receivers of events about the episodes of a group.';
COMMENT ON COLUMN annals.webhooks.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.webhooks.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.webhooks.url IS 'Address that deliveries are sent to.';
COMMENT ON COLUMN annals.webhooks.events IS 'The events that it receives.';
COMMENT ON COLUMN annals.webhooks.secret IS 'The key that signs deliveries, stored in plain because signing needs it.';
COMMENT ON COLUMN annals.webhooks.created_at IS 'Time it was created.';

CREATE TABLE annals.webhook_deliveries (
    group_id text NOT NULL,
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event text NOT NULL,
    episode_id uuid,
    payload text NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    status integer,
    error text,
    created_at timestamptz NOT NULL DEFAULT now(),
    attempted_at timestamptz,
    PRIMARY KEY (group_id, id),
    FOREIGN KEY (group_id, webhook_id) REFERENCES annals.webhooks ON DELETE CASCADE
);
COMMENT ON TABLE annals.webhook_deliveries IS 'Events to webhooks, kept for a week.';
COMMENT ON COLUMN annals.webhook_deliveries.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.webhook_deliveries.id IS 'Its id, a UUIDv7, which the receiver sees as webhook-id.';
COMMENT ON COLUMN annals.webhook_deliveries.webhook_id IS 'The webhook that receives it.';
COMMENT ON COLUMN annals.webhook_deliveries.event IS 'The event.';
COMMENT ON COLUMN annals.webhook_deliveries.episode_id IS 'The episode that it is about; NULL: several.';
COMMENT ON COLUMN annals.webhook_deliveries.payload IS 'Body, byte for byte as signed and sent.';
COMMENT ON COLUMN annals.webhook_deliveries.state IS
    'State of the delivery: waiting (for its next attempt), delivered, or failed (no more attempts).';
COMMENT ON COLUMN annals.webhook_deliveries.attempts IS 'Number of attempts.';
COMMENT ON COLUMN annals.webhook_deliveries.status IS 'HTTP status of the last response; NULL: none.';
COMMENT ON COLUMN annals.webhook_deliveries.error IS 'Reason for the failure of the last attempt.';
COMMENT ON COLUMN annals.webhook_deliveries.created_at IS 'Time of the event.';
COMMENT ON COLUMN annals.webhook_deliveries.attempted_at IS 'Time of the last attempt.';

CREATE INDEX webhook_deliveries_webhook ON annals.webhook_deliveries (group_id, webhook_id, id);
COMMENT ON INDEX annals.webhook_deliveries_webhook IS 'Lists the deliveries of a webhook by time.';
CREATE INDEX webhook_deliveries_episode ON annals.webhook_deliveries (group_id, episode_id);
COMMENT ON INDEX annals.webhook_deliveries_episode IS 'Finds the deliveries about an episode, to erase them with it.';
CREATE INDEX webhook_deliveries_ended ON annals.webhook_deliveries (created_at) WHERE state <> 'waiting';
COMMENT ON INDEX annals.webhook_deliveries_ended IS 'Finds ended deliveries older than a week, to remove them.';

-- Episodes are processed in the order of their ids. A batch is complete once no
-- episode up to its last waits.
CREATE TABLE annals_internal.webhook_batches (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    first_id uuid NOT NULL,
    last_id uuid NOT NULL,
    episodes integer NOT NULL CHECK (episodes > 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals_internal.webhook_batches IS
    'Episodes that were added together and are not all processed yet, for webhooks that report completed batches.';
COMMENT ON COLUMN annals_internal.webhook_batches.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.webhook_batches.id IS 'Its id, returned when the episodes were added.';
COMMENT ON COLUMN annals_internal.webhook_batches.first_id IS 'The first of its episodes.';
COMMENT ON COLUMN annals_internal.webhook_batches.last_id IS 'The last of its episodes.';
COMMENT ON COLUMN annals_internal.webhook_batches.episodes IS 'Number of episodes.';
COMMENT ON COLUMN annals_internal.webhook_batches.created_at IS 'Time the last of them was added.';

CREATE FUNCTION annals_internal.queue_deliveries(about text, told_event text, told_episode uuid, told jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    WITH delivery AS (
        INSERT INTO annals.webhook_deliveries (group_id, id, webhook_id, event, episode_id, payload)
        SELECT w.group_id, annals_internal.new_id(), w.id, told_event, told_episode, jsonb_build_object('type', told_event,
            'timestamp', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'data', told)::text
        FROM annals.webhooks w
        WHERE w.group_id = about AND told_event = ANY (w.events)
        RETURNING group_id, id
    )
    INSERT INTO annals_internal.river_job (args, kind, max_attempts, queue)
    SELECT jsonb_build_object('group_id', d.group_id, 'delivery_id', d.id), 'webhook', 10, 'webhooks' FROM delivery d;
    IF FOUND THEN
        PERFORM pg_notify('annals_internal.river_insert', '{"queue":"webhooks"}');
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.queue_deliveries(text, text, uuid, jsonb) IS 'Queues deliveries of an event to the webhooks of a group.';

-- Reports the completed batches of a group to its webhooks, and returns their
-- number.
CREATE FUNCTION annals_internal.complete_webhook_batches(told_group text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    batch record;
    told integer := 0;
BEGIN
    PERFORM annals_internal.check_tenant(told_group);
    FOR batch IN
        DELETE FROM annals_internal.webhook_batches b
        WHERE b.group_id = told_group AND NOT EXISTS (
            SELECT FROM annals.episodes e
            WHERE e.group_id = told_group AND e.state IN ('pending', 'processing') AND NOT e.deferred
                AND e.id BETWEEN b.first_id AND b.last_id)
        RETURNING b.*
    LOOP
        PERFORM annals_internal.queue_deliveries(told_group, 'batch.completed', NULL,
            jsonb_build_object('group_id', told_group, 'batch_id', batch.id, 'episodes', batch.episodes));
        told := told + 1;
    END LOOP;
    RETURN told;
END
$$;
COMMENT ON FUNCTION annals_internal.complete_webhook_batches(text) IS
    'Reports the completed batches of a group to its webhooks, and returns their number.';

-- Reports to webhooks that an episode was read or failed, and its batch if
-- complete.
CREATE FUNCTION annals_internal.tell_webhooks() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_internal.check_tenant(NEW.group_id);
    IF EXISTS (SELECT FROM annals.webhooks w WHERE w.group_id = NEW.group_id) THEN
        PERFORM annals_internal.queue_deliveries(NEW.group_id, CASE NEW.state WHEN 'done' THEN 'episode.processed' ELSE 'episode.failed' END, NEW.id,
            jsonb_build_object('group_id', NEW.group_id, 'episode_id', NEW.id, 'external_id', NEW.external_id,
                'thread_id', NEW.thread_id, 'attempts', NEW.attempts));
        IF EXISTS (SELECT FROM annals_internal.webhook_batches b WHERE b.group_id = NEW.group_id) THEN
            PERFORM annals_internal.complete_webhook_batches(NEW.group_id);
        END IF;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.tell_webhooks() IS 'Trigger: reports the outcome of an episode to webhooks.';

-- processed_at is set when an episode is placed again after an undo: it was
-- reported before.
CREATE TRIGGER tell_webhooks AFTER UPDATE OF state ON annals.episodes
    FOR EACH ROW WHEN (OLD.state = 'processing' AND NEW.state IN ('done', 'failed') AND OLD.processed_at IS NULL)
    EXECUTE FUNCTION annals_internal.tell_webhooks();
COMMENT ON TRIGGER tell_webhooks ON annals.episodes IS 'Reports to webhooks that an episode was read or failed.';

REVOKE EXECUTE ON FUNCTION annals_internal.queue_deliveries(text, text, uuid, jsonb), annals_internal.complete_webhook_batches(text), annals_internal.tell_webhooks(),
    annals_internal.leave_batches() FROM PUBLIC;

CALL annals_internal.end_migration(11, 'service');

-- +goose StatementEnd
-- +goose Down

DROP TRIGGER tell_webhooks ON annals.episodes;
DROP FUNCTION annals_internal.tell_webhooks, annals_internal.complete_webhook_batches, annals_internal.queue_deliveries;
DROP TABLE annals_internal.webhook_batches, annals.webhook_deliveries, annals.webhooks;
DROP TRIGGER leave_batches ON annals.groups;
DROP FUNCTION annals_internal.leave_batches;
DROP VIEW annals_internal.user_rows;
DROP INDEX annals.groups_named, annals.threads_named;
DROP FUNCTION annals.withdrawn_statements, annals_internal.named_uuid;
DROP FUNCTION annals_internal.apply_instructions;
DROP TABLE annals_internal.batch_items, annals_internal.batches, annals_internal.templates, annals_internal.instructions, annals_internal.replies, annals_internal.api_keys,
    annals.users, annals.traces;
DROP VIEW annals.model_usage;
DROP TABLE annals.model_calls;
DELETE FROM annals.migrations WHERE version = 11;
