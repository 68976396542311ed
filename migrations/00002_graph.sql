-- The memory graph in plain tables: episodes, the entities and facts read from
-- them, communities, and the links between these. Every key begins with group_id.
-- The rows of a group stay together, and the schema can be distributed by
-- group_id.
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
COMMENT ON COLUMN annals.groups.group_id IS 'Name of the memory. Its rows in all other tables carry it.';
COMMENT ON COLUMN annals.groups.kind IS 'Kind of memory: a user''s, or any other graph.';
COMMENT ON COLUMN annals.groups.text_search IS 'Name of the text search configuration that splits its texts into words; annals.english until the language is detected. Not a regconfig: its number differs between the servers of a cluster.';
COMMENT ON COLUMN annals.groups.text_search_from IS 'Origin of text_search. default: the language is not known yet; detected: found in the first fifty episodes; set: chosen by hand, and never detected.';
COMMENT ON COLUMN annals.groups.created_at IS 'Time it was created.';
COMMENT ON COLUMN annals.groups.ontology IS 'The types of entities and facts to look for, and instructions for reading, as JSON.';
COMMENT ON COLUMN annals.groups.name IS 'A title; may be empty.';
COMMENT ON COLUMN annals.groups.description IS 'A description in words; may be empty.';
COMMENT ON COLUMN annals.groups.time_zone IS 'IANA time zone of the person it is about; may be empty.';
COMMENT ON COLUMN annals.groups.copy_of IS 'Keyed hash of the group that it was cloned or imported from; NULL: not a copy.';
COMMENT ON COLUMN annals.groups.updated_at IS 'Time the name, description or time zone was last changed.';
COMMENT ON COLUMN annals.groups.hold_assistants IS 'True if the words of assistants stay candidates until a user or a person confirms them.';
COMMENT ON COLUMN annals.groups.hold_documents IS 'True if documents, and messages of tools and systems, are in quarantine until released.';
COMMENT ON COLUMN annals.groups.records_succeed IS 'True if a later record, from a tool or in a document, ends what a user said about an earlier time.';
COMMENT ON COLUMN annals.groups.proof_of_skills IS 'Number of successes in a row that confirm a procedure without a review; 0: always reviewed by hand.';
COMMENT ON COLUMN annals.groups.hold_threads IS 'The threads whose documents, and messages of tools and systems, are in quarantine until released.';
COMMENT ON COLUMN annals.groups.hold_doors IS 'The doors whose episodes are in quarantine until released.';
COMMENT ON COLUMN annals.groups.hold_roles IS 'The roles whose episodes are in quarantine until released.';
COMMENT ON COLUMN annals.groups.hold_sources IS 'The source descriptions, such as file names, whose episodes are in quarantine until released.';
COMMENT ON COLUMN annals.groups.hold_relations IS 'The predicates whose facts stay candidates until confirmed, whoever states them.';
COMMENT ON COLUMN annals.groups.holds_origins IS 'True if the group holds a door, a role or a source.';
COMMENT ON COLUMN annals.groups.holds_episodes IS 'True if episodes of the group can be in quarantine.';
COMMENT ON COLUMN annals.groups.holds IS 'True if the group withholds anything.';
COMMENT ON COLUMN annals.groups.written_at IS
    'Time of the last write to its graph, on the recorded axis; NULL: none yet. The next write gets a later time, even if the clock was set back.';

-- Begins a write to the graph of a group, under the group's lock. The transaction
-- gets a time on the recorded axis that is later than every earlier write, even if
-- the clock of the server was set back. origin says who writes. With judged,
-- triggers let withdrawn facts pass: the writer checks them itself, or they were
-- believed before. A caller passes a time to tell something as if learned then, as
-- the sample conversation does.
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
    'Begins a write to the graph of a group. Returns its time on the recorded axis, later than that of every earlier write.';

CREATE INDEX groups_namespace ON annals.groups (split_part(group_id, ':', 1), group_id);
COMMENT ON INDEX annals.groups_namespace IS 'Finds the groups of a namespace: their names begin with it and a colon.';

CREATE FUNCTION annals_internal.rejection_key(said text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256(convert_to(annals_internal.fold_text(said), 'UTF8'));
COMMENT ON FUNCTION annals_internal.rejection_key(text) IS 'Computes the key by which rejections recognise an episode: a hash of actor, a space and content, folded.';

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
COMMENT ON FUNCTION annals_internal.is_run(text) IS 'Tells whether a text is the record of a run: a JSON object with a task. Steps must be objects, the environment texts, durations and token counts whole numbers, and the outcome a known one.';

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
    said_key bytea NOT NULL DEFAULT '',
    asks boolean NOT NULL DEFAULT false,
    says_when boolean NOT NULL DEFAULT false,
    PRIMARY KEY (group_id, id),
    CONSTRAINT episodes_external_id UNIQUE (group_id, external_id),
    CONSTRAINT episodes_run CHECK (source <> 'run' OR annals_internal.is_run(content))
);
COMMENT ON TABLE annals.episodes IS 'The texts taken in, word for word. Everything derived from an episode refers back to it.';
COMMENT ON COLUMN annals.episodes.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.episodes.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.episodes.source IS 'Form in which it arrived: message, text, json, or run (what an agent did).';
COMMENT ON COLUMN annals.episodes.content IS 'The text itself.';
COMMENT ON COLUMN annals.episodes.actor IS 'Name of the speaker or author; may be empty.';
COMMENT ON COLUMN annals.episodes.role IS 'Role of the speaker, such as user, assistant, system or tool; may be empty.';
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
COMMENT ON COLUMN annals.episodes.error IS 'Reason for the failure; NULL unless it failed.';
COMMENT ON COLUMN annals.episodes.terms IS 'Its words as text search splits them, for ranking by BM25. Kept by a trigger.';
COMMENT ON COLUMN annals.episodes.length IS 'Number of terms in it, or in the longest passage of a long episode. Kept by a trigger.';
COMMENT ON COLUMN annals.episodes.left_out IS 'Number of distinct terms that did not fit into terms and do not find it. 0 except for texts such as long lists of numbers. Kept by a trigger.';
COMMENT ON COLUMN annals.episodes.deferred IS 'True if no model reads it until a retry asks for it. It can be searched all the same.';
COMMENT ON COLUMN annals.episodes.previous IS
    'Number of earlier messages of its thread that the model sees with it; NULL: the engine''s default.';
