-- The memory graph in plain tables: episodes, the entities and facts read from
-- them, communities, and what ties these together. Every key begins with
-- group_id: the rows of a group live together, and the schema can be
-- distributed by it.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(2);

CREATE TABLE annals.groups (
    group_id text PRIMARY KEY CHECK (group_id <> ''),
    kind annals.group_kind NOT NULL DEFAULT 'graph',
    text_search text NOT NULL,
    text_search_from text NOT NULL CONSTRAINT groups_text_search_from CHECK (text_search_from IN ('default', 'detected', 'set')),
    created_at timestamptz NOT NULL DEFAULT now(),
    ontology jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(ontology) = 'object'),
    name text NOT NULL DEFAULT '',
    description text NOT NULL DEFAULT '',
    time_zone text NOT NULL DEFAULT '',
    updated_at timestamptz NOT NULL DEFAULT now(),
    written_at timestamptz,
    copy_of bytea,
    hold_assistants boolean NOT NULL DEFAULT false,
    hold_documents boolean NOT NULL DEFAULT false,
    hold_threads text[] NOT NULL DEFAULT '{}' CHECK (cardinality(hold_threads) <= 1000 AND array_position(hold_threads, '') IS NULL AND array_position(hold_threads, NULL) IS NULL),
    records_succeed boolean NOT NULL DEFAULT false,
    proof_of_skills integer NOT NULL DEFAULT 0 CHECK (proof_of_skills BETWEEN 0 AND 1000),
    hold_doors text[] NOT NULL DEFAULT '{}' CHECK (cardinality(hold_doors) <= 1000 AND array_position(hold_doors, '') IS NULL AND array_position(hold_doors, NULL) IS NULL),
    hold_roles text[] NOT NULL DEFAULT '{}' CHECK (cardinality(hold_roles) <= 1000 AND array_position(hold_roles, '') IS NULL AND array_position(hold_roles, NULL) IS NULL),
    hold_sources text[] NOT NULL DEFAULT '{}' CHECK (cardinality(hold_sources) <= 1000 AND array_position(hold_sources, '') IS NULL AND array_position(hold_sources, NULL) IS NULL),
    hold_relations text[] NOT NULL DEFAULT '{}' CHECK (cardinality(hold_relations) <= 1000 AND array_position(hold_relations, '') IS NULL AND array_position(hold_relations, NULL) IS NULL),
    holds_origins boolean NOT NULL GENERATED ALWAYS AS (hold_doors <> '{}' OR hold_roles <> '{}' OR hold_sources <> '{}') STORED,
    holds_episodes boolean NOT NULL GENERATED ALWAYS AS (hold_documents OR hold_threads <> '{}' OR hold_doors <> '{}' OR hold_roles <> '{}' OR hold_sources <> '{}') STORED,
    holds boolean NOT NULL GENERATED ALWAYS AS (hold_assistants OR hold_documents OR hold_threads <> '{}' OR hold_doors <> '{}' OR hold_roles <> '{}' OR hold_sources <> '{}' OR hold_relations <> '{}') STORED
);
COMMENT ON TABLE annals.groups IS 'One row per memory: of a user, a team, an agent. The first write that names a group creates it.';
COMMENT ON COLUMN annals.groups.group_id IS 'Name of the memory, which its rows in all other tables carry.';
COMMENT ON COLUMN annals.groups.kind IS 'Kind of memory: that of a user, or any other graph.';
COMMENT ON COLUMN annals.groups.text_search IS 'Name of the text search configuration that splits its texts into words. A regconfig would be a number, which is another one on each server of a cluster. Where it is left out, annals.english until the language is detected.';
COMMENT ON COLUMN annals.groups.text_search_from IS 'Where text_search comes from: the default until the language is known, detected in the first fifty episodes, or set by somebody, which is never changed.';
COMMENT ON COLUMN annals.groups.created_at IS 'Time it was created.';
COMMENT ON COLUMN annals.groups.ontology IS 'The types of entities and facts to look for, and instructions for reading, as JSON.';
COMMENT ON COLUMN annals.groups.name IS 'A title; may be empty.';
COMMENT ON COLUMN annals.groups.description IS 'A description in words; may be empty.';
COMMENT ON COLUMN annals.groups.time_zone IS 'IANA time zone of the person it is about; may be empty.';
COMMENT ON COLUMN annals.groups.copy_of IS 'Keyed hash of the group that it was cloned or imported from; NULL: it is no copy.';
COMMENT ON COLUMN annals.groups.updated_at IS 'Time the name, description or time zone was last changed.';
COMMENT ON COLUMN annals.groups.hold_assistants IS 'True if what assistants say stays a candidate until a user or a person confirms it.';
COMMENT ON COLUMN annals.groups.hold_documents IS 'True if documents, and what tools and systems say, are in quarantine until they are released.';
COMMENT ON COLUMN annals.groups.records_succeed IS 'True if a record of a later time, of a tool or in a document, ends what a user said of an earlier one.';
COMMENT ON COLUMN annals.groups.proof_of_skills IS 'How often in a row a procedure must have worked to be confirmed without a review; 0: always by hand.';
COMMENT ON COLUMN annals.groups.hold_threads IS 'The conversations whose documents, and what tools and systems say there, are in quarantine until they are released.';
COMMENT ON COLUMN annals.groups.hold_doors IS 'The ways in by which what is said is in quarantine until it is released.';
COMMENT ON COLUMN annals.groups.hold_roles IS 'The roles whose words are in quarantine until they are released.';
COMMENT ON COLUMN annals.groups.hold_sources IS 'The source descriptions, such as names of files, whose texts are in quarantine until they are released.';
COMMENT ON COLUMN annals.groups.hold_relations IS 'The relations whose facts stay candidates until they are confirmed, whoever states them.';
COMMENT ON COLUMN annals.groups.holds_origins IS 'Whether a door, a role or a source is held.';
COMMENT ON COLUMN annals.groups.holds_episodes IS 'Whether anything said may be in quarantine.';
COMMENT ON COLUMN annals.groups.holds IS 'Whether anything is withheld.';
COMMENT ON COLUMN annals.groups.written_at IS
    'Time of the last write to its graph, on the recorded axis; the next has a later one, whatever the clock says. NULL: there was none.';

-- Begins a write to the graph of a group, under the group's lock: the time of
-- the transaction on the recorded axis is later than that of every earlier
-- write, also after the clock of the server was set back. An origin says who
-- writes. Where it is judged, triggers let facts pass that were withdrawn: the
-- writer asks about them itself, or they were believed before. A time is given where
-- something is told as if it had been learned then, as the sample conversation is.
CREATE FUNCTION annals_internal.begin_write(group_id text, origin text, judged boolean, at timestamptz DEFAULT NULL) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    began timestamptz := coalesce(begin_write.at, clock_timestamp());
BEGIN
    UPDATE annals.groups g SET written_at = greatest(began, annals_internal.seconds_after(g.written_at, 0.000001))
    WHERE g.group_id = begin_write.group_id
    RETURNING g.written_at INTO began;
    began := coalesce(began, clock_timestamp());
    PERFORM annals_internal.set_local('annals.clock', began::text);
    IF begin_write.origin IS NOT NULL THEN
        PERFORM annals_internal.set_local('annals.origin', begin_write.origin);
    END IF;
    IF begin_write.judged THEN
        PERFORM annals_internal.set_local('annals.judged', 'on');
    END IF;
    RETURN began;
END
$$;
COMMENT ON FUNCTION annals_internal.begin_write(text, text, boolean, timestamptz) IS
    'Begins a write to the graph of a group, and returns its time on the recorded axis, which is later than that of every earlier write.';

CREATE INDEX groups_namespace ON annals.groups (split_part(group_id, ':', 1), group_id);
COMMENT ON INDEX annals.groups_namespace IS 'Finds the groups of a namespace: those whose names begin with it and a colon.';

