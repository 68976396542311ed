-- Webhooks: who is told of what becomes of a group's episodes. A trigger writes
-- down each delivery with the change that it tells of; workers deliver.
--
-- +goose Up

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
CREATE INDEX webhook_deliveries_webhook ON annals.webhook_deliveries (group_id, webhook_id, id);
CREATE INDEX webhook_deliveries_episode ON annals.webhook_deliveries (group_id, episode_id);
CREATE INDEX webhook_deliveries_ended ON annals.webhook_deliveries (created_at) WHERE state <> 'waiting';

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

-- +goose StatementBegin
CREATE FUNCTION annals_queue.deliver(about text, told_event text, told_episode uuid, told jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = '' AS $$
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

-- Tells of the batches of a group that are read, and says how many they were.
CREATE FUNCTION annals.complete_webhook_batches(told_group text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
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

-- Tells of an episode that came into the graph, or failed, and of its batch.
CREATE FUNCTION annals.tell_webhooks() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
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
-- +goose StatementEnd

REVOKE EXECUTE ON FUNCTION annals_queue.deliver(text, text, uuid, jsonb), annals.complete_webhook_batches(text), annals.tell_webhooks() FROM PUBLIC;

COMMENT ON FUNCTION annals_queue.deliver(text, text, uuid, jsonb) IS 'Has the webhooks of a group be told of an event.';
COMMENT ON FUNCTION annals.complete_webhook_batches(text) IS 'Tells webhooks of the batches of a group that are read.';
COMMENT ON FUNCTION annals.tell_webhooks() IS 'Trigger: tells webhooks what became of an episode.';

-- One that is placed anew, because an earlier one was taken back, came before.
CREATE TRIGGER tell_webhooks AFTER UPDATE OF state ON annals.episodes
    FOR EACH ROW WHEN (OLD.state = 'processing' AND NEW.state IN ('done', 'failed') AND OLD.processed_at IS NULL)
    EXECUTE FUNCTION annals.tell_webhooks();

-- +goose Down

DROP TRIGGER tell_webhooks ON annals.episodes;
DROP FUNCTION annals.tell_webhooks(), annals.complete_webhook_batches(text), annals_queue.deliver(text, text, uuid, jsonb);
DROP TABLE annals.webhook_batches;
DROP TABLE annals.webhook_deliveries;
DROP TABLE annals.webhooks;