COMMENT ON COLUMN annals.episodes.processed_at IS 'Time it was written to the graph, on the recorded axis; NULL: not yet.';
COMMENT ON COLUMN annals.episodes.trace_context IS
    'W3C Trace Context (traceparent, tracestate) of the request that stored it; NULL: not traced.';
COMMENT ON COLUMN annals.episodes.door IS 'Door it came in by: library, cli, rest, otlp, mcp, zep, graphiti, agent, import or sql.';
COMMENT ON COLUMN annals.episodes.written_by IS 'The API key or database user that stored it; may be empty.';
COMMENT ON COLUMN annals.episodes.authority IS 'Whose word it is. The authority of its door and key caps it.';
COMMENT ON COLUMN annals.episodes.said_key IS 'Key by which rejections recognise it: a hash of actor and content, folded. Kept by a trigger.';
COMMENT ON COLUMN annals.episodes.asks IS 'True if it ends in a question mark. Kept by a trigger.';
COMMENT ON COLUMN annals.episodes.says_when IS 'True if it contains a word for a time. Kept by a trigger.';

CREATE INDEX episodes_waiting ON annals.episodes (group_id, id) WHERE state IN ('pending', 'processing') AND NOT deferred;
COMMENT ON INDEX annals.episodes_waiting IS 'Finds the next episode of a group that waits to be read.';
CREATE INDEX episodes_unread ON annals.episodes (group_id, state, occurred_at, id) WHERE state <> 'done';
COMMENT ON INDEX annals.episodes_unread IS 'Finds the episodes of a group that are pending, being processed or failed, by time.';
CREATE INDEX episodes_deferred ON annals.episodes (group_id, id) WHERE deferred;
COMMENT ON INDEX annals.episodes_deferred IS 'Finds the episodes that wait until a retry asks for them.';
CREATE INDEX episodes_thread ON annals.episodes (group_id, thread_id, occurred_at, id) INCLUDE (length, role, actor, asks, says_when);
COMMENT ON INDEX annals.episodes_thread IS 'Finds the messages of a thread by time. The columns that rank them are included, so that the table is not read.';
CREATE INDEX episodes_occurred ON annals.episodes (group_id, occurred_at, id);
COMMENT ON INDEX annals.episodes_occurred IS 'Finds the latest episodes of a group, and those before a time.';

CREATE INDEX episodes_actor ON annals.episodes (group_id, actor);
COMMENT ON INDEX annals.episodes_actor IS 'Lists the speakers of a group, skipping from one to the next.';
CREATE INDEX episodes_user ON annals.episodes (group_id, (metadata->>'user_id')) WHERE metadata->>'user_id' IS NOT NULL;
COMMENT ON INDEX annals.episodes_user IS 'Finds the episodes of a user in a group of several users.';
CREATE INDEX episodes_agent ON annals.episodes (group_id, (metadata->>'agent_id')) WHERE metadata->>'agent_id' IS NOT NULL;
COMMENT ON INDEX annals.episodes_agent IS 'Finds the episodes of an agent in a group of several agents.';
CREATE INDEX episodes_run ON annals.episodes (group_id, (metadata->>'run_id')) WHERE metadata->>'run_id' IS NOT NULL;
COMMENT ON INDEX annals.episodes_run IS 'Finds the episodes of a run of an agent.';
CREATE INDEX episodes_processed ON annals.episodes (group_id, processed_at, id) WHERE processed_at IS NOT NULL;
COMMENT ON INDEX annals.episodes_processed IS 'Finds the episodes written to the graph since a time.';

-- The library reads tables through the views named *_rows.
CREATE VIEW annals_internal.group_rows WITH (security_invoker = true) AS
SELECT g.group_id, g.kind, g.name, g.description, g.time_zone, g.created_at, g.updated_at, split_part(g.text_search, '.', -1) AS language, g.text_search_from
FROM annals.groups g;
COMMENT ON VIEW annals_internal.group_rows IS 'Groups, without their ontologies.';
COMMENT ON COLUMN annals_internal.group_rows.group_id IS 'Name of the memory.';
COMMENT ON COLUMN annals_internal.group_rows.kind IS 'Kind of memory: a user''s, or any other graph.';
COMMENT ON COLUMN annals_internal.group_rows.name IS 'A title; may be empty.';
COMMENT ON COLUMN annals_internal.group_rows.description IS 'A description in words; may be empty.';
COMMENT ON COLUMN annals_internal.group_rows.time_zone IS 'IANA time zone of the person it is about; may be empty.';
COMMENT ON COLUMN annals_internal.group_rows.created_at IS 'Time it was created.';
COMMENT ON COLUMN annals_internal.group_rows.language IS 'Language whose inflected forms text search reduces to stems.';
COMMENT ON COLUMN annals_internal.group_rows.text_search_from IS 'Origin of the language: default, detected or set.';
COMMENT ON COLUMN annals_internal.group_rows.updated_at IS 'Time the name, description or time zone was last changed.';