CREATE FUNCTION annals_internal.rejection_key(said text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256(convert_to(annals_internal.fold_text(said), 'UTF8'));
COMMENT ON FUNCTION annals_internal.rejection_key(text) IS 'Computes the key by which rejections know what stated them: who spoke, a space, and what, folded.';

CREATE FUNCTION annals_internal.is_run(content text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    run jsonb;
BEGIN
    run := content;
    RETURN coalesce(jsonb_typeof(run) = 'object' AND run->>'task' ~ '\S' AND jsonb_typeof(coalesce(nullif(run->'steps', 'null'), '[]')) = 'array'
        AND jsonb_typeof(coalesce(run->'environment', '{}')) = 'object' AND jsonb_typeof(coalesce(run->'score', '0')) = 'number' AND coalesce((run->>'score')::numeric, 0) BETWEEN 0 AND 1
        AND coalesce(run->>'outcome', 'unknown') IN ('', 'success', 'failure', 'unknown')
        AND NOT jsonb_path_exists(run, 'strict $ ? (exists($.environment.* ? (@.type() != "string" && @ != null))
            || exists($.steps[*] ? (@.type() != "object" && @ != null || exists(@.duration_ms ? (@.type() != "number" && @ != null || @.floor() != @))))
            || exists($.duration_ms ? (@.type() != "number" && @ != null || @.floor() != @))
            || exists($.input_tokens ? (@.type() != "number" && @ != null || @.floor() != @))
            || exists($.output_tokens ? (@.type() != "number" && @ != null || @.floor() != @)))'), false);
EXCEPTION WHEN data_exception THEN
    RETURN false;
END
$$;
COMMENT ON FUNCTION annals_internal.is_run(text) IS 'Tells whether a text is the record of a run: a JSON object with a task, and with steps that are objects, an environment of texts, whole numbers and an outcome if it has them.';

CREATE TABLE annals.episodes (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    source annals.episode_source NOT NULL DEFAULT 'message',
    content text NOT NULL CHECK (content <> ''),
    actor text NOT NULL DEFAULT '',
    role text NOT NULL DEFAULT '',
    name text NOT NULL DEFAULT '',
    source_description text NOT NULL DEFAULT '',
    thread_id text NOT NULL DEFAULT '',
    occurred_at timestamptz NOT NULL DEFAULT now()
        CHECK (occurred_at >= '0001-01-01 UTC' AND occurred_at < '10000-01-01 UTC'),
    created_at timestamptz NOT NULL DEFAULT now(),
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    external_id text CHECK (external_id <> ''),
    content_hash bytea NOT NULL,
    state annals.episode_state NOT NULL DEFAULT 'pending',
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    error text CHECK ((error IS NOT NULL) = (state = 'failed')),
    terms tsvector NOT NULL DEFAULT '',
    length integer NOT NULL DEFAULT 0,
    left_out integer NOT NULL DEFAULT 0,
    deferred boolean NOT NULL DEFAULT false,
    previous integer CHECK (previous BETWEEN 0 AND 100),
    processed_at timestamptz,
    trace_context jsonb CHECK (jsonb_typeof(trace_context) = 'object'),
    door text NOT NULL DEFAULT annals_internal.write_origin()->>'door',
    written_by text NOT NULL DEFAULT annals_internal.write_origin()->>'written_by',
    authority annals.authority NOT NULL,
    said_key bytea NOT NULL GENERATED ALWAYS AS (annals_internal.rejection_key(actor || ' ' || content)) STORED,
    asks boolean NOT NULL GENERATED ALWAYS AS (content LIKE '%?' OR content LIKE '% ' AND rtrim(content) LIKE '%?') STORED,
    says_when boolean NOT NULL GENERATED ALWAYS AS (content ~* '\m(yesterday|today|tonight|tomorrow|ago|last|next|week|weekend|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|since|[0-9]{4})\M') STORED,
    PRIMARY KEY (group_id, id),
    CONSTRAINT episodes_external_id UNIQUE (group_id, external_id),
    CONSTRAINT episodes_run CHECK (source <> 'run' OR annals_internal.is_run(content))
);
COMMENT ON TABLE annals.episodes IS 'What was taken in, word for word. Everything derived from it refers back to it.';
COMMENT ON COLUMN annals.episodes.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.episodes.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.episodes.source IS 'The form in which it arrived: message, text, json, or run: what an agent did.';
COMMENT ON COLUMN annals.episodes.content IS 'The text itself.';
COMMENT ON COLUMN annals.episodes.actor IS 'Name of the speaker or author; may be empty.';
COMMENT ON COLUMN annals.episodes.role IS 'Role of the speaker: user, assistant, system, tool …; may be empty.';
COMMENT ON COLUMN annals.episodes.name IS 'A title; may be empty.';
COMMENT ON COLUMN annals.episodes.source_description IS 'Description of where it comes from; may be empty.';
COMMENT ON COLUMN annals.episodes.thread_id IS 'The conversation it belongs to; may be empty.';
COMMENT ON COLUMN annals.episodes.occurred_at IS 'Time it was said. Relative dates in the text are read against this time.';
COMMENT ON COLUMN annals.episodes.created_at IS 'Time it was taken in.';
COMMENT ON COLUMN annals.episodes.metadata IS 'JSON object of the caller, returned unchanged.';
COMMENT ON COLUMN annals.episodes.external_id IS
    'Id that the caller gave it, unique in the group: adding the same id again changes nothing.';
COMMENT ON COLUMN annals.episodes.content_hash IS 'SHA-256 of the content, kept by a trigger.';
COMMENT ON COLUMN annals.episodes.state IS 'Progress into the graph: pending, processing, done or failed.';
COMMENT ON COLUMN annals.episodes.attempts IS 'Number of times processing was started since it arrived, or since the last retry.';
COMMENT ON COLUMN annals.episodes.error IS 'Reason of the failure; NULL unless it failed.';
COMMENT ON COLUMN annals.episodes.terms IS 'Its words as text search splits them, for ranking by BM25. Kept by a trigger.';
COMMENT ON COLUMN annals.episodes.length IS 'Number of terms in it; of a long one, in its longest passage. Kept by a trigger.';
COMMENT ON COLUMN annals.episodes.left_out IS 'Number of different terms by which it is not found, as it has more than fit; 0 but for texts such as long lists of numbers. Kept by a trigger.';
COMMENT ON COLUMN annals.episodes.deferred IS 'True if no model reads it until a retry asks for that; it can be searched all the same.';
COMMENT ON COLUMN annals.episodes.previous IS
    'Number of earlier messages of its thread that the model is shown with it; NULL: the default of the engine.';
COMMENT ON COLUMN annals.episodes.processed_at IS 'Time it came into the graph, on the recorded axis; NULL: not yet.';
COMMENT ON COLUMN annals.episodes.trace_context IS
    'W3C Trace Context (traceparent, tracestate) of the request that stored it; NULL: the request was not traced.';
COMMENT ON COLUMN annals.episodes.door IS 'The way it came in: library, cli, rest, otlp, mcp, zep, graphiti, agent, import or sql.';
COMMENT ON COLUMN annals.episodes.written_by IS 'The API key, or the user of the database, that stored it; may be empty.';
COMMENT ON COLUMN annals.episodes.authority IS 'Whose word it is, at most that of the door and the key it came by.';
COMMENT ON COLUMN annals.episodes.said_key IS 'Key by which rejections know it: of who spoke and what, folded.';
COMMENT ON COLUMN annals.episodes.asks IS 'Whether it ends in a question mark.';
COMMENT ON COLUMN annals.episodes.says_when IS 'Whether it has a word for a time.';

CREATE INDEX episodes_waiting ON annals.episodes (group_id, id) WHERE state IN ('pending', 'processing') AND NOT deferred;
COMMENT ON INDEX annals.episodes_waiting IS 'Finds the next episode of a group that waits to be read.';
CREATE INDEX episodes_unread ON annals.episodes (group_id, state, occurred_at, id) WHERE state <> 'done';
COMMENT ON INDEX annals.episodes_unread IS 'Finds the episodes of a group that are pending, being processed or failed, by time.';
CREATE INDEX episodes_deferred ON annals.episodes (group_id, id) WHERE deferred;
COMMENT ON INDEX annals.episodes_deferred IS 'Finds the episodes that wait for a retry to ask for them.';
CREATE INDEX episodes_thread ON annals.episodes (group_id, thread_id, occurred_at, id) INCLUDE (length, role, actor, asks, says_when);
COMMENT ON INDEX annals.episodes_thread IS 'Finds the messages of a conversation by time; with what ranks them beside their words, without reading the table.';
CREATE INDEX episodes_occurred ON annals.episodes (group_id, occurred_at, id);
COMMENT ON INDEX annals.episodes_occurred IS 'Finds the latest episodes of a group, and those before a time.';

CREATE INDEX episodes_actor ON annals.episodes (group_id, actor);
COMMENT ON INDEX annals.episodes_actor IS 'Finds the speakers of a group, by hopping from one to the next.';
CREATE INDEX episodes_user ON annals.episodes (group_id, (metadata->>'user_id')) WHERE metadata->>'user_id' IS NOT NULL;
COMMENT ON INDEX annals.episodes_user IS 'Finds what belongs to a user, where a group is of several.';
CREATE INDEX episodes_agent ON annals.episodes (group_id, (metadata->>'agent_id')) WHERE metadata->>'agent_id' IS NOT NULL;
COMMENT ON INDEX annals.episodes_agent IS 'Finds what belongs to an agent, where a group is of several.';
CREATE INDEX episodes_run ON annals.episodes (group_id, (metadata->>'run_id')) WHERE metadata->>'run_id' IS NOT NULL;
COMMENT ON INDEX annals.episodes_run IS 'Finds what belongs to a run of an agent.';
CREATE INDEX episodes_processed ON annals.episodes (group_id, processed_at, id) WHERE processed_at IS NOT NULL;
COMMENT ON INDEX annals.episodes_processed IS 'Finds the episodes that came into the graph since a time.';

-- The views *_rows are what the library reads of a table.
CREATE VIEW annals_internal.group_rows WITH (security_invoker = true) AS
SELECT g.group_id, g.kind, g.name, g.description, g.time_zone, g.created_at, g.updated_at, split_part(g.text_search, '.', -1) AS language, g.text_search_from
FROM annals.groups g;
COMMENT ON VIEW annals_internal.group_rows IS 'Groups, without their ontologies.';
COMMENT ON COLUMN annals_internal.group_rows.group_id IS 'Name of the memory.';
COMMENT ON COLUMN annals_internal.group_rows.kind IS 'Kind of memory: that of a user, or any other graph.';
COMMENT ON COLUMN annals_internal.group_rows.name IS 'A title; may be empty.';
COMMENT ON COLUMN annals_internal.group_rows.description IS 'A description in words; may be empty.';
COMMENT ON COLUMN annals_internal.group_rows.time_zone IS 'IANA time zone of the person it is about; may be empty.';
COMMENT ON COLUMN annals_internal.group_rows.created_at IS 'Time it was created.';
COMMENT ON COLUMN annals_internal.group_rows.language IS 'Language whose words are found in all their forms.';
COMMENT ON COLUMN annals_internal.group_rows.text_search_from IS 'Where that comes from: default, detected or set.';
COMMENT ON COLUMN annals_internal.group_rows.updated_at IS 'Time the name, description or time zone was last changed.';

-- What people and programs note about what is remembered. A mark is set and ended,
-- never changed. It outlives what it is of, so that what was shown at an earlier time
-- is known; erasing removes it.
CREATE TABLE annals.marks (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    kind annals.kind NOT NULL,
    subject_id uuid NOT NULL,
    mark text NOT NULL CHECK (mark IN ('expires', 'pinned', 'useful', 'wrong', 'outdated')),
    expires_at timestamptz,
    since timestamptz NOT NULL DEFAULT annals_internal.recorded_now(),
    until timestamptz,
    door text NOT NULL DEFAULT annals_internal.write_origin()->>'door',
    written_by text NOT NULL DEFAULT annals_internal.write_origin()->>'written_by',
    authority annals.authority NOT NULL DEFAULT (annals_internal.write_origin()->>'authority')::annals.authority,
    ended_door text,
    ended_by text,
    swept_at timestamptz,
    PRIMARY KEY (group_id, id),
    CONSTRAINT marks_expires CHECK ((mark = 'expires') = (expires_at IS NOT NULL)),
    CONSTRAINT marks_kind CHECK (kind IN ('fact', 'episode') OR kind = 'entity' AND mark = 'pinned' OR kind = 'skill' AND mark IN ('useful', 'wrong', 'outdated')),
    CONSTRAINT marks_ended CHECK (until > since)
);
COMMENT ON TABLE annals.marks IS 'When facts and episodes expire, what is pinned, and which facts, episodes and skills somebody found useful, wrong or outdated. Set by annals.mark().';
COMMENT ON COLUMN annals.marks.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.marks.id IS 'Its id.';
COMMENT ON COLUMN annals.marks.kind IS 'Whether it is of a fact, an episode, an entity or a skill.';
COMMENT ON COLUMN annals.marks.subject_id IS 'What it is of, which may be gone.';
COMMENT ON COLUMN annals.marks.mark IS 'expires, pinned, useful, wrong or outdated.';
COMMENT ON COLUMN annals.marks.expires_at IS 'Time from which on it is hidden; NULL unless mark is expires.';
COMMENT ON COLUMN annals.marks.since IS 'Time it was set, on the recorded axis.';
COMMENT ON COLUMN annals.marks.until IS 'Time it was ended, on the recorded axis; NULL: it stands.';
COMMENT ON COLUMN annals.marks.door IS 'The way it came in: library, cli, rest, otlp, mcp, zep, graphiti, agent or sql.';
COMMENT ON COLUMN annals.marks.written_by IS 'The API key, or the user of the database, that set it; may be empty.';
COMMENT ON COLUMN annals.marks.authority IS 'The authority it was set with.';
COMMENT ON COLUMN annals.marks.ended_door IS 'The way by which it was ended; NULL: it stands.';
COMMENT ON COLUMN annals.marks.ended_by IS 'The API key, or the user of the database, that ended it; NULL: it stands.';
COMMENT ON COLUMN annals.marks.swept_at IS 'Time what had expired was taken out; NULL: it was not.';

CREATE UNIQUE INDEX marks_one ON annals.marks (group_id, subject_id, mark) WHERE until IS NULL AND mark IN ('expires', 'pinned');
COMMENT ON INDEX annals.marks_one IS 'Lets one expiry and one pin of a thing stand.';
CREATE UNIQUE INDEX marks_verdict ON annals.marks (group_id, subject_id, written_by) WHERE until IS NULL AND mark IN ('useful', 'wrong', 'outdated');
COMMENT ON INDEX annals.marks_verdict IS 'Lets one judgement of a thing stand for each who judges.';
CREATE INDEX marks_subject ON annals.marks (group_id, subject_id, since);
COMMENT ON INDEX annals.marks_subject IS 'Finds the marks of a thing, those that were ended among them.';
CREATE INDEX marks_named ON annals.marks (group_id, mark, since);
COMMENT ON INDEX annals.marks_named IS 'Tells whether a group has any of a mark, and finds what is pinned.';
CREATE INDEX marks_due ON annals.marks (expires_at, group_id) WHERE mark = 'expires' AND until IS NULL AND swept_at IS NULL;
COMMENT ON INDEX annals.marks_due IS 'Finds what has expired and is to be taken out.';
CREATE INDEX marks_expiring ON annals.marks (group_id, expires_at) WHERE mark = 'expires' AND until IS NULL;
COMMENT ON INDEX annals.marks_expiring IS 'Finds what of a group has expired at a time.';

CREATE VIEW annals_internal.expired_marks WITH (security_invoker = true) AS
SELECT m.group_id, m.kind, m.subject_id, m.expires_at
FROM annals.marks m
WHERE m.mark = 'expires' AND m.until IS NULL AND m.swept_at IS NULL AND m.expires_at <= now();
COMMENT ON VIEW annals_internal.expired_marks IS
    'What was set to expire by now and is still there. Most groups have nothing of it: what is read often looks here before it asks annals_internal.expired().';
COMMENT ON COLUMN annals_internal.expired_marks.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.expired_marks.kind IS 'Whether it is a fact or an episode.';
COMMENT ON COLUMN annals_internal.expired_marks.subject_id IS 'What has expired.';
COMMENT ON COLUMN annals_internal.expired_marks.expires_at IS 'Time it expired.';

-- Returns what of a group is hidden at a time, or will be then: what was said to
-- expire by then, and what only such episodes support, unless a person told or
-- changed it. An expiry is set for a time to come and changed before it, so the last
-- says what was hidden at any time.
CREATE FUNCTION annals_internal.expiring(group_id text, kind annals.kind, at timestamptz) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    gone CONSTANT uuid[] := ARRAY(SELECT m.subject_id FROM annals.marks m
        WHERE m.group_id = $1 AND m.kind = 'episode' AND m.mark = 'expires' AND m.until IS NULL AND m.expires_at <= at);
    past CONSTANT boolean := at < now();
BEGIN
    CASE $2
        WHEN 'episode' THEN
            RETURN QUERY SELECT unnest(gone);
        WHEN 'fact' THEN
            RETURN QUERY
            SELECT m.subject_id FROM annals.marks m
            WHERE m.group_id = $1 AND m.kind = 'fact' AND m.mark = 'expires' AND m.until IS NULL AND m.expires_at <= at
            UNION
            SELECT s.fact_id
            FROM unnest(gone) AS g(id)
            JOIN annals.fact_episodes s ON s.group_id = $1 AND s.episode_id = g.id AND s.role = 'states'
            WHERE NOT EXISTS (
                SELECT FROM annals.fact_episodes o
                WHERE o.group_id = $1 AND o.fact_id = s.fact_id AND o.role <> 'ends' AND NOT o.episode_id = ANY (gone)
                    AND (NOT past OR EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = $1 AND e.id = o.episode_id AND e.processed_at <= at)))
                AND NOT EXISTS (SELECT FROM annals.edits d WHERE d.group_id = $1 AND d.subject_id = s.fact_id AND d.action NOT IN ('sweep', 'confirm', 'unconfirm'))
            UNION
            SELECT h.id FROM annals_internal.facts_history h
            WHERE past AND h.group_id = $1 AND h.recorded @> at AND h.evidence <> '{}' AND h.evidence <@ gone;
        WHEN 'entity' THEN
            RETURN QUERY
            SELECT s.entity_id
            FROM unnest(gone) AS g(id)
            JOIN annals.mentions s ON s.group_id = $1 AND s.episode_id = g.id
            WHERE NOT EXISTS (
                SELECT FROM annals.mentions o
                WHERE o.group_id = $1 AND o.entity_id = s.entity_id AND NOT o.episode_id = ANY (gone)
                    AND (NOT past OR EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = $1 AND e.id = o.episode_id AND e.processed_at <= at)))
                AND NOT EXISTS (
                    SELECT FROM annals.facts f
                    WHERE f.group_id = $1 AND (f.source_id = s.entity_id OR f.target_id = s.entity_id)
                        AND f.id NOT IN (SELECT annals_internal.expiring($1, 'fact', at)))
                AND NOT EXISTS (SELECT FROM annals.edits d WHERE d.group_id = $1 AND d.subject_id = s.entity_id)
            UNION
            SELECT h.id FROM annals_internal.entities_history h
            WHERE past AND h.group_id = $1 AND h.recorded @> at AND h.evidence <> '{}' AND h.evidence <@ gone;
        ELSE
            RETURN;
    END CASE;
END
$$;
COMMENT ON FUNCTION annals_internal.expiring(text, annals.kind, timestamptz) IS
    'Returns the episodes, facts or entities of a group that are hidden at a time: they expired by then, or only episodes that did support them.';

-- Returns what readers leave out. A transaction that writes to the graph sees all
-- that is there. Where nothing has expired it looks no further.
CREATE FUNCTION annals_internal.expired(group_id text, kind annals.kind, at timestamptz) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF coalesce(current_setting('annals.writing', true), '') <> 'on' AND EXISTS (
        SELECT FROM annals.marks m
        WHERE m.group_id = $1 AND m.mark = 'expires' AND m.until IS NULL AND m.expires_at <= at
            AND (m.swept_at IS NULL OR m.swept_at > at)) THEN -- what was taken out by then is not there to be hidden
        RETURN QUERY SELECT annals_internal.expiring($1, $2, at);
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.expired(text, annals.kind, timestamptz) IS
    'Returns the episodes, facts or entities of a group that have expired by a time, which readers leave out.';

-- Tells the same of one row, for views, which know no group.
CREATE FUNCTION annals_internal.has_expired(group_id text, kind annals.kind, id uuid) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM annals_internal.expired_marks m WHERE m.group_id = $1 ORDER BY m.expires_at OFFSET 0) THEN
        RETURN false;
    END IF;
    RETURN $3 IN (SELECT annals_internal.expired($1, $2, now()));