-- Notes of people and programs on facts, episodes, entities and skills. A mark is set
-- and ended, never changed. It outlives its subject, so that former readings can be
-- told. Erasing removes it.
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
COMMENT ON TABLE annals.marks IS 'Notes on facts, episodes, entities and skills: that one expires, is pinned, or was found useful, wrong or outdated. Set by annals.mark().';
COMMENT ON COLUMN annals.marks.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.marks.id IS 'Its id.';
COMMENT ON COLUMN annals.marks.kind IS 'Kind of its subject: fact, episode, entity or skill.';
COMMENT ON COLUMN annals.marks.subject_id IS 'The marked row; it may be gone.';
COMMENT ON COLUMN annals.marks.mark IS 'expires, pinned, useful, wrong or outdated.';
COMMENT ON COLUMN annals.marks.expires_at IS 'Time from which its subject is hidden; NULL unless mark is expires.';
COMMENT ON COLUMN annals.marks.since IS 'Time it was set, on the recorded axis.';
COMMENT ON COLUMN annals.marks.until IS 'Time it was ended, on the recorded axis; NULL: still set.';
COMMENT ON COLUMN annals.marks.door IS 'Door it came in by: library, cli, rest, otlp, mcp, zep, graphiti, agent or sql.';
COMMENT ON COLUMN annals.marks.written_by IS 'The API key or database user that set it; may be empty.';
COMMENT ON COLUMN annals.marks.authority IS 'Authority of the writer who set it.';
COMMENT ON COLUMN annals.marks.ended_door IS 'Door by which it was ended; NULL: still set.';
COMMENT ON COLUMN annals.marks.ended_by IS 'The API key or database user that ended it; NULL: still set.';
COMMENT ON COLUMN annals.marks.swept_at IS 'Time the expired subject was removed; NULL: not removed.';

CREATE UNIQUE INDEX marks_one ON annals.marks (group_id, subject_id, mark) WHERE until IS NULL AND mark IN ('expires', 'pinned');
COMMENT ON INDEX annals.marks_one IS 'Allows one standing expiry and one standing pin of a subject.';
CREATE UNIQUE INDEX marks_verdict ON annals.marks (group_id, subject_id, written_by) WHERE until IS NULL AND mark IN ('useful', 'wrong', 'outdated');
COMMENT ON INDEX annals.marks_verdict IS 'Allows each judge one standing verdict on a subject.';
CREATE INDEX marks_subject ON annals.marks (group_id, subject_id, since);
COMMENT ON INDEX annals.marks_subject IS 'Finds the marks of a subject, including ended ones.';
CREATE INDEX marks_named ON annals.marks (group_id, mark, since);
COMMENT ON INDEX annals.marks_named IS 'Tells whether a group has a given mark, and finds pinned subjects.';
CREATE INDEX marks_due ON annals.marks (expires_at, group_id) WHERE mark = 'expires' AND until IS NULL AND swept_at IS NULL;
COMMENT ON INDEX annals.marks_due IS 'Finds the expired subjects that are still to be removed.';
CREATE INDEX marks_expiring ON annals.marks (group_id, expires_at) WHERE mark = 'expires' AND until IS NULL;
COMMENT ON INDEX annals.marks_expiring IS 'Finds the expired subjects of a group at a time.';

CREATE VIEW annals_internal.expired_marks WITH (security_invoker = true) AS
SELECT m.group_id, m.kind, m.subject_id, m.expires_at
FROM annals.marks m
WHERE m.mark = 'expires' AND m.until IS NULL AND m.swept_at IS NULL AND m.expires_at <= now();
COMMENT ON VIEW annals_internal.expired_marks IS
    'Expired subjects that were not removed yet. Most groups have none: frequent reads look here before they call annals_internal.expired().';
COMMENT ON COLUMN annals_internal.expired_marks.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.expired_marks.kind IS 'Kind of the subject: fact or episode.';
COMMENT ON COLUMN annals_internal.expired_marks.subject_id IS 'The expired fact or episode.';
COMMENT ON COLUMN annals_internal.expired_marks.expires_at IS 'Time it expired.';

-- Returns the rows of a group that are hidden at a time: those that expired by then,
-- and those that only expired episodes support, unless a person told or changed
-- them. An expiry lies in the future when it is set or changed, so the last one also
-- holds for past times.
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
    'Returns the episodes, facts or entities of a group that are hidden at a time. They expired by then, or only expired episodes support them.';

-- Returns the rows that readers leave out. A transaction that writes to the graph
-- sees every row. The function stops early if nothing has expired.
CREATE FUNCTION annals_internal.expired(group_id text, kind annals.kind, at timestamptz) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF coalesce(current_setting('annals.writing', true), '') <> 'on' AND EXISTS (
        SELECT FROM annals.marks m
        WHERE m.group_id = $1 AND m.mark = 'expires' AND m.until IS NULL AND m.expires_at <= at
            AND (m.swept_at IS NULL OR m.swept_at > at)) THEN -- what was removed by then needs no hiding
        RETURN QUERY SELECT annals_internal.expiring($1, $2, at);
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.expired(text, annals.kind, timestamptz) IS
    'Returns the episodes, facts or entities of a group that have expired by a time. Readers leave them out.';

-- Tells the same of one row, for views that span groups.
CREATE FUNCTION annals_internal.has_expired(group_id text, kind annals.kind, id uuid) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM annals_internal.expired_marks m WHERE m.group_id = $1 ORDER BY m.expires_at OFFSET 0) THEN
        RETURN false;
    END IF;
    RETURN $3 IN (SELECT annals_internal.expired($1, $2, now()));
END
$$;
COMMENT ON FUNCTION annals_internal.has_expired(text, annals.kind, uuid) IS 'Tells whether an episode, fact or entity has expired and is hidden now.';