END
$$;
COMMENT ON FUNCTION annals_internal.has_expired(text, annals.kind, uuid) IS 'Tells whether an episode, fact or entity has expired, and is hidden now.';

-- Tells whether a rejection stands now, or stood at a time. It is a single expression,
-- which PostgreSQL puts in the place of the call.
CREATE FUNCTION annals_internal.rejected_at(rejected_at timestamptz, lifted_at timestamptz, known_at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN known_at IS NULL THEN lifted_at IS NULL ELSE rejected_at <= known_at AND (lifted_at IS NULL OR lifted_at > known_at) END;
COMMENT ON FUNCTION annals_internal.rejected_at(timestamptz, timestamptz, timestamptz) IS 'Tells whether a rejection stands now, or stood at a time.';

-- Tells whether what an episode says was withdrawn since, or by a time: all of what it
-- states, in part, or nothing (''). Its sentences are looked at only where the group has
-- a rejection that names this episode, or whose words all stand in it; of a text
-- that is longer than its terms reach, always.
CREATE FUNCTION annals_internal.taken_back(group_id text, episode_id uuid, content text, actor text, thread_id text, terms tsvector, said_key bytea, known_at timestamptz DEFAULT NULL) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_variable
DECLARE
    told boolean;
    restated boolean;
    stands boolean;
    words text[];
BEGIN
    IF NOT EXISTS (SELECT FROM annals.rejections r WHERE r.group_id = taken_back.group_id AND annals_internal.rejected_at(r.rejected_at, r.lifted_at, known_at) ORDER BY r.id OFFSET 0) THEN
        RETURN '';
    END IF;
    words := tsvector_to_array(terms);
    SELECT bool_or(said_key = ANY (r.told)), bool_or(r.terms <> '{}' AND (r.terms <@ words OR length(content) > 30000)) INTO told, restated
    FROM annals.rejections r WHERE r.group_id = taken_back.group_id AND annals_internal.rejected_at(r.rejected_at, r.lifted_at, known_at);
    IF NOT told AND NOT restated THEN
        RETURN '';
    END IF;
    stands := annals_internal.states(taken_back.group_id, taken_back.episode_id, NULL, NULL, known_at);
    RETURN CASE
        WHEN told AND stands THEN 'part'
        WHEN told THEN 'all'
        WHEN stands OR NOT EXISTS (SELECT FROM annals_internal.sentences_restating(taken_back.group_id, content, actor, thread_id LIKE 'agent/%', known_at)) THEN ''
        WHEN (SELECT count(*) FROM annals_internal.split_sentences(content)) > 1 THEN 'part'
        ELSE 'all' END;
END
$$;
COMMENT ON FUNCTION annals_internal.taken_back(text, uuid, text, text, text, tsvector, bytea, timestamptz) IS 'Tells whether what an episode says was withdrawn since, or by a time: all, in part, or nothing.';

CREATE FUNCTION annals_internal.set_content_hash() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.content_hash := sha256(convert_to(NEW.content, 'UTF8'));
    IF NEW.authority IS NULL THEN
        NEW.authority := least(annals_internal.authority_of(NEW.source, NEW.role), (annals_internal.write_origin()->>'authority')::annals.authority);
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.set_content_hash() IS
    'Trigger: computes the hash of an episode''s content, and whose word it is where nobody said.';

CREATE TRIGGER content_hash BEFORE INSERT ON annals.episodes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.set_content_hash();
COMMENT ON TRIGGER content_hash ON annals.episodes IS 'Makes content_hash. It stays as it is when the content is changed, so that ''annals verify'' finds that.';

CREATE TABLE annals.threads (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id text NOT NULL CHECK (id <> ''),
    summary text NOT NULL DEFAULT '',
    through_at timestamptz,
    through_id uuid,
    updated_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz,
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    PRIMARY KEY (group_id, id),
    CONSTRAINT threads_through CHECK ((through_at IS NULL) = (through_id IS NULL))
);
COMMENT ON TABLE annals.threads IS 'Conversations, each with a running summary.';
COMMENT ON COLUMN annals.threads.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.threads.id IS 'Name of the conversation.';
COMMENT ON COLUMN annals.threads.summary IS 'Summary of the conversation up to the message through_id.';
COMMENT ON COLUMN annals.threads.through_at IS 'Time of the last message that the summary covers; NULL: there is no summary.';
COMMENT ON COLUMN annals.threads.through_id IS 'The last message that the summary covers; NULL: there is no summary.';
COMMENT ON COLUMN annals.threads.updated_at IS 'Time it was last summarised.';
COMMENT ON COLUMN annals.threads.created_at IS 'Time the application created it; NULL: it is known only from its messages.';
COMMENT ON COLUMN annals.threads.metadata IS 'JSON object of the application, returned unchanged.';

CREATE INDEX threads_id ON annals.threads (id, group_id);
COMMENT ON INDEX annals.threads_id IS 'Finds a conversation by its name alone, without its group.';
CREATE INDEX threads_created ON annals.threads (group_id, created_at, id) WHERE created_at IS NOT NULL;
COMMENT ON INDEX annals.threads_created IS 'Lists the conversations of a group that the application created, by time.';

CREATE TABLE annals.entities (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL CHECK (name <> '' AND octet_length(name) <= 512),
    aliases text[] NOT NULL DEFAULT '{}',
    labels text[] NOT NULL DEFAULT '{}',
    summary text NOT NULL DEFAULT '',
    written text NOT NULL DEFAULT '',
    attributes jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(attributes) = 'object'),
    created_at timestamptz NOT NULL DEFAULT annals_internal.recorded_now(),
    recorded tstzrange NOT NULL DEFAULT tstzrange(annals_internal.recorded_now(), NULL)
        CHECK (NOT isempty(recorded) AND upper_inf(recorded)),
    terms tsvector NOT NULL DEFAULT '',
    length integer NOT NULL DEFAULT 0,
    caused_by uuid[] NOT NULL DEFAULT annals_internal.causing_episodes(),
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals.entities IS
    'The people and things that episodes mention, as known now. An UPDATE or DELETE leaves the old version in entities_history.';
COMMENT ON COLUMN annals.entities.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.entities.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.entities.name IS 'The most complete name known.';
COMMENT ON COLUMN annals.entities.aliases IS 'Other names it goes by.';
COMMENT ON COLUMN annals.entities.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals.entities.summary IS 'Summary of what is known about it, in a few sentences.';
COMMENT ON COLUMN annals.entities.written IS 'What was written of it by hand: its summary begins with it, until a fact that it may tell of goes.';
COMMENT ON COLUMN annals.entities.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.entities.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals.entities.recorded IS
    'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals.entities.terms IS 'Its words as text search splits them, for ranking by BM25. Kept by a trigger.';
COMMENT ON COLUMN annals.entities.length IS 'Number of terms in it. Kept by a trigger.';
COMMENT ON COLUMN annals.entities.caused_by IS 'The episodes whose processing made this version; empty: an edit by hand, or not recorded.';

-- Lists every name of every entity, folded so that case, accents and spacing do
-- not matter. Two entities may share a name.
CREATE TABLE annals_internal.entity_names (
    group_id text NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    entity_id uuid NOT NULL,
    PRIMARY KEY (group_id, name_key, entity_id),
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals_internal.entity_names IS 'Every name of every entity, folded by name_key(). Kept by triggers.';
COMMENT ON COLUMN annals_internal.entity_names.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.entity_names.name_key IS 'The name without regard to case, accents, width and spacing.';
COMMENT ON COLUMN annals_internal.entity_names.entity_id IS 'The entity.';

CREATE INDEX entity_names_entity ON annals_internal.entity_names (group_id, entity_id);
COMMENT ON INDEX annals_internal.entity_names_entity IS 'Finds the names of an entity.';
-- Of the other name of the same collation, so that equality is left to the primary
-- key: trigrams answer it too, ten times as slowly, and look cheaper.
CREATE INDEX entity_names_trigrams ON annals_internal.entity_names USING gist (group_id, name_key COLLATE ucs_basic gist_trgm_ops);
COMMENT ON INDEX annals_internal.entity_names_trigrams IS 'Finds names of a group that are spelled alike.';

CREATE FUNCTION annals_internal.keep_entity_names() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM annals_internal.entity_names WHERE group_id = NEW.group_id AND entity_id = NEW.id;
    INSERT INTO annals_internal.entity_names (group_id, name_key, entity_id)
    SELECT DISTINCT NEW.group_id, annals_internal.name_key(n), NEW.id
    FROM unnest(NEW.aliases || NEW.name) AS n
    WHERE annals_internal.name_key(n) <> '';
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.keep_entity_names() IS 'Trigger: keeps entity_names.';

CREATE TRIGGER names_insert AFTER INSERT ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_entity_names();
COMMENT ON TRIGGER names_insert ON annals.entities IS 'Keeps entity_names: adds the names of a new entity.';
CREATE TRIGGER names_update AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN ((OLD.name, OLD.aliases) IS DISTINCT FROM (NEW.name, NEW.aliases))
    EXECUTE FUNCTION annals_internal.keep_entity_names();
COMMENT ON TRIGGER names_update ON annals.entities IS 'Keeps entity_names: replaces the names of an entity that is renamed.';

CREATE TABLE annals_internal.entity_merges (
    group_id text NOT NULL,
    id uuid NOT NULL,
    merged_into uuid NOT NULL,
    merged_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, id),
    FOREIGN KEY (group_id, merged_into) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals_internal.entity_merges IS 'Ids of entities that were merged into others.';
COMMENT ON COLUMN annals_internal.entity_merges.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.entity_merges.id IS 'The id that no longer exists.';
COMMENT ON COLUMN annals_internal.entity_merges.merged_into IS 'The entity that it stands for now.';
COMMENT ON COLUMN annals_internal.entity_merges.merged_at IS 'Time of the merge.';

CREATE INDEX entity_merges_into ON annals_internal.entity_merges (group_id, merged_into);
COMMENT ON INDEX annals_internal.entity_merges_into IS 'Finds the former ids of an entity.';

CREATE TABLE annals.facts (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    source_id uuid NOT NULL,
    target_id uuid NOT NULL,
    predicate text NOT NULL CHECK (predicate <> ''),
    fact text NOT NULL CHECK (fact <> ''),
    told text NOT NULL DEFAULT '' CHECK (told <> ''),
    ends boolean NOT NULL DEFAULT false,
    attributes jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(attributes) = 'object'),
    valid tstzrange NOT NULL CHECK (NOT isempty(valid)),
    recorded tstzrange NOT NULL DEFAULT tstzrange(annals_internal.recorded_now(), NULL)
        CHECK (NOT isempty(recorded) AND upper_inf(recorded)),
    created_at timestamptz NOT NULL DEFAULT annals_internal.recorded_now(),
    expired_at timestamptz,
    statement_id uuid NOT NULL,
    kind annals.fact_kind NOT NULL DEFAULT 'state',
    from_basis annals.basis NOT NULL DEFAULT 'unknown',
    from_precision annals.exactness NOT NULL DEFAULT 'unknown',
    until_basis annals.basis NOT NULL DEFAULT 'unknown',
    until_precision annals.exactness NOT NULL DEFAULT 'unknown',
    said_at timestamptz,
    bounded_by uuid,
    trust annals.trust NOT NULL DEFAULT 'believed',
    terms tsvector NOT NULL DEFAULT '',
    length integer NOT NULL DEFAULT 0,
    caused_by uuid[] NOT NULL DEFAULT annals_internal.causing_episodes(),
    PRIMARY KEY (group_id, id),
    CONSTRAINT facts_no_self_fact CHECK (source_id <> target_id),
    FOREIGN KEY (group_id, source_id) REFERENCES annals.entities ON DELETE CASCADE,
    FOREIGN KEY (group_id, target_id) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals.facts IS
    'Statements that relate two entities, as believed now. An UPDATE or DELETE leaves the old version in facts_history.';
COMMENT ON COLUMN annals.facts.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.facts.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.facts.source_id IS 'The entity the fact is about.';
COMMENT ON COLUMN annals.facts.target_id IS 'The entity it relates the source to.';
COMMENT ON COLUMN annals.facts.predicate IS 'The relation, in capitals, such as LIVES_IN.';
COMMENT ON COLUMN annals.facts.fact IS 'The fact as one sentence that can be understood on its own.';
COMMENT ON COLUMN annals.facts.told IS 'The sentence for a reader of any later day: what fact says by "last week" or "tomorrow" is said by its date. Where nothing is to be resolved, the same as fact. The engine writes it with fact and said_at; SQL may leave it out, and then it is fact.';
COMMENT ON COLUMN annals.facts.ends IS 'True if the sentence says that something stopped.';
COMMENT ON COLUMN annals.facts.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.facts.valid IS 'Time range in which it was true in the world, half-open; an open side is unknown or ongoing.';
COMMENT ON COLUMN annals.facts.recorded IS 'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals.facts.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals.facts.expired_at IS 'Time we learned that it had ended; NULL: it has not.';
COMMENT ON COLUMN annals.facts.statement_id IS 'Id shared by the facts that one statement produced for several pairs of entities.';
COMMENT ON COLUMN annals.facts.kind IS 'state: it goes on; event: it happens once. What says that something stopped is an event.';
COMMENT ON COLUMN annals.facts.from_basis IS 'How the beginning of valid is known.';
COMMENT ON COLUMN annals.facts.from_precision IS 'How exactly the beginning of valid is known.';
COMMENT ON COLUMN annals.facts.until_basis IS 'How the end of valid is known.';
COMMENT ON COLUMN annals.facts.until_precision IS 'How exactly the end of valid is known.';
COMMENT ON COLUMN annals.facts.said_at IS 'Time it was said first; NULL: it was made by hand.';
COMMENT ON COLUMN annals.facts.bounded_by IS 'The fact that an inferred end of valid comes from.';
COMMENT ON COLUMN annals.facts.trust IS 'Whether it is believed: annals_internal.fact_trust() of it. Kept by triggers; do not write it.';
COMMENT ON COLUMN annals.facts.terms IS 'Its words as text search splits them, for ranking by BM25. Kept by a trigger.';
COMMENT ON COLUMN annals.facts.length IS 'Number of terms in it. Kept by a trigger.';
COMMENT ON COLUMN annals.facts.caused_by IS 'The episodes whose processing made this version; empty: an edit by hand, or not recorded.';

-- Ends are known or open together with their basis, whoever writes the row.
CREATE FUNCTION annals_internal.keep_bounds() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF lower_inf(NEW.valid) THEN
        NEW.from_basis := 'unknown'; NEW.from_precision := 'unknown';
    ELSIF NEW.from_basis = 'unknown' THEN
        NEW.from_basis := 'stated'; NEW.from_precision := 'instant';
    END IF;
    IF upper_inf(NEW.valid) THEN
        NEW.until_basis := 'unknown'; NEW.until_precision := 'unknown';
    ELSIF NEW.until_basis = 'unknown' THEN
        NEW.until_basis := 'stated'; NEW.until_precision := 'instant';
    END IF;
    IF NEW.from_basis <> 'inferred' AND NEW.until_basis = 'unknown' THEN
        NEW.bounded_by := NULL;
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.keep_bounds() IS 'Trigger: an open end of a time is not known, and one that is written by hand is stated.';

CREATE TRIGGER bounds BEFORE INSERT OR UPDATE OF valid ON annals.facts
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_bounds();
COMMENT ON TRIGGER bounds ON annals.facts IS 'Keeps how the ends of valid are known in step with valid.';

-- Only the engine resolves dates. What SQL writes without told is told as it is
-- written, not by dates that belong to another sentence or another day.
CREATE FUNCTION annals_internal.tell_as_written() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.told := NEW.fact;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.tell_as_written() IS 'Trigger: tells a fact as it is written.';

CREATE TRIGGER told_insert BEFORE INSERT ON annals.facts
    FOR EACH ROW WHEN (NEW.told = '') EXECUTE FUNCTION annals_internal.tell_as_written();
COMMENT ON TRIGGER told_insert ON annals.facts IS 'Tells a fact as it is written where no other words are given.';
CREATE TRIGGER told_update BEFORE UPDATE ON annals.facts
    FOR EACH ROW WHEN (NEW.told = '' OR OLD.told = NEW.told AND (OLD.fact, OLD.said_at) IS DISTINCT FROM (NEW.fact, NEW.said_at)
        AND annals_internal.write_origin()->>'door' = 'sql') -- what the engine changes may be told as before
    EXECUTE FUNCTION annals_internal.tell_as_written();
COMMENT ON TRIGGER told_update ON annals.facts IS 'Tells a fact as it is written where SQL changes it and gives no other words.';

CREATE INDEX facts_pair ON annals.facts (group_id, source_id, target_id, id);
COMMENT ON INDEX annals.facts_pair IS 'Finds the facts between two entities.';
CREATE INDEX facts_source ON annals.facts (group_id, source_id, id);
COMMENT ON INDEX annals.facts_source IS 'Finds the newest facts about an entity.';
CREATE INDEX facts_source_predicate ON annals.facts (group_id, source_id, predicate, id);
COMMENT ON INDEX annals.facts_source_predicate IS 'Finds the facts about an entity with one predicate.';
CREATE INDEX facts_target ON annals.facts (group_id, target_id, id);
COMMENT ON INDEX annals.facts_target IS 'Finds the newest facts that lead to an entity.';
CREATE INDEX facts_target_predicate ON annals.facts (group_id, target_id, predicate, id);
COMMENT ON INDEX annals.facts_target_predicate IS 'Finds the facts that lead to an entity with one predicate.';
CREATE INDEX facts_statement ON annals.facts (group_id, statement_id);
COMMENT ON INDEX annals.facts_statement IS 'Finds the facts of one statement.';
CREATE INDEX facts_began ON annals.facts (group_id, coalesce(lower(valid), '-infinity'), id);
COMMENT ON INDEX annals.facts_began IS 'Finds the facts of a group by when they began, for the timeline.';
CREATE INDEX facts_planned ON annals.facts (group_id, coalesce(lower(valid), '-infinity'), id) WHERE lower(valid) > said_at OR from_basis = 'planned';
COMMENT ON INDEX annals.facts_planned IS 'Finds the facts of a group that were planned when they were said, for lists as of an earlier time.';
CREATE INDEX facts_ended ON annals.facts (group_id, upper(valid), id) WHERE NOT upper_inf(valid) AND (kind = 'state' OR lower_inf(valid));
COMMENT ON INDEX annals.facts_ended IS 'Finds the facts of a group by when they ended, for the timeline, and events by when they were over at the latest.';
CREATE INDEX facts_closed ON annals.facts (group_id, id) INCLUDE (valid) WHERE NOT upper_inf(valid) AND kind = 'state';
COMMENT ON INDEX annals.facts_closed IS 'Finds the facts of a group that have an end: searches leave out those that have ended.';

CREATE INDEX facts_ahead ON annals.facts (group_id) WHERE kind = 'state' AND lower(valid) > lower(recorded);
COMMENT ON INDEX annals.facts_ahead IS 'Finds whether a group has facts that were to begin later than they were written down.';

CREATE INDEX facts_not_believed ON annals.facts (group_id, trust, id) WHERE trust <> 'believed';
COMMENT ON INDEX annals.facts_not_believed IS 'Finds the facts of a group that are candidates or disputed.';

CREATE INDEX facts_bounded ON annals.facts (group_id, bounded_by) WHERE bounded_by IS NOT NULL;
COMMENT ON INDEX annals.facts_bounded IS 'Finds the facts that another one gave an end.';

CREATE TABLE annals.rejections (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    source_id uuid,
    predicate text NOT NULL,
    target_id uuid,
    source_keys text[] NOT NULL DEFAULT '{}',
    target_keys text[] NOT NULL DEFAULT '{}',
    fact text NOT NULL DEFAULT '',
    sentence_key text NOT NULL DEFAULT '',
    fact_id uuid NOT NULL,
    episode_id uuid,
    valid tstzrange NOT NULL DEFAULT '(,)',
    said_at timestamptz NOT NULL DEFAULT annals_internal.recorded_now(),
    told bytea[] NOT NULL DEFAULT '{}',
    terms text[] NOT NULL DEFAULT '{}',
    authority annals.authority NOT NULL DEFAULT (annals_internal.write_origin()->>'authority')::annals.authority,
    door text NOT NULL DEFAULT annals_internal.write_origin()->>'door',
    written_by text NOT NULL DEFAULT annals_internal.write_origin()->>'written_by',
    rejected_at timestamptz NOT NULL DEFAULT annals_internal.recorded_now(),
    lifted_at timestamptz,
    lifted_by text,
    PRIMARY KEY (group_id, id),
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE,
    CHECK ((lifted_at IS NULL) = (lifted_by IS NULL))
);
COMMENT ON TABLE annals.rejections IS
    'Facts that were withdrawn, or taken back by an episode: they never held. What says them again is kept as said, and makes no fact.';
COMMENT ON COLUMN annals.rejections.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.rejections.id IS 'Its id.';
COMMENT ON COLUMN annals.rejections.source_id IS 'The entity the fact was about; it may be gone.';
COMMENT ON COLUMN annals.rejections.predicate IS 'The relation, in capitals, such as LIVES_IN.';
COMMENT ON COLUMN annals.rejections.target_id IS 'The entity it related the source to; it may be gone.';
COMMENT ON COLUMN annals.rejections.source_keys IS 'The names of the source, folded.';
COMMENT ON COLUMN annals.rejections.target_keys IS 'The names of the target, folded.';
COMMENT ON COLUMN annals.rejections.fact IS 'The sentence, as it was believed.';
COMMENT ON COLUMN annals.rejections.sentence_key IS 'The sentence, folded.';
COMMENT ON COLUMN annals.rejections.fact_id IS 'Id that the fact had.';
COMMENT ON COLUMN annals.rejections.episode_id IS 'The episode that took it back; NULL: it was withdrawn by hand.';
COMMENT ON COLUMN annals.rejections.valid IS 'Time range for which it was taken back, half-open.';
COMMENT ON COLUMN annals.rejections.said_at IS 'Time it was taken back.';
COMMENT ON COLUMN annals.rejections.told IS 'Keys of the episodes that stated it, by who spoke and what: the same does not state it again.';
COMMENT ON COLUMN annals.rejections.terms IS 'The words of the sentence, as search splits them, without the name of the source. Kept by a trigger.';
COMMENT ON COLUMN annals.rejections.authority IS 'How much the word of whoever took it back counts.';
COMMENT ON COLUMN annals.rejections.door IS 'Interface through which it was taken back.';
COMMENT ON COLUMN annals.rejections.written_by IS 'The key or role that took it back.';
COMMENT ON COLUMN annals.rejections.rejected_at IS 'Time this was recorded.';
COMMENT ON COLUMN annals.rejections.lifted_at IS 'Time it was readmitted; NULL: it stays rejected.';
COMMENT ON COLUMN annals.rejections.lifted_by IS 'Interface and key or role that readmitted it, or the episode: ''episode'' and its id.';

CREATE INDEX rejections_sentence ON annals.rejections (group_id, sentence_key) WHERE lifted_at IS NULL;
COMMENT ON INDEX annals.rejections_sentence IS 'Finds the rejections that stand, by their sentence.';
CREATE INDEX rejections_episode ON annals.rejections (group_id, episode_id);
COMMENT ON INDEX annals.rejections_episode IS 'Finds what an episode took back.';
CREATE INDEX rejections_fact ON annals.rejections (group_id, fact_id);
COMMENT ON INDEX annals.rejections_fact IS 'Finds the rejections of a fact.';

-- Most groups have no rejection and nothing that expired: to call a function costs more than
-- to look. An order with OFFSET has PostgreSQL look by index for each row, as it cannot
-- turn that into a hash, or a scan, of what all groups have.
CREATE VIEW annals.episode_rows WITH (security_invoker = true) AS
SELECT e.group_id, e.id, e.source, e.content, e.actor, e.role, e.name, e.source_description, e.thread_id, e.occurred_at, e.created_at,
    e.metadata, e.external_id, e.state, e.attempts, e.error, e.deferred, e.door, e.written_by, e.authority,
    CASE WHEN EXISTS (SELECT FROM annals.rejections r WHERE r.group_id = e.group_id ORDER BY r.id OFFSET 0)
        THEN annals_internal.taken_back(e.group_id, e.id, e.content, e.actor, e.thread_id, e.terms, e.said_key) ELSE '' END AS taken_back
FROM annals.episodes e
WHERE NOT EXISTS (SELECT FROM annals_internal.expired_marks m WHERE m.group_id = e.group_id ORDER BY m.expires_at OFFSET 0)
    OR NOT annals_internal.has_expired(e.group_id, 'episode', e.id);
COMMENT ON VIEW annals.episode_rows IS 'Episodes that have not expired, without what is derived from their texts.';
COMMENT ON COLUMN annals.episode_rows.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.episode_rows.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.episode_rows.source IS 'The form in which it arrived: message, text, json, or run: what an agent did.';
COMMENT ON COLUMN annals.episode_rows.content IS 'The text itself.';
COMMENT ON COLUMN annals.episode_rows.actor IS 'Name of the speaker or author; may be empty.';
COMMENT ON COLUMN annals.episode_rows.role IS 'Role of the speaker: user, assistant, system, tool …; may be empty.';
COMMENT ON COLUMN annals.episode_rows.name IS 'A title; may be empty.';
COMMENT ON COLUMN annals.episode_rows.source_description IS 'Description of where it comes from; may be empty.';
COMMENT ON COLUMN annals.episode_rows.thread_id IS 'The conversation it belongs to; may be empty.';
COMMENT ON COLUMN annals.episode_rows.occurred_at IS 'Time it was said.';
COMMENT ON COLUMN annals.episode_rows.created_at IS 'Time it was taken in.';
COMMENT ON COLUMN annals.episode_rows.metadata IS 'JSON object of the caller, returned unchanged.';
COMMENT ON COLUMN annals.episode_rows.external_id IS 'Id that the caller gave it, unique in the group.';
COMMENT ON COLUMN annals.episode_rows.state IS 'Progress into the graph: pending, processing, done or failed.';
COMMENT ON COLUMN annals.episode_rows.attempts IS 'Number of times processing was started since it arrived, or since the last retry.';
COMMENT ON COLUMN annals.episode_rows.error IS 'Reason of the failure; NULL unless it failed.';
COMMENT ON COLUMN annals.episode_rows.deferred IS 'True if no model reads it until a retry asks for that; it can be searched all the same.';
COMMENT ON COLUMN annals.episode_rows.door IS 'The way it came in.';
COMMENT ON COLUMN annals.episode_rows.written_by IS 'The API key, or the user of the database, that stored it; may be empty.';
COMMENT ON COLUMN annals.episode_rows.authority IS 'Whose word it is.';
COMMENT ON COLUMN annals.episode_rows.taken_back IS 'Whether what it says was withdrawn since: all, part; empty: nothing.';

CREATE FUNCTION annals_internal.set_rejection_terms() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    config regconfig := (SELECT g.text_search::regconfig FROM annals.groups g WHERE g.group_id = NEW.group_id);
    named text[] := tsvector_to_array(to_tsvector(config, annals_internal.segmented(array_to_string(NEW.source_keys, ' '))));
    every text[] := tsvector_to_array(to_tsvector(config, annals_internal.segmented(NEW.fact)));
BEGIN
    NEW.terms := ARRAY(SELECT t.term FROM unnest(every) AS t(term) WHERE t.term <> ALL (named));
    IF cardinality(NEW.terms) < 2 THEN
        NEW.terms := CASE WHEN cardinality(every) < 2 THEN '{}' ELSE every END;
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.set_rejection_terms() IS 'Trigger: splits the sentence of a rejection into words.';

CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF fact ON annals.rejections
    FOR EACH ROW EXECUTE FUNCTION annals_internal.set_rejection_terms();
COMMENT ON TRIGGER terms ON annals.rejections IS 'Keeps the words of the sentence.';

-- Tells whether a rejection that a claim matches refuses it. What a person
-- rejected stays so, but for another stretch of time that a user or a person
-- states; what an episode took back may become true when it is said later.
CREATE FUNCTION annals_internal.rejection_matches(rejected_by annals.authority, rejected_at timestamptz, rejected tstzrange, rejected_as_of timestamptz, rejected_told bytea[],
    authority annals.authority, kind annals.fact_kind, valid tstzrange, stated boolean, said_at timestamptz, told bytea) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN authority >= 'user' AND stated AND (lower(valid) > rejected_at OR kind = 'event' AND NOT valid && rejected) THEN false
    WHEN rejected_by = 'person' THEN true
    WHEN authority > rejected_by THEN false
    ELSE valid && rejected AND (authority < rejected_by OR said_at <= rejected_as_of OR told = ANY (rejected_told))
END;
COMMENT ON FUNCTION annals_internal.rejection_matches(annals.authority, timestamptz, tstzrange, timestamptz, bytea[], annals.authority, annals.fact_kind, tstzrange, boolean, timestamptz, bytea) IS
    'Tells whether a rejection refuses a claim of the same sentence, or of the same ends and relation.';

CREATE FUNCTION annals_internal.fold_names(names text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT DISTINCT annals_internal.fold_text(n.name) FROM unnest(names) AS n(name) WHERE annals_internal.fold_text(n.name) <> '');
COMMENT ON FUNCTION annals_internal.fold_names(text[]) IS 'Folds names, and leaves out those of which nothing is left.';

-- Hashes every pair of marks, of which each end has its id and its names, with the
-- group, so that one index finds what relates two ends, however they are known.
-- Equal hashes are a hint: the ends are compared after it.
CREATE FUNCTION annals_internal.end_pair_hashes(group_id text, source_id uuid, source_keys text[], target_id uuid, target_keys text[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT hashtextextended(concat_ws(E'\n', end_pair_hashes.group_id, s.mark, t.mark), 0)
    FROM unnest(source_keys || source_id::text) AS s(mark) CROSS JOIN unnest(target_keys || target_id::text) AS t(mark)
    WHERE s.mark IS NOT NULL AND t.mark IS NOT NULL);
COMMENT ON FUNCTION annals_internal.end_pair_hashes(text, uuid, text[], uuid, text[]) IS
    'Hashes every pair of the ids and names of two ends with their group, to look for what relates them.';

CREATE INDEX rejections_ends ON annals.rejections USING gin (annals_internal.end_pair_hashes(group_id, source_id, source_keys, target_id, target_keys))
    WITH (fastupdate = off) WHERE lifted_at IS NULL;
COMMENT ON INDEX annals.rejections_ends IS 'Finds the rejections that stand, by their ends.';

CREATE FUNCTION annals_internal.is_symmetric(predicate text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(predicate, '^NO_LONGER_', '') = ANY ('{COLLEAGUE_OF,COUSIN_OF,DATES,DATING,ENGAGED_TO,FRIEND_OF,FRIENDS_WITH,KNOWS,LIVES_WITH,MARRIED_TO,NEIGHBOR_OF,NEIGHBOUR_OF,PARTNER_OF,RELATED_TO,ROOMMATE_OF,SIBLING_OF,SPOUSE_OF,TWIN_OF,WORKS_WITH}'::text[]);
COMMENT ON FUNCTION annals_internal.is_symmetric(text) IS 'Tells whether a relation holds in both directions.';

-- Finds for claims the rejections that each runs into, and whether they refuse
-- it. A claim is the same by its sentence, or by its relation and both ends, each
-- known by its id or by one of its names. Of those that share only its ends the latest
-- are listed that would refuse it if it said the same: the analyst compares what
-- they say. Rejections of a fact that is believed again are not looked for by
-- their ends. A later claim of the same or a higher authority readmits what an
-- episode took back, unless it states a time after that. Claims are objects with
-- place, source_id, target_id, sources and targets (names), predicate, fact, kind,
-- valid_from, valid_until, stated, said_at, authority, and episode: the place
-- in told of the content that makes it.
CREATE FUNCTION annals_internal.matching_rejections(in_group text, claims jsonb, told text[]) RETURNS TABLE (place integer, id uuid, same boolean, refused boolean, readmitted boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    IF NOT EXISTS (SELECT FROM annals.rejections r WHERE r.group_id = in_group AND r.lifted_at IS NULL) THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH claim AS MATERIALIZED (
        SELECT c.*, annals_internal.fold_text(c.fact) AS sentence, tstzrange(c.valid_from, c.valid_until) AS valid,
            annals_internal.fold_names(c.sources) AS source_keys, annals_internal.fold_names(c.targets) AS target_keys
        FROM jsonb_to_recordset(claims) AS c(place integer, source_id uuid, target_id uuid, sources text[], targets text[], predicate text, fact text,
            kind annals.fact_kind, valid_from timestamptz, valid_until timestamptz, stated boolean, said_at timestamptz, authority annals.authority, episode integer)
    ), met AS (
        SELECT c.place, r.id AS rejection, true AS same
        FROM claim c
        JOIN annals.rejections r ON r.group_id = in_group AND r.lifted_at IS NULL AND r.sentence_key = c.sentence AND c.sentence <> ''
        UNION ALL
        SELECT c.place, r.id, r.predicate = c.predicate AND (e.straight OR annals_internal.is_symmetric(r.predicate))
        FROM claim c
        CROSS JOIN LATERAL (VALUES (true, c.source_keys, c.target_keys, c.source_id, c.target_id),
            (false, c.target_keys, c.source_keys, c.target_id, c.source_id)) e(straight, source_keys, target_keys, source_id, target_id)
        JOIN annals.rejections r ON r.group_id = in_group AND r.lifted_at IS NULL
            AND annals_internal.end_pair_hashes(r.group_id, r.source_id, r.source_keys, r.target_id, r.target_keys)
                && annals_internal.end_pair_hashes(in_group, e.source_id, e.source_keys, e.target_id, e.target_keys)
        WHERE (e.source_id = r.source_id OR e.source_keys && r.source_keys) AND (e.target_id = r.target_id OR e.target_keys && r.target_keys)
            AND NOT EXISTS (SELECT FROM annals.facts f
                WHERE f.group_id = in_group AND (f.source_id, f.target_id) IN ((c.source_id, c.target_id), (c.target_id, c.source_id))
                    AND f.predicate = r.predicate AND f.created_at > r.rejected_at)
    ), judged AS (
        SELECT c.place, r.id, m.same, x.refused, r.authority, r.rejected_at,
            NOT x.refused AND r.episode_id IS NOT NULL AND c.authority >= r.authority AND c.valid && r.valid
                AND NOT (c.stated AND lower(c.valid) > r.said_at) AS readmitted,
            row_number() OVER (PARTITION BY c.place, m.same ORDER BY x.refused DESC, r.rejected_at DESC, r.id) AS nth
        FROM (SELECT t.place, t.rejection, bool_or(t.same) AS same FROM met t GROUP BY t.place, t.rejection) m
        JOIN claim c ON c.place = m.place
        JOIN annals.rejections r ON r.group_id = in_group AND r.id = m.rejection
        CROSS JOIN LATERAL (SELECT annals_internal.rejection_matches(r.authority, r.rejected_at, r.valid, r.said_at, r.told, c.authority, c.kind, c.valid, c.stated, c.said_at,
            annals_internal.rejection_key(matching_rejections.told[c.episode])) AS refused) x
    )
    SELECT j.place, j.id, j.same, j.refused, j.readmitted
    FROM judged j
    WHERE j.same OR j.refused AND j.nth <= 10
    ORDER BY j.place, j.same DESC, j.refused DESC, j.authority DESC, j.rejected_at DESC, j.id;
END
$$;
COMMENT ON FUNCTION annals_internal.matching_rejections(text, jsonb, text[]) IS 'Finds for claims the rejections that each runs into, and whether they refuse it.';

-- Refuses by hand what was withdrawn: facts that SQL inserts, or turns into such
-- a one. What the engine writes was asked about before.
CREATE FUNCTION annals_internal.refuse_withdrawn() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    standing annals.rejections;
BEGIN
    IF current_setting('annals.judged', true) = 'on'
        OR NOT EXISTS (SELECT FROM annals.rejections r WHERE r.group_id = NEW.group_id AND r.lifted_at IS NULL)
        OR TG_OP = 'UPDATE' AND (OLD.source_id, OLD.target_id, OLD.predicate, OLD.fact) = (NEW.source_id, NEW.target_id, NEW.predicate, NEW.fact) THEN
        RETURN NEW;
    END IF;
    SELECT r.* INTO standing
    FROM annals_internal.matching_rejections(NEW.group_id, jsonb_build_array(jsonb_build_object('place', 1, 'source_id', NEW.source_id, 'target_id', NEW.target_id,
        'sources', (SELECT e.aliases || e.name FROM annals.entities e WHERE e.group_id = NEW.group_id AND e.id = NEW.source_id),
        'targets', (SELECT e.aliases || e.name FROM annals.entities e WHERE e.group_id = NEW.group_id AND e.id = NEW.target_id),
        'predicate', NEW.predicate, 'fact', NEW.fact, 'kind', NEW.kind, 'valid_from', lower(NEW.valid), 'valid_until', upper(NEW.valid),
        'stated', NEW.from_basis IN ('stated', 'planned') OR NEW.from_basis = 'unknown' AND NOT lower_inf(NEW.valid),
        'said_at', coalesce(NEW.said_at, annals_internal.recorded_now()), 'authority', 'person')), '{}') f
    JOIN annals.rejections r ON r.group_id = NEW.group_id AND r.id = f.id
    WHERE f.same AND f.refused;
    IF FOUND THEN
        RAISE EXCEPTION 'this fact was withdrawn on % by %', to_char(standing.rejected_at, 'YYYY-MM-DD'), standing.authority USING ERRCODE = 'AN002',
            HINT = format('''annals facts restore %s'' readmits it, or UPDATE annals.rejections SET lifted_at = now(), lifted_by = current_user WHERE id = %L.', standing.id, standing.id);
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.refuse_withdrawn() IS 'Trigger: refuses facts that were withdrawn.';

CREATE TRIGGER refuse_withdrawn BEFORE INSERT OR UPDATE OF source_id, target_id, predicate, fact ON annals.facts
    FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_withdrawn();
COMMENT ON TRIGGER refuse_withdrawn ON annals.facts IS 'Refuses facts that were withdrawn.';

-- What a lower authority says against a higher one does not end it: both stand,
-- and the lower one is disputed. The dispute goes with either fact, and with the
-- episode that began it.
CREATE TABLE annals.disputes (
    group_id text NOT NULL,
    fact_id uuid NOT NULL,
    disputed_by uuid NOT NULL,
    episode_id uuid NOT NULL,
    told_by text NOT NULL DEFAULT '',
    PRIMARY KEY (group_id, fact_id, disputed_by),
    FOREIGN KEY (group_id, disputed_by) REFERENCES annals.facts ON DELETE CASCADE,
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE
);
COMMENT ON TABLE annals.disputes IS 'Facts that contradict one of a higher authority, or at second hand what somebody said of themself, and are shown as disputed; and facts that wait to be believed, with what contradicts them. Neither ended the other.';
COMMENT ON COLUMN annals.disputes.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.disputes.fact_id IS 'The fact that is disputed. It may be gone: if it comes back, it still is.';
COMMENT ON COLUMN annals.disputes.disputed_by IS 'The fact that it contradicts.';
COMMENT ON COLUMN annals.disputes.episode_id IS 'The episode that said it.';
COMMENT ON COLUMN annals.disputes.told_by IS 'Who the episode says tells it: a name, or somebody. Empty: who speaks.';

CREATE INDEX disputes_by ON annals.disputes (group_id, disputed_by);
COMMENT ON INDEX annals.disputes_by IS 'Finds what a fact disputes.';
CREATE INDEX disputes_episode ON annals.disputes (group_id, episode_id);
COMMENT ON INDEX annals.disputes_episode IS 'Finds the disputes that an episode began.';

CREATE TABLE annals.mentions (
    group_id text NOT NULL,
    episode_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    PRIMARY KEY (group_id, episode_id, entity_id),
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE,
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals.mentions IS 'Links each episode to the entities it mentions.';
COMMENT ON COLUMN annals.mentions.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.mentions.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.mentions.entity_id IS 'The entity.';

CREATE INDEX mentions_entity ON annals.mentions (group_id, entity_id, episode_id);
COMMENT ON INDEX annals.mentions_entity IS 'Finds the episodes that mention an entity.';

CREATE TABLE annals.fact_episodes (
    group_id text NOT NULL,
    fact_id uuid NOT NULL,
    episode_id uuid NOT NULL,
    role annals.episode_role NOT NULL,
    PRIMARY KEY (group_id, fact_id, episode_id, role),
    FOREIGN KEY (group_id, fact_id) REFERENCES annals.facts ON DELETE CASCADE,
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE
);
COMMENT ON TABLE annals.fact_episodes IS 'Links each fact to the episodes that state or end it, or stated what a person corrected since.';
COMMENT ON COLUMN annals.fact_episodes.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.fact_episodes.fact_id IS 'The fact.';
COMMENT ON COLUMN annals.fact_episodes.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.fact_episodes.role IS 'Effect of the episode: it states the fact, ends it, or stated it before it was corrected.';

CREATE INDEX fact_episodes_episode ON annals.fact_episodes (group_id, episode_id, fact_id);
COMMENT ON INDEX annals.fact_episodes_episode IS 'Finds the facts that an episode states or ends.';

-- Counts the episodes that mention each entity; lists of entities are sorted by
-- it. As a column of entities it would rewrite the whole row at each mention.
CREATE TABLE annals_internal.entity_mentions (
    group_id text NOT NULL,
    entity_id uuid NOT NULL,
    name text NOT NULL,
    mentions integer NOT NULL DEFAULT 0,
    PRIMARY KEY (group_id, entity_id),
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals_internal.entity_mentions IS 'Number of episodes that mention each entity. Kept by triggers.';
COMMENT ON COLUMN annals_internal.entity_mentions.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.entity_mentions.entity_id IS 'The entity.';
COMMENT ON COLUMN annals_internal.entity_mentions.name IS 'Name of the entity, copied from entities.';
COMMENT ON COLUMN annals_internal.entity_mentions.mentions IS 'Number of episodes that mention it.';

CREATE INDEX entity_mentions_most ON annals_internal.entity_mentions (group_id, (-mentions), name, entity_id);
COMMENT ON INDEX annals_internal.entity_mentions_most IS 'Lists the entities of a group by number of mentions, the most first.';

CREATE FUNCTION annals_internal.keep_entity_mentions() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO annals_internal.entity_mentions AS m (group_id, entity_id, name)
    VALUES (NEW.group_id, NEW.id, NEW.name)
    ON CONFLICT (group_id, entity_id) DO UPDATE SET name = excluded.name;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.keep_entity_mentions() IS 'Trigger: keeps the names in entity_mentions.';

CREATE TRIGGER mentions_insert AFTER INSERT ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_entity_mentions();
COMMENT ON TRIGGER mentions_insert ON annals.entities IS 'Keeps entity_mentions: begins the count of a new entity.';
CREATE TRIGGER mentions_update AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION annals_internal.keep_entity_mentions();
COMMENT ON TRIGGER mentions_update ON annals.entities IS 'Keeps the name in entity_mentions.';

-- Triggers of statements read what changed first, and write then: a statement
-- that has both is planned for a cluster, where nobody knows what changed. Each
-- count is written by itself: of a large group that comes in at once no statistics
-- tell, and a join takes it for one row, and compares all of it with all that changed.
CREATE FUNCTION annals_internal.count_mentions() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE
    sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
    changed record;
BEGIN
    FOR changed IN
        SELECT r.group_id, r.entity_id, sign * count(*)::integer AS episodes FROM changed_rows r
        GROUP BY r.group_id, r.entity_id ORDER BY r.group_id, r.entity_id
    LOOP
        UPDATE annals_internal.entity_mentions m SET mentions = m.mentions + changed.episodes
        WHERE m.group_id = changed.group_id AND m.entity_id = changed.entity_id;
    END LOOP;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.count_mentions() IS 'Trigger: keeps the counts in entity_mentions.';

CREATE TRIGGER count_added AFTER INSERT ON annals.mentions
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.count_mentions();
COMMENT ON TRIGGER count_added ON annals.mentions IS 'Keeps the counts in entity_mentions: adds new mentions.';
CREATE TRIGGER count_removed AFTER DELETE ON annals.mentions
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.count_mentions();
COMMENT ON TRIGGER count_removed ON annals.mentions IS 'Keeps the counts in entity_mentions: subtracts removed mentions.';

CREATE TABLE annals.communities (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    summary text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT annals_internal.recorded_now(),
    recorded tstzrange NOT NULL DEFAULT tstzrange(annals_internal.recorded_now(), NULL)
        CHECK (NOT isempty(recorded) AND upper_inf(recorded)),
    terms tsvector NOT NULL DEFAULT '',
    length integer NOT NULL DEFAULT 0,
    digest bytea NOT NULL DEFAULT '',
    size integer NOT NULL DEFAULT 0,
    stale boolean NOT NULL DEFAULT false,
    PRIMARY KEY (group_id, id),
    CONSTRAINT communities_words CHECK (CASE WHEN stale THEN (name, summary) = ('', '') ELSE name <> '' END)
);
COMMENT ON TABLE annals.communities IS 'Clusters of entities that are connected by many current facts.';
COMMENT ON COLUMN annals.communities.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.communities.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.communities.name IS 'Title made of its key terms and topics.';
COMMENT ON COLUMN annals.communities.summary IS 'Summary of what its members have in common.';
COMMENT ON COLUMN annals.communities.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals.communities.recorded IS
    'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals.communities.terms IS 'Its words as text search splits them, for ranking by BM25. Kept by a trigger.';
COMMENT ON COLUMN annals.communities.length IS 'Number of terms in it. Kept by a trigger.';
COMMENT ON COLUMN annals.communities.digest IS 'Hash of what the summary was made from; empty: that has changed since.';
COMMENT ON COLUMN annals.communities.size IS 'Number of members. Kept by triggers.';
COMMENT ON COLUMN annals.communities.stale IS 'True if it told what may be withdrawn or undone since: it has no words, and is shown to nobody, until it is made anew.';

CREATE INDEX communities_biggest ON annals.communities (group_id, (-size), name, id);
COMMENT ON INDEX annals.communities_biggest IS 'Lists the communities of a group by size, the biggest first.';
CREATE INDEX communities_stale ON annals.communities (group_id, id) WHERE stale;
COMMENT ON INDEX annals.communities_stale IS 'Finds the communities that are to be made anew.';

CREATE TABLE annals.community_members (
    group_id text NOT NULL,
    community_id uuid NOT NULL,
    entity_id uuid NOT NULL,
    PRIMARY KEY (group_id, community_id, entity_id),
    FOREIGN KEY (group_id, community_id) REFERENCES annals.communities ON DELETE CASCADE,
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals.community_members IS 'Links each community to its entities.';
COMMENT ON COLUMN annals.community_members.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.community_members.community_id IS 'The community.';
COMMENT ON COLUMN annals.community_members.entity_id IS 'The entity.';

CREATE INDEX community_members_entity ON annals.community_members (group_id, entity_id);
COMMENT ON INDEX annals.community_members_entity IS 'Finds the communities of an entity.';

CREATE FUNCTION annals_internal.count_members() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
    changed record;
BEGIN
    FOR changed IN
        SELECT n.group_id, array_agg(n.community_id) AS ids, array_agg(n.members) AS members
        FROM (SELECT r.group_id, r.community_id, sign * count(*)::integer AS members FROM changed_rows r GROUP BY r.group_id, r.community_id) n
        GROUP BY n.group_id
    LOOP
        UPDATE annals.communities c SET size = c.size + n.members
        FROM unnest(changed.ids, changed.members) AS n(community_id, members)
        WHERE c.group_id = changed.group_id AND c.id = n.community_id;
    END LOOP;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.count_members() IS 'Trigger: keeps the sizes of communities.';

CREATE TRIGGER count_added AFTER INSERT ON annals.community_members
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.count_members();
COMMENT ON TRIGGER count_added ON annals.community_members IS 'Keeps the sizes of communities: adds new members.';
CREATE TRIGGER count_removed AFTER DELETE ON annals.community_members
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.count_members();
COMMENT ON TRIGGER count_removed ON annals.community_members IS 'Keeps the sizes of communities: subtracts removed members.';

CREATE TABLE annals_internal.community_builds (
    group_id text PRIMARY KEY REFERENCES annals.groups ON DELETE CASCADE,
    built_at timestamptz,
    entities integer NOT NULL DEFAULT 0 CHECK (entities >= 0),
    arrived integer NOT NULL DEFAULT 0 CHECK (arrived >= 0)
);
COMMENT ON TABLE annals_internal.community_builds IS 'The last time the communities of each group were computed.';
COMMENT ON COLUMN annals_internal.community_builds.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.community_builds.built_at IS 'Time they were computed; NULL: never.';
COMMENT ON COLUMN annals_internal.community_builds.entities IS 'Number of entities in the group at that time.';
COMMENT ON COLUMN annals_internal.community_builds.arrived IS 'Number of entities that arrived since.';

CALL annals_internal.end_migration(2, 'graph');

-- +goose StatementEnd
-- +goose Down

DROP TABLE annals_internal.community_builds;
DROP TRIGGER count_removed ON annals.community_members;
DROP TRIGGER count_added ON annals.community_members;
DROP FUNCTION annals_internal.count_members;
DROP TABLE annals.community_members, annals.communities;
DROP TRIGGER count_removed ON annals.mentions;
DROP TRIGGER count_added ON annals.mentions;
DROP FUNCTION annals_internal.count_mentions;
DROP TRIGGER mentions_update ON annals.entities;
DROP TRIGGER mentions_insert ON annals.entities;
DROP FUNCTION annals_internal.keep_entity_mentions;
DROP TRIGGER refuse_withdrawn ON annals.facts;
DROP TRIGGER terms ON annals.rejections;
DROP INDEX annals.rejections_ends;
DROP FUNCTION annals_internal.set_rejection_terms, annals_internal.refuse_withdrawn, annals_internal.matching_rejections, annals_internal.is_symmetric, annals_internal.fold_names, annals_internal.rejection_matches, annals_internal.end_pair_hashes;
DROP VIEW annals.episode_rows;
DROP TABLE annals_internal.entity_mentions, annals.fact_episodes, annals.mentions, annals.disputes, annals.rejections, annals.facts, annals_internal.entity_merges;
DROP TRIGGER names_update ON annals.entities;
DROP TRIGGER names_insert ON annals.entities;
DROP FUNCTION annals_internal.keep_bounds, annals_internal.tell_as_written;
DROP FUNCTION annals_internal.keep_entity_names;
DROP TABLE annals_internal.entity_names, annals.entities, annals.threads;
DROP TRIGGER content_hash ON annals.episodes;
DROP FUNCTION annals_internal.set_content_hash;
DROP VIEW annals_internal.expired_marks, annals_internal.group_rows;
DROP FUNCTION annals_internal.begin_write;
DROP FUNCTION annals_internal.taken_back, annals_internal.rejected_at, annals_internal.has_expired, annals_internal.expired, annals_internal.expiring;
DROP TABLE annals.marks;
DROP TABLE annals.episodes, annals.groups;
DROP FUNCTION annals_internal.rejection_key, annals_internal.is_run;
DELETE FROM annals.migrations WHERE version = 2;