-- Tells whether a rejection stands now, or stood at a time. PostgreSQL inlines this
-- single expression.
CREATE FUNCTION annals_internal.rejected_at(rejected_at timestamptz, lifted_at timestamptz, known_at timestamptz) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN known_at IS NULL THEN lifted_at IS NULL ELSE rejected_at <= known_at AND (lifted_at IS NULL OR lifted_at > known_at) END;
COMMENT ON FUNCTION annals_internal.rejected_at(timestamptz, timestamptz, timestamptz) IS 'Tells whether a rejection stands now, or stood at a time.';

-- Tells how much of an episode is withdrawn now, or was by a time: all, part, or ''
-- (nothing). It checks the sentences only if a rejection of the group names this
-- episode, or all words of a rejection occur in it. A text too long for its terms is
-- always checked.
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
COMMENT ON FUNCTION annals_internal.taken_back(text, uuid, text, text, text, tsvector, bytea, timestamptz) IS 'Tells how much of an episode is withdrawn now, or was by a time: all, part, or nothing.';

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
    'Trigger: computes the hash of an episode''s content, and its authority if none was given.';

CREATE TRIGGER content_hash BEFORE INSERT ON annals.episodes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.set_content_hash();
COMMENT ON TRIGGER content_hash ON annals.episodes IS 'Sets content_hash, and authority if missing. Later changes of content keep the old hash, so that ''annals verify'' finds them.';

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
COMMENT ON TABLE annals.threads IS 'Conversations with their running summaries.';
COMMENT ON COLUMN annals.threads.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.threads.id IS 'Name of the conversation.';
COMMENT ON COLUMN annals.threads.summary IS 'Summary of the conversation up to the message through_id.';
COMMENT ON COLUMN annals.threads.through_at IS 'Time of the last message that the summary covers; NULL: there is no summary.';
COMMENT ON COLUMN annals.threads.through_id IS 'The last message that the summary covers; NULL: there is no summary.';
COMMENT ON COLUMN annals.threads.updated_at IS 'Time it was last summarised.';
COMMENT ON COLUMN annals.threads.created_at IS 'Time the application created it; NULL: known only from its messages.';
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
COMMENT ON COLUMN annals.entities.written IS 'Text written about it by hand. The summary begins with it, until a fact that it may mention is removed.';
COMMENT ON COLUMN annals.entities.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.entities.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals.entities.recorded IS
    'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals.entities.terms IS 'Its words as text search splits them, for ranking by BM25. Kept by a trigger.';
COMMENT ON COLUMN annals.entities.length IS 'Number of terms in it. Kept by a trigger.';
COMMENT ON COLUMN annals.entities.caused_by IS 'The episodes whose processing made this version. Empty for edits by hand, or if not recorded.';

-- Holds every name of every entity, folded so that case, accents and spacing do
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
COMMENT ON COLUMN annals_internal.entity_names.name_key IS 'The name folded by name_key().';
COMMENT ON COLUMN annals_internal.entity_names.entity_id IS 'The entity.';

CREATE INDEX entity_names_entity ON annals_internal.entity_names (group_id, entity_id);
COMMENT ON INDEX annals_internal.entity_names_entity IS 'Finds the names of an entity.';
-- Uses another name of the same collation, so that only the primary key serves
-- equality. The planner takes trigrams for cheaper, and they are ten times slower.
CREATE INDEX entity_names_trigrams ON annals_internal.entity_names USING gist (group_id, name_key COLLATE ucs_basic gist_trgm_ops);
COMMENT ON INDEX annals_internal.entity_names_trigrams IS 'Finds similarly spelled names of a group.';

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
COMMENT ON FUNCTION annals_internal.keep_entity_names() IS 'Trigger: keeps entity_names up to date.';

CREATE TRIGGER names_insert AFTER INSERT ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_entity_names();
COMMENT ON TRIGGER names_insert ON annals.entities IS 'Adds the names of a new entity to entity_names.';
CREATE TRIGGER names_update AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN ((OLD.name, OLD.aliases) IS DISTINCT FROM (NEW.name, NEW.aliases))
    EXECUTE FUNCTION annals_internal.keep_entity_names();
COMMENT ON TRIGGER names_update ON annals.entities IS 'Replaces the names of a renamed entity in entity_names.';

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
COMMENT ON COLUMN annals_internal.entity_merges.merged_into IS 'The entity that replaced it.';
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
    expired_at timestamptz CHECK (expired_at >= '0001-01-01 UTC' AND expired_at < '10000-01-01 UTC'),
    statement_id uuid NOT NULL,
    kind annals.fact_kind NOT NULL DEFAULT 'state',
    from_basis annals.basis NOT NULL DEFAULT 'unknown',
    from_precision annals.exactness NOT NULL DEFAULT 'unknown',
    until_basis annals.basis NOT NULL DEFAULT 'unknown',
    until_precision annals.exactness NOT NULL DEFAULT 'unknown',
    said_at timestamptz CHECK (said_at >= '0001-01-01 UTC' AND said_at < '10000-01-01 UTC'),
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
COMMENT ON COLUMN annals.facts.source_id IS 'The entity that the fact is about.';
COMMENT ON COLUMN annals.facts.target_id IS 'The entity that the fact relates the source to.';
COMMENT ON COLUMN annals.facts.predicate IS 'The relation, in capitals, such as LIVES_IN.';
COMMENT ON COLUMN annals.facts.fact IS 'The fact as one sentence that can be understood on its own.';
COMMENT ON COLUMN annals.facts.told IS 'The sentence for a later reader: dates replace words such as "last week" and "tomorrow". Equal to fact if there are none. The engine computes it from fact and said_at. SQL may omit it; it is then a copy of fact.';
COMMENT ON COLUMN annals.facts.ends IS 'True if the sentence says that something stopped.';
COMMENT ON COLUMN annals.facts.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.facts.valid IS 'Time range in which it was true in the world, half-open; an open side is unknown or ongoing.';
COMMENT ON COLUMN annals.facts.recorded IS 'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals.facts.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals.facts.expired_at IS 'Time its end was recorded; NULL: it has not ended.';
COMMENT ON COLUMN annals.facts.statement_id IS 'Id of the statement, which its facts about several pairs of entities share.';
COMMENT ON COLUMN annals.facts.kind IS 'state: goes on; event: happens once. A sentence that something stopped is an event.';
COMMENT ON COLUMN annals.facts.from_basis IS 'How the start of valid is known.';
COMMENT ON COLUMN annals.facts.from_precision IS 'Precision of the start of valid.';
COMMENT ON COLUMN annals.facts.until_basis IS 'How the end of valid is known.';
COMMENT ON COLUMN annals.facts.until_precision IS 'Precision of the end of valid.';
COMMENT ON COLUMN annals.facts.said_at IS 'Time it was first said; NULL: it was made by hand.';
COMMENT ON COLUMN annals.facts.bounded_by IS 'The fact that an inferred start or end of valid comes from.';
COMMENT ON COLUMN annals.facts.trust IS 'Whether it is believed: the result of annals_internal.fact_trust(). Kept by triggers; do not write it.';
COMMENT ON COLUMN annals.facts.terms IS 'Its words as text search splits them, for ranking by BM25. Kept by a trigger.';
COMMENT ON COLUMN annals.facts.length IS 'Number of terms in it. Kept by a trigger.';
COMMENT ON COLUMN annals.facts.caused_by IS 'The episodes whose processing made this version. Empty for edits by hand, or if not recorded.';

-- Keeps each bound and its basis consistent, whoever writes the row. SQL may write
-- infinity for an open side, and name a last moment; readers know neither.
CREATE FUNCTION annals_internal.keep_bounds() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF annals_internal.write_origin()->>'door' = 'sql' AND NOT isempty(NEW.valid) THEN -- an import stays as it is in its file
        NEW.valid := tstzrange(
            nullif(lower(NEW.valid), '-infinity') + (NOT lower_inc(NEW.valid))::integer * interval '1 microsecond',
            nullif(upper(NEW.valid), 'infinity') + upper_inc(NEW.valid)::integer * interval '1 microsecond');
        PERFORM annals_internal.check_time('valid', lower(NEW.valid)), annals_internal.check_time('valid', upper(NEW.valid));
    END IF;
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
COMMENT ON FUNCTION annals_internal.keep_bounds() IS 'Trigger: makes what SQL writes as valid half-open, and refuses years other than 1 to 9999; gives an open bound the basis unknown, and a bound without a basis the basis stated.';

CREATE TRIGGER bounds BEFORE INSERT OR UPDATE OF valid ON annals.facts
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_bounds();
COMMENT ON TRIGGER bounds ON annals.facts IS 'Keeps the basis and precision of each bound consistent with valid.';

-- Only the engine resolves dates. If SQL writes a fact without told, told becomes
-- a copy of fact: dates resolved for another sentence or day would be wrong.
CREATE FUNCTION annals_internal.tell_as_written() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    NEW.told := NEW.fact;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.tell_as_written() IS 'Trigger: copies fact to told.';

CREATE TRIGGER told_insert BEFORE INSERT ON annals.facts
    FOR EACH ROW WHEN (NEW.told = '') EXECUTE FUNCTION annals_internal.tell_as_written();
COMMENT ON TRIGGER told_insert ON annals.facts IS 'Copies fact to told if told is missing.';
CREATE TRIGGER told_update BEFORE UPDATE ON annals.facts
    FOR EACH ROW WHEN (NEW.told = '' OR OLD.told = NEW.told AND (OLD.fact, OLD.said_at) IS DISTINCT FROM (NEW.fact, NEW.said_at)
        AND annals_internal.write_origin()->>'door' = 'sql') -- the engine may change fact and keep told
    EXECUTE FUNCTION annals_internal.tell_as_written();
COMMENT ON TRIGGER told_update ON annals.facts IS 'Copies fact to told if SQL changes fact and leaves told as it was.';

CREATE INDEX facts_pair ON annals.facts (group_id, source_id, target_id, id);
COMMENT ON INDEX annals.facts_pair IS 'Finds the facts between two entities.';
CREATE INDEX facts_source ON annals.facts (group_id, source_id, id);
COMMENT ON INDEX annals.facts_source IS 'Finds the newest facts whose source is an entity.';
CREATE INDEX facts_source_predicate ON annals.facts (group_id, source_id, predicate, id);
COMMENT ON INDEX annals.facts_source_predicate IS 'Finds the facts with a given source and predicate.';
CREATE INDEX facts_target ON annals.facts (group_id, target_id, id);
COMMENT ON INDEX annals.facts_target IS 'Finds the newest facts whose target is an entity.';
CREATE INDEX facts_target_predicate ON annals.facts (group_id, target_id, predicate, id);
COMMENT ON INDEX annals.facts_target_predicate IS 'Finds the facts with a given target and predicate.';
CREATE INDEX facts_statement ON annals.facts (group_id, statement_id);
COMMENT ON INDEX annals.facts_statement IS 'Finds the facts of one statement.';
CREATE INDEX facts_began ON annals.facts (group_id, coalesce(lower(valid), '-infinity'), id);
COMMENT ON INDEX annals.facts_began IS 'Finds the facts of a group by their start, for the timeline.';
CREATE INDEX facts_planned ON annals.facts (group_id, coalesce(lower(valid), '-infinity'), id) WHERE lower(valid) > said_at OR from_basis = 'planned';
COMMENT ON INDEX annals.facts_planned IS 'Finds the facts of a group that were plans when said, for lists as of an earlier time.';
CREATE INDEX facts_ended ON annals.facts (group_id, upper(valid), id) WHERE kind = 'state' AND NOT upper_inf(valid);
COMMENT ON INDEX annals.facts_ended IS 'Finds the states of a group by their end, for the timeline.';
CREATE INDEX facts_over ON annals.facts (group_id, upper(valid), id) WHERE kind = 'event' AND lower_inf(valid);
COMMENT ON INDEX annals.facts_over IS 'Finds the events of a group without a start, by their latest time.';
CREATE INDEX facts_closed ON annals.facts (group_id, id) INCLUDE (valid) WHERE NOT upper_inf(valid) AND kind = 'state';
COMMENT ON INDEX annals.facts_closed IS 'Finds the states of a group that have an end. Searches leave out those that have ended.';

CREATE INDEX facts_ahead ON annals.facts (group_id) WHERE kind = 'state' AND lower(valid) > lower(recorded);
COMMENT ON INDEX annals.facts_ahead IS 'Tells whether a group has states that start after their version was recorded.';

CREATE INDEX facts_not_believed ON annals.facts (group_id, trust, id) WHERE trust <> 'believed';
COMMENT ON INDEX annals.facts_not_believed IS 'Finds the facts of a group that are candidates or disputed.';

CREATE INDEX facts_bounded ON annals.facts (group_id, bounded_by) WHERE bounded_by IS NOT NULL;
COMMENT ON INDEX annals.facts_bounded IS 'Finds the facts that a given fact bounds.';

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
    'Facts that were withdrawn by hand or taken back by an episode: they never held. An episode that says one again is kept but makes no fact.';
COMMENT ON COLUMN annals.rejections.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.rejections.id IS 'Its id.';
COMMENT ON COLUMN annals.rejections.source_id IS 'The entity that the fact was about; it may be gone.';
COMMENT ON COLUMN annals.rejections.predicate IS 'The relation, in capitals, such as LIVES_IN.';
COMMENT ON COLUMN annals.rejections.target_id IS 'The entity that the fact related the source to; it may be gone.';
COMMENT ON COLUMN annals.rejections.source_keys IS 'Names of the source, folded.';
COMMENT ON COLUMN annals.rejections.target_keys IS 'Names of the target, folded.';
COMMENT ON COLUMN annals.rejections.fact IS 'The sentence, as it was believed.';
COMMENT ON COLUMN annals.rejections.sentence_key IS 'The sentence, folded.';
COMMENT ON COLUMN annals.rejections.fact_id IS 'Id that the fact had.';
COMMENT ON COLUMN annals.rejections.episode_id IS 'The episode that took it back; NULL: it was withdrawn by hand.';
COMMENT ON COLUMN annals.rejections.valid IS 'Time range for which it was taken back, half-open.';
COMMENT ON COLUMN annals.rejections.said_at IS 'Time it was taken back.';
COMMENT ON COLUMN annals.rejections.told IS 'Keys of the episodes that stated it, by actor and content. Repeating the same words does not state it again.';
COMMENT ON COLUMN annals.rejections.terms IS 'Words of the sentence as text search splits them, without the source''s name. Kept by a trigger.';
COMMENT ON COLUMN annals.rejections.authority IS 'Authority of whoever took it back.';
COMMENT ON COLUMN annals.rejections.door IS 'Door by which it was taken back.';
COMMENT ON COLUMN annals.rejections.written_by IS 'The key or role that took it back.';
COMMENT ON COLUMN annals.rejections.rejected_at IS 'Time the rejection was recorded.';
COMMENT ON COLUMN annals.rejections.lifted_at IS 'Time the fact was readmitted; NULL: still rejected.';
COMMENT ON COLUMN annals.rejections.lifted_by IS 'Door and key or role that readmitted it, or ''episode'' and the id of the episode that did.';

CREATE INDEX rejections_sentence ON annals.rejections (group_id, sentence_key) WHERE lifted_at IS NULL;
COMMENT ON INDEX annals.rejections_sentence IS 'Finds the standing rejections by their sentence.';
CREATE INDEX rejections_episode ON annals.rejections (group_id, episode_id);
COMMENT ON INDEX annals.rejections_episode IS 'Finds the rejections that an episode made.';
CREATE INDEX rejections_fact ON annals.rejections (group_id, fact_id);
COMMENT ON INDEX annals.rejections_fact IS 'Finds the rejections of a fact.';

-- Most groups have no rejections and no expired rows, and a lookup costs less than a
-- function call. ORDER BY with OFFSET keeps the subquery: PostgreSQL probes the index once
-- for each row, and builds no hash and no scan over all groups.
CREATE VIEW annals.episode_rows WITH (security_invoker = true) AS
SELECT e.group_id, e.id, e.source, e.content, e.actor, e.role, e.name, e.source_description, e.thread_id, e.occurred_at, e.created_at,
    e.metadata, e.external_id, e.state, e.attempts, e.error, e.deferred, e.door, e.written_by, e.authority,
    CASE WHEN EXISTS (SELECT FROM annals.rejections r WHERE r.group_id = e.group_id ORDER BY r.id OFFSET 0)
        THEN annals_internal.taken_back(e.group_id, e.id, e.content, e.actor, e.thread_id, e.terms, e.said_key) ELSE '' END AS taken_back
FROM annals.episodes e
WHERE NOT EXISTS (SELECT FROM annals_internal.expired_marks m WHERE m.group_id = e.group_id ORDER BY m.expires_at OFFSET 0)
    OR NOT annals_internal.has_expired(e.group_id, 'episode', e.id);
COMMENT ON VIEW annals.episode_rows IS 'Episodes that have not expired, without columns derived from their texts.';
COMMENT ON COLUMN annals.episode_rows.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.episode_rows.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.episode_rows.source IS 'Form in which it arrived: message, text, json, or run (what an agent did).';
COMMENT ON COLUMN annals.episode_rows.content IS 'The text itself.';
COMMENT ON COLUMN annals.episode_rows.actor IS 'Name of the speaker or author; may be empty.';
COMMENT ON COLUMN annals.episode_rows.role IS 'Role of the speaker, such as user, assistant, system or tool; may be empty.';
COMMENT ON COLUMN annals.episode_rows.name IS 'A title; may be empty.';
COMMENT ON COLUMN annals.episode_rows.source_description IS 'Description of where it comes from; may be empty.';
COMMENT ON COLUMN annals.episode_rows.thread_id IS 'The conversation it belongs to; may be empty.';
COMMENT ON COLUMN annals.episode_rows.occurred_at IS 'Time it was said.';
COMMENT ON COLUMN annals.episode_rows.created_at IS 'Time it was taken in.';
COMMENT ON COLUMN annals.episode_rows.metadata IS 'JSON object of the caller, returned unchanged.';
COMMENT ON COLUMN annals.episode_rows.external_id IS 'Id that the caller gave it, unique in the group.';
COMMENT ON COLUMN annals.episode_rows.state IS 'Progress into the graph: pending, processing, done or failed.';
COMMENT ON COLUMN annals.episode_rows.attempts IS 'Number of times processing was started since it arrived, or since the last retry.';
COMMENT ON COLUMN annals.episode_rows.error IS 'Reason for the failure; NULL unless it failed.';
COMMENT ON COLUMN annals.episode_rows.deferred IS 'True if no model reads it until a retry asks for it. It can be searched all the same.';
COMMENT ON COLUMN annals.episode_rows.door IS 'Door it came in by.';
COMMENT ON COLUMN annals.episode_rows.written_by IS 'The API key or database user that stored it; may be empty.';
COMMENT ON COLUMN annals.episode_rows.authority IS 'Whose word it is.';
COMMENT ON COLUMN annals.episode_rows.taken_back IS 'How much of it was withdrawn since: all or part; empty: nothing.';

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

-- Tells whether a rejection refuses a matching claim. A person's rejection
-- stands, unless a user or a person states a time outside it. An episode's
-- rejection lets pass what the same or a higher authority says later in new
-- words.
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
COMMENT ON FUNCTION annals_internal.fold_names(text[]) IS 'Folds names, and drops those that become empty.';

-- Hashes every pair of marks of two ends, with the group. The marks of an end are
-- its id and its names. One index on the hashes finds rows by any marks of their
-- ends. Hashes can collide, so callers also compare the ends.
CREATE FUNCTION annals_internal.end_pair_hashes(group_id text, source_id uuid, source_keys text[], target_id uuid, target_keys text[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT hashtextextended(concat_ws(E'\n', end_pair_hashes.group_id, s.mark, t.mark), 0)
    FROM unnest(source_keys || source_id::text) AS s(mark) CROSS JOIN unnest(target_keys || target_id::text) AS t(mark)
    WHERE s.mark IS NOT NULL AND t.mark IS NOT NULL);
COMMENT ON FUNCTION annals_internal.end_pair_hashes(text, uuid, text[], uuid, text[]) IS
    'Hashes every pair of ids and names of two ends, together with their group, for an index lookup.';

CREATE INDEX rejections_ends ON annals.rejections USING gin (annals_internal.end_pair_hashes(group_id, source_id, source_keys, target_id, target_keys))
    WITH (fastupdate = off) WHERE lifted_at IS NULL;
COMMENT ON INDEX annals.rejections_ends IS 'Finds the standing rejections by their two ends.';

CREATE FUNCTION annals_internal.is_symmetric(predicate text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(predicate, '^NO_LONGER_', '') = ANY ('{COLLEAGUE_OF,COUSIN_OF,DATES,DATING,ENGAGED_TO,FRIEND_OF,FRIENDS_WITH,KNOWS,LIVES_WITH,MARRIED_TO,NEIGHBOR_OF,NEIGHBOUR_OF,PARTNER_OF,RELATED_TO,ROOMMATE_OF,SIBLING_OF,SPOUSE_OF,TWIN_OF,WORKS_WITH}'::text[]);
COMMENT ON FUNCTION annals_internal.is_symmetric(text) IS 'Tells whether a predicate holds in both directions.';

-- Finds the rejections that each claim matches, and whether they refuse it. A claim is
-- the same as a rejection if its sentence is equal, or its relation and both ends are.
-- An end is equal by its id or by one of its names. Of the rejections that share only
-- the ends, the latest ten are returned that would refuse the same claim; the analyst
-- compares the sentences. If the fact is believed again, its rejections are not
-- matched by their ends. A later claim of the same or a higher authority readmits what
-- an episode took back, unless it states a time after that. Claims are objects with
-- place, source_id, target_id, sources and targets (names), predicate, fact, kind,
-- valid_from, valid_until, stated, said_at, authority, and episode: the position of
-- its content in told.
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
COMMENT ON FUNCTION annals_internal.matching_rejections(text, jsonb, text[]) IS 'Finds the rejections that each claim matches, and whether they refuse it.';

-- Refuses withdrawn facts that SQL inserts, or makes by an update. The engine has
-- checked its own writes before.
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

-- A claim of a lower authority does not end a fact of a higher one. Both stand,
-- and the lower is disputed. The dispute goes with either fact, and with the
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
COMMENT ON TABLE annals.disputes IS 'Disputed facts: each contradicts a fact of higher authority, or at second hand what somebody said about themselves. Also candidates, with the facts they contradict. Neither fact ended the other.';
COMMENT ON COLUMN annals.disputes.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.disputes.fact_id IS 'The disputed fact. It may be gone, and is disputed again if it comes back.';
COMMENT ON COLUMN annals.disputes.disputed_by IS 'The fact that it contradicts.';
COMMENT ON COLUMN annals.disputes.episode_id IS 'The episode that began the dispute.';
COMMENT ON COLUMN annals.disputes.told_by IS 'Who, by the episode, tells it: a name, or somebody. Empty: the speaker.';

CREATE INDEX disputes_by ON annals.disputes (group_id, disputed_by);
COMMENT ON INDEX annals.disputes_by IS 'Finds the facts that a fact disputes.';
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
COMMENT ON TABLE annals.fact_episodes IS 'Links each fact to the episodes that state it, end it, or stated it before a person corrected it.';
COMMENT ON COLUMN annals.fact_episodes.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.fact_episodes.fact_id IS 'The fact.';
COMMENT ON COLUMN annals.fact_episodes.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.fact_episodes.role IS 'Effect of the episode: states the fact, ends it, or stated it before a correction.';

CREATE INDEX fact_episodes_episode ON annals.fact_episodes (group_id, episode_id, fact_id);
COMMENT ON INDEX annals.fact_episodes_episode IS 'Finds the facts that an episode states or ends.';

-- Counts the episodes that mention each entity; lists of entities sort by the
-- count. As a column of entities, it would rewrite the whole row at each mention.
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
COMMENT ON INDEX annals_internal.entity_mentions_most IS 'Lists the entities of a group by number of mentions, highest first.';

CREATE FUNCTION annals_internal.keep_entity_mentions() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO annals_internal.entity_mentions AS m (group_id, entity_id, name)
    VALUES (NEW.group_id, NEW.id, NEW.name)
    ON CONFLICT (group_id, entity_id) DO UPDATE SET name = excluded.name;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.keep_entity_mentions() IS 'Trigger: keeps the names in entity_mentions up to date.';

CREATE TRIGGER mentions_insert AFTER INSERT ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_entity_mentions();
COMMENT ON TRIGGER mentions_insert ON annals.entities IS 'Adds a new entity to entity_mentions.';
CREATE TRIGGER mentions_update AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION annals_internal.keep_entity_mentions();
COMMENT ON TRIGGER mentions_update ON annals.entities IS 'Updates the name in entity_mentions.';

-- Statement-level triggers read the changed rows first and write in separate
-- statements. A cluster would distribute one that did both, and its servers lack the
-- transition table. Counts are written one at a time: a large new group has no
-- statistics, so the planner expects one row and joins all rows with all changes.
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
COMMENT ON FUNCTION annals_internal.count_mentions() IS 'Trigger: keeps the counts in entity_mentions up to date.';

CREATE TRIGGER count_added AFTER INSERT ON annals.mentions
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.count_mentions();
COMMENT ON TRIGGER count_added ON annals.mentions IS 'Adds new mentions to entity_mentions.';
CREATE TRIGGER count_removed AFTER DELETE ON annals.mentions
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.count_mentions();
COMMENT ON TRIGGER count_removed ON annals.mentions IS 'Subtracts removed mentions from entity_mentions.';

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
COMMENT ON TABLE annals.communities IS 'Clusters of entities that many current facts connect.';
COMMENT ON COLUMN annals.communities.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.communities.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.communities.name IS 'Title made from its key terms and topics.';
COMMENT ON COLUMN annals.communities.summary IS 'Summary of what its members have in common.';
COMMENT ON COLUMN annals.communities.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals.communities.recorded IS
    'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals.communities.terms IS 'Its words as text search splits them, for ranking by BM25. Kept by a trigger.';
COMMENT ON COLUMN annals.communities.length IS 'Number of terms in it. Kept by a trigger.';
COMMENT ON COLUMN annals.communities.digest IS 'Hash of the input of its summary; empty: the input has changed since.';
COMMENT ON COLUMN annals.communities.size IS 'Number of members. Kept by triggers.';
COMMENT ON COLUMN annals.communities.stale IS 'True if its words may tell what was withdrawn or undone. They are removed, and readers do not see it until it is rebuilt.';

CREATE INDEX communities_biggest ON annals.communities (group_id, (-size), name, id);
COMMENT ON INDEX annals.communities_biggest IS 'Lists the communities of a group by size, largest first.';
CREATE INDEX communities_stale ON annals.communities (group_id, id) WHERE stale;
COMMENT ON INDEX annals.communities_stale IS 'Finds the communities to rebuild.';

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
COMMENT ON FUNCTION annals_internal.count_members() IS 'Trigger: keeps the sizes of communities up to date.';

CREATE TRIGGER count_added AFTER INSERT ON annals.community_members
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.count_members();
COMMENT ON TRIGGER count_added ON annals.community_members IS 'Adds new members to the sizes of communities.';
CREATE TRIGGER count_removed AFTER DELETE ON annals.community_members
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.count_members();
COMMENT ON TRIGGER count_removed ON annals.community_members IS 'Subtracts removed members from the sizes of communities.';

CREATE TABLE annals_internal.community_builds (
    group_id text PRIMARY KEY REFERENCES annals.groups ON DELETE CASCADE,
    built_at timestamptz,
    entities integer NOT NULL DEFAULT 0 CHECK (entities >= 0),
    arrived integer NOT NULL DEFAULT 0 CHECK (arrived >= 0)
);
COMMENT ON TABLE annals_internal.community_builds IS 'The last computation of each group''s communities.';
COMMENT ON COLUMN annals_internal.community_builds.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.community_builds.built_at IS 'Time they were computed; NULL: never.';
COMMENT ON COLUMN annals_internal.community_builds.entities IS 'Number of entities in the group at that time.';
COMMENT ON COLUMN annals_internal.community_builds.arrived IS 'Number of entities that arrived after that time.';

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
