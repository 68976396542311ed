-- Vectors of rows, by the embedder that made them, and former vectors for
-- searches as of an earlier time.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(6);

-- Wrap operators and the type of pgvector in functions that need no search path,
-- like those of pg_trgm in the first migration.
CREATE FUNCTION annals_internal.distance(a halfvec, b halfvec) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN a <=> b;
COMMENT ON FUNCTION annals_internal.distance(halfvec, halfvec) IS
    'Returns the cosine distance of two vectors, from 0 (same direction) to 2 (opposite): the operator <=> of pgvector.';

CREATE FUNCTION annals_internal.cast_to_dimension(embedding halfvec, dimensions integer) RETURNS halfvec
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN halfvec(embedding, dimensions, true);
COMMENT ON FUNCTION annals_internal.cast_to_dimension(halfvec, integer) IS
    'Casts a vector to a fixed number of dimensions, as the index of a large group requires.';

CREATE FUNCTION annals_internal.to_vector(written text) RETURNS halfvec
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN written::halfvec;
COMMENT ON FUNCTION annals_internal.to_vector(text) IS 'Parses a vector from its text form, such as [0.1,0.2].';

-- Vectors have one table per kind, keyed like their rows. The key includes the
-- embedder, so that a new embedder's vectors can be filled in beside the old ones.
-- The vector is not part of the key: an index with it takes more than twice the
-- space, and reads no faster where the rows of a group were written together. A
-- passing remark in a long message hardly shows in the vector of the whole, so its
-- passages have vectors too.
CREATE TABLE annals_internal.episode_embeddings (
    group_id text NOT NULL,
    model text NOT NULL,
    episode_id uuid NOT NULL,
    part smallint NOT NULL DEFAULT 0 CHECK (part >= 0),
    embedding halfvec NOT NULL,
    PRIMARY KEY (group_id, model, episode_id, part),
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE
);
COMMENT ON TABLE annals_internal.episode_embeddings IS
    'One vector per episode and embedder. Embedders that capture meaning also make one per passage of a long message.';
COMMENT ON COLUMN annals_internal.episode_embeddings.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.episode_embeddings.model IS 'The embedder that made the vector, as provider:model.';
COMMENT ON COLUMN annals_internal.episode_embeddings.episode_id IS 'The episode.';
COMMENT ON COLUMN annals_internal.episode_embeddings.part IS 'Part that the vector was made from: 0 for the whole episode, 1 for its first passage, and so on.';
COMMENT ON COLUMN annals_internal.episode_embeddings.embedding IS 'The vector.';

CREATE INDEX episode_embeddings_owner ON annals_internal.episode_embeddings (group_id, episode_id);
COMMENT ON INDEX annals_internal.episode_embeddings_owner IS 'Finds the vectors of an episode, of all embedders.';

CREATE TABLE annals_internal.entity_embeddings (
    group_id text NOT NULL,
    model text NOT NULL,
    entity_id uuid NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (group_id, model, entity_id),
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals_internal.entity_embeddings IS 'One vector per entity and embedder, made from its name.';
COMMENT ON COLUMN annals_internal.entity_embeddings.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.entity_embeddings.model IS 'The embedder that made the vector, as provider:model.';
COMMENT ON COLUMN annals_internal.entity_embeddings.entity_id IS 'The entity.';
COMMENT ON COLUMN annals_internal.entity_embeddings.embedding IS 'The vector.';

CREATE INDEX entity_embeddings_owner ON annals_internal.entity_embeddings (group_id, entity_id);
COMMENT ON INDEX annals_internal.entity_embeddings_owner IS 'Finds the vectors of an entity, of all embedders.';

CREATE TABLE annals_internal.fact_embeddings (
    group_id text NOT NULL,
    model text NOT NULL,
    fact_id uuid NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (group_id, model, fact_id),
    FOREIGN KEY (group_id, fact_id) REFERENCES annals.facts ON DELETE CASCADE
);
COMMENT ON TABLE annals_internal.fact_embeddings IS 'One vector per fact and embedder.';
COMMENT ON COLUMN annals_internal.fact_embeddings.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.fact_embeddings.model IS 'The embedder that made the vector, as provider:model.';
COMMENT ON COLUMN annals_internal.fact_embeddings.fact_id IS 'The fact.';
COMMENT ON COLUMN annals_internal.fact_embeddings.embedding IS 'The vector.';

CREATE INDEX fact_embeddings_owner ON annals_internal.fact_embeddings (group_id, fact_id);
COMMENT ON INDEX annals_internal.fact_embeddings_owner IS 'Finds the vectors of a fact, of all embedders.';

CREATE TABLE annals_internal.community_embeddings (
    group_id text NOT NULL,
    model text NOT NULL,
    community_id uuid NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (group_id, model, community_id),
    FOREIGN KEY (group_id, community_id) REFERENCES annals.communities ON DELETE CASCADE
);
COMMENT ON TABLE annals_internal.community_embeddings IS 'One vector per community and embedder.';
COMMENT ON COLUMN annals_internal.community_embeddings.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.community_embeddings.model IS 'The embedder that made the vector, as provider:model.';
COMMENT ON COLUMN annals_internal.community_embeddings.community_id IS 'The community.';
COMMENT ON COLUMN annals_internal.community_embeddings.embedding IS 'The vector.';

CREATE INDEX community_embeddings_owner ON annals_internal.community_embeddings (group_id, community_id);
COMMENT ON INDEX annals_internal.community_embeddings_owner IS 'Finds the vectors of a community, of all embedders.';

CREATE VIEW annals.vectors WITH (security_invoker = true) AS
SELECT v.group_id, 'episode'::annals.kind AS kind, v.model, v.episode_id AS id, v.embedding FROM annals_internal.episode_embeddings v WHERE v.part = 0
UNION ALL
SELECT v.group_id, 'entity', v.model, v.entity_id, v.embedding FROM annals_internal.entity_embeddings v
UNION ALL
SELECT v.group_id, 'fact', v.model, v.fact_id, v.embedding FROM annals_internal.fact_embeddings v
UNION ALL
SELECT v.group_id, 'community', v.model, v.community_id, v.embedding FROM annals_internal.community_embeddings v;
COMMENT ON VIEW annals.vectors IS 'The vectors of all kinds of rows. For episodes, only those of the whole text.';
COMMENT ON COLUMN annals.vectors.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.vectors.kind IS 'Kind of the row: episode, entity, fact or community.';
COMMENT ON COLUMN annals.vectors.model IS 'The embedder that made the vector, as provider:model.';
COMMENT ON COLUMN annals.vectors.id IS 'Id of the row.';
COMMENT ON COLUMN annals.vectors.embedding IS 'The vector.';

-- Stores vectors inline and uncompressed, because a search reads many of them.
ALTER TABLE annals_internal.episode_embeddings ALTER embedding SET STORAGE PLAIN;
ALTER TABLE annals_internal.entity_embeddings ALTER embedding SET STORAGE PLAIN;
ALTER TABLE annals_internal.fact_embeddings ALTER embedding SET STORAGE PLAIN;
ALTER TABLE annals_internal.community_embeddings ALTER embedding SET STORAGE PLAIN;

-- Sets the number of dimensions of vectors once; only re-embedding changes it.
-- Later calls with the same number do nothing; another number fails.
CREATE FUNCTION annals_internal.fix_embedding_dimension(dimension integer) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    stored integer;
BEGIN
    SELECT value::integer INTO stored FROM annals_internal.settings WHERE group_id = '' AND name = 'embedding_dimension';
    IF stored IS NOT NULL THEN
        IF dimension <> 0 AND stored <> dimension THEN
            RAISE EXCEPTION 'vectors in this database have % dimensions, not %', stored, dimension
                USING ERRCODE = 'object_not_in_prerequisite_state';
        END IF;
        RETURN stored;
    END IF;
    IF dimension NOT BETWEEN 1 AND 3800 THEN
        RAISE EXCEPTION 'vectors may have 1 to 3800 dimensions, not %', dimension
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    INSERT INTO annals_internal.settings (group_id, name, value) VALUES ('', 'embedding_dimension', to_jsonb(dimension));
    RETURN dimension;
END
$$;
COMMENT ON FUNCTION annals_internal.fix_embedding_dimension(integer) IS
    'Sets the number of dimensions of the vectors in this database once. Fails if another number is set.';

-- Keeps the vectors of rows that left the graph and of replaced texts. A former
-- version with the text of the current row has none here. A vector belonged to
-- its row until the time `until`.
CREATE TABLE annals_internal.embeddings_history (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    kind annals.kind NOT NULL,
    model text NOT NULL,
    id uuid NOT NULL,
    until timestamptz NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (group_id, kind, model, id, until)
);
COMMENT ON TABLE annals_internal.embeddings_history IS
    'Vectors of rows that left the graph or whose text was replaced, for searches in the past. Written by triggers.';
COMMENT ON COLUMN annals_internal.embeddings_history.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.embeddings_history.kind IS 'Kind of the row: episode, entity, fact or community.';
COMMENT ON COLUMN annals_internal.embeddings_history.model IS 'The embedder that made the vector, as provider:model.';
COMMENT ON COLUMN annals_internal.embeddings_history.id IS 'The row that it belonged to.';
COMMENT ON COLUMN annals_internal.embeddings_history.until IS 'Time until which it was the vector of that row.';
COMMENT ON COLUMN annals_internal.embeddings_history.embedding IS 'The vector.';

CREATE FUNCTION annals_internal.keep_embeddings(kind text, group_id text, id uuid, until timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = $2) THEN
        RETURN;
    END IF;
    CASE kind
        WHEN 'entity' THEN
            INSERT INTO annals_internal.embeddings_history (group_id, kind, model, id, until, embedding)
            SELECT v.group_id, 'entity', v.model, v.entity_id, $4, v.embedding
            FROM annals_internal.entity_embeddings v WHERE v.group_id = $2 AND v.entity_id = $3
            ON CONFLICT DO NOTHING;
        WHEN 'fact' THEN
            INSERT INTO annals_internal.embeddings_history (group_id, kind, model, id, until, embedding)
            SELECT v.group_id, 'fact', v.model, v.fact_id, $4, v.embedding
            FROM annals_internal.fact_embeddings v WHERE v.group_id = $2 AND v.fact_id = $3
            ON CONFLICT DO NOTHING;
        WHEN 'community' THEN
            INSERT INTO annals_internal.embeddings_history (group_id, kind, model, id, until, embedding)
            SELECT v.group_id, 'community', v.model, v.community_id, $4, v.embedding
            FROM annals_internal.community_embeddings v WHERE v.group_id = $2 AND v.community_id = $3
            ON CONFLICT DO NOTHING;
    END CASE;
END
$$;
COMMENT ON FUNCTION annals_internal.keep_embeddings(text, text, uuid, timestamptz) IS 'Copies the vectors of a row that leaves the graph to embeddings_history.';

-- Keeps a vector that is replaced after a change of text: it belonged to the
-- versions before the current one. If the current version is the first, nothing
-- is kept.
CREATE FUNCTION annals_internal.keep_replaced_embedding() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    CASE TG_ARGV[0]
        WHEN 'entity' THEN
            INSERT INTO annals_internal.embeddings_history (group_id, kind, model, id, until, embedding)
            SELECT o.group_id, 'entity', OLD.model, o.id, lower(o.recorded), OLD.embedding
            FROM annals.entities o
            WHERE o.group_id = OLD.group_id AND o.id = OLD.entity_id AND lower(o.recorded) > o.created_at
            ON CONFLICT DO NOTHING;
        WHEN 'fact' THEN
            INSERT INTO annals_internal.embeddings_history (group_id, kind, model, id, until, embedding)
            SELECT o.group_id, 'fact', OLD.model, o.id, lower(o.recorded), OLD.embedding
            FROM annals.facts o
            WHERE o.group_id = OLD.group_id AND o.id = OLD.fact_id AND lower(o.recorded) > o.created_at
            ON CONFLICT DO NOTHING;
        WHEN 'community' THEN
            INSERT INTO annals_internal.embeddings_history (group_id, kind, model, id, until, embedding)
            SELECT o.group_id, 'community', OLD.model, o.id, lower(o.recorded), OLD.embedding
            FROM annals.communities o
            WHERE o.group_id = OLD.group_id AND o.id = OLD.community_id AND lower(o.recorded) > o.created_at
            ON CONFLICT DO NOTHING;
    END CASE;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.keep_replaced_embedding() IS 'Trigger: keeps a vector that is replaced after a change of text.';

-- Uses the operator, because pg_dump can qualify it with its schema, and restores
-- have no search path. IS DISTINCT FROM cannot be qualified. No vector is NULL.
CREATE TRIGGER history_update AFTER UPDATE ON annals_internal.entity_embeddings
    FOR EACH ROW WHEN (OLD.embedding <> NEW.embedding)
    EXECUTE FUNCTION annals_internal.keep_replaced_embedding('entity');
COMMENT ON TRIGGER history_update ON annals_internal.entity_embeddings IS 'Keeps a replaced vector in embeddings_history.';
CREATE TRIGGER history_update AFTER UPDATE ON annals_internal.fact_embeddings
    FOR EACH ROW WHEN (OLD.embedding <> NEW.embedding)
    EXECUTE FUNCTION annals_internal.keep_replaced_embedding('fact');
COMMENT ON TRIGGER history_update ON annals_internal.fact_embeddings IS 'Keeps a replaced vector in embeddings_history.';
CREATE TRIGGER history_update AFTER UPDATE ON annals_internal.community_embeddings
    FOR EACH ROW WHEN (OLD.embedding <> NEW.embedding)
    EXECUTE FUNCTION annals_internal.keep_replaced_embedding('community');
COMMENT ON TRIGGER history_update ON annals_internal.community_embeddings IS 'Keeps a replaced vector in embeddings_history.';

-- Returns the embedder of this database's vectors, set by re-embedding. NULL:
-- never re-embedded, and each writer uses its own.
CREATE FUNCTION annals_internal.current_embedder() RETURNS text
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT value #>> '{}' FROM annals_internal.settings WHERE group_id = '' AND name = 'embedder';
END;
COMMENT ON FUNCTION annals_internal.current_embedder() IS
    'Returns the embedder of the vectors, as provider:model, set by re-embedding; NULL: the database was never re-embedded.';

-- Returns the embedder whose vectors are being filled in beside the current ones;
-- NULL: none.
CREATE FUNCTION annals_internal.next_embedder() RETURNS text
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT value #>> '{}' FROM annals_internal.settings WHERE group_id = '' AND name = 'next_embedder';
END;
COMMENT ON FUNCTION annals_internal.next_embedder() IS 'Returns the embedder whose vectors are being filled in beside the current ones; NULL: none.';

-- Returns the table of a kind, and the column from which vectors are made.
-- Vectors of facts use the predicate too.
CREATE FUNCTION annals_internal.embedding_source(kind annals.kind, OUT owners name, OUT words name)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE kind WHEN 'episode' THEN 'episodes' WHEN 'entity' THEN 'entities' WHEN 'fact' THEN 'facts' ELSE 'communities' END,
        CASE kind WHEN 'episode' THEN 'content' WHEN 'fact' THEN 'fact' ELSE 'name' END;
END;
COMMENT ON FUNCTION annals_internal.embedding_source(annals.kind) IS
    'Returns the table of a kind, and the column whose text its vectors are made from.';

-- Returns a page of rows in the order of their keys. Episodes waiting to be read
-- are not missing vectors: they get them when they are read.
CREATE FUNCTION annals_internal.vectors_missing(group_id text, kind annals.kind, model text, after uuid, max_rows integer)
RETURNS TABLE (id uuid, words text, predicate text, source text, role text, missing boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    of record := annals_internal.embedding_source(kind);
BEGIN
    RETURN QUERY EXECUTE format('
        WITH page AS MATERIALIZED (
            SELECT p.id FROM annals.%1$I p WHERE p.group_id = $1 AND p.id > $3 ORDER BY p.id LIMIT $4
        )
        SELECT r.id, r.%2$I, %5$s, %7$s, %6$s AND NOT EXISTS (
            SELECT FROM annals_internal.%3$I v WHERE v.group_id = r.group_id AND v.model = $2 AND v.%4$I = r.id %8$s)
        FROM page
        JOIN annals.%1$I r ON r.group_id = $1 AND r.id = page.id
        ORDER BY r.id',
        of.owners, of.words, kind || '_embeddings', kind || '_id', CASE kind WHEN 'fact' THEN 'r.predicate' ELSE '''''' END,
        CASE kind WHEN 'episode' THEN '(r.state = ''done'' OR r.deferred OR EXISTS (
            SELECT FROM annals_internal.episode_embeddings o WHERE o.group_id = r.group_id AND o.episode_id = r.id))' WHEN 'community' THEN 'NOT r.stale' ELSE 'true' END,
        CASE kind WHEN 'episode' THEN 'r.source::text, r.role' ELSE ''''', ''''' END,
        CASE kind WHEN 'episode' THEN 'AND v.part = 0' ELSE '' END)
    USING group_id, model, after, max_rows;
END
$$;
COMMENT ON FUNCTION annals_internal.vectors_missing(text, annals.kind, text, uuid, integer) IS
    'Returns a page of rows with the texts that vectors are made from, and whether a row lacks a vector of the model.';

-- Takes the vectors of each row as one text, separated by spaces: one vector, or for
-- an episode that of the whole and of each passage. Skips rows that another
-- transaction is changing.
CREATE FUNCTION annals_internal.fill_vectors(group_id text, kind annals.kind, model text, ids uuid[], words text[], predicates text[], embeddings text[])
RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    of record := annals_internal.embedding_source(kind);
    added bigint;
BEGIN
    EXECUTE format('
        WITH added AS ( -- Citus cannot read rows of another WITH here
            INSERT INTO annals_internal.%3$I (group_id, model, %4$I, %6$s embedding)
            SELECT $1, $2, h.id, %7$s annals_internal.to_vector(p.embedding)
            FROM (
                SELECT r.id, v.embeddings
                FROM (SELECT unnest($3) AS id, unnest($4) AS words, unnest($5) AS predicate, unnest($6) AS embeddings) v
                JOIN annals.%1$I r ON r.group_id = $1 AND r.id = v.id AND r.%2$I = v.words AND %5$s
                FOR SHARE OF r SKIP LOCKED
            ) h
            CROSS JOIN LATERAL string_to_table(h.embeddings, '' '') WITH ORDINALITY AS p(embedding, place)
            ON CONFLICT DO NOTHING
            RETURNING %4$I AS id
        )
        SELECT count(DISTINCT id) FROM added',
        of.owners, of.words, kind || '_embeddings', kind || '_id', CASE kind WHEN 'fact' THEN 'r.predicate = v.predicate' ELSE 'true' END,
        CASE kind WHEN 'episode' THEN 'part,' ELSE '' END, CASE kind WHEN 'episode' THEN 'p.place - 1,' ELSE '' END)
    INTO added USING group_id, model, ids, words, predicates, embeddings;
    RETURN added;
END
$$;
COMMENT ON FUNCTION annals_internal.fill_vectors(text, annals.kind, text, uuid[], text[], text[], text[]) IS
    'Adds vectors to rows whose text has not changed since, and returns the number of rows.';

CREATE FUNCTION annals_internal.drop_vectors(group_id text, kind annals.kind, model text, own boolean, max_rows integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    removed bigint;
BEGIN
    EXECUTE format('
        WITH gone AS (
            DELETE FROM annals_internal.%1$I d
            WHERE d.group_id = $1 AND (d.model, d.%2$I) IN (
                SELECT v.model, v.%2$I FROM annals_internal.%1$I v WHERE v.group_id = $1 AND (v.model = $2) = $3 LIMIT $4)
            RETURNING d.model, d.%2$I AS id
        )
        SELECT count(DISTINCT (g.model, g.id)) FROM gone g',
        kind || '_embeddings', kind || '_id')
    INTO removed USING group_id, model, own, max_rows;
    RETURN removed;
END
$$;
COMMENT ON FUNCTION annals_internal.drop_vectors(text, annals.kind, text, boolean, integer) IS
    'Removes at most max_rows of a group''s vectors: those of the model if own, else those of all others. Returns the number of rows.';

-- Refuses vectors of a replaced embedder, because no search would find them. The
-- lock, held until the transaction ends, makes a replacement wait for writers of
-- old vectors.
CREATE FUNCTION annals_internal.check_embedder() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    replaced text;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('annals.embedder', 0));
    IF annals_internal.current_embedder() IS NOT NULL THEN
        SELECT model INTO replaced FROM new_rows
        WHERE model <> annals_internal.current_embedder() AND model IS DISTINCT FROM annals_internal.next_embedder()
        LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'the vectors of this database are made by % now, not by %', annals_internal.current_embedder(), replaced
                USING ERRCODE = 'AN004';
        END IF;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.check_embedder() IS 'Trigger: refuses vectors of a replaced embedder.';

CREATE TRIGGER embedder_insert AFTER INSERT ON annals_internal.episode_embeddings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.check_embedder();
COMMENT ON TRIGGER embedder_insert ON annals_internal.episode_embeddings IS 'Refuses vectors of a replaced embedder.';
CREATE TRIGGER embedder_update AFTER UPDATE ON annals_internal.episode_embeddings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.check_embedder();
COMMENT ON TRIGGER embedder_update ON annals_internal.episode_embeddings IS 'Refuses vectors of a replaced embedder.';
CREATE TRIGGER embedder_insert AFTER INSERT ON annals_internal.entity_embeddings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.check_embedder();
COMMENT ON TRIGGER embedder_insert ON annals_internal.entity_embeddings IS 'Refuses vectors of a replaced embedder.';
CREATE TRIGGER embedder_update AFTER UPDATE ON annals_internal.entity_embeddings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.check_embedder();
COMMENT ON TRIGGER embedder_update ON annals_internal.entity_embeddings IS 'Refuses vectors of a replaced embedder.';
CREATE TRIGGER embedder_insert AFTER INSERT ON annals_internal.fact_embeddings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.check_embedder();
COMMENT ON TRIGGER embedder_insert ON annals_internal.fact_embeddings IS 'Refuses vectors of a replaced embedder.';
CREATE TRIGGER embedder_update AFTER UPDATE ON annals_internal.fact_embeddings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.check_embedder();
COMMENT ON TRIGGER embedder_update ON annals_internal.fact_embeddings IS 'Refuses vectors of a replaced embedder.';
CREATE TRIGGER embedder_insert AFTER INSERT ON annals_internal.community_embeddings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.check_embedder();
COMMENT ON TRIGGER embedder_insert ON annals_internal.community_embeddings IS 'Refuses vectors of a replaced embedder.';
CREATE TRIGGER embedder_update AFTER UPDATE ON annals_internal.community_embeddings
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.check_embedder();
COMMENT ON TRIGGER embedder_update ON annals_internal.community_embeddings IS 'Refuses vectors of a replaced embedder.';

-- Removes the next embedder's vector of a row when its text changes; it is made
-- again later. The code that changes the text replaces the current embedder's
-- vector itself.
CREATE FUNCTION annals_internal.forget_next_vector() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    next_model text := annals_internal.next_embedder();
BEGIN
    IF next_model IS NOT NULL THEN
        EXECUTE format('DELETE FROM annals_internal.%I WHERE group_id = $1 AND model = $2 AND %I = $3',
            TG_ARGV[0] || '_embeddings', TG_ARGV[0] || '_id') USING NEW.group_id, next_model, NEW.id;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.forget_next_vector() IS 'Trigger: removes the next embedder''s vector of a row when its text changes.';

CREATE TRIGGER next_vector AFTER UPDATE ON annals.episodes
    FOR EACH ROW WHEN (OLD.content IS DISTINCT FROM NEW.content) EXECUTE FUNCTION annals_internal.forget_next_vector('episode');
COMMENT ON TRIGGER next_vector ON annals.episodes IS 'Removes the next embedder''s vector when the text of the episode changes.';
CREATE TRIGGER next_vector AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION annals_internal.forget_next_vector('entity');
COMMENT ON TRIGGER next_vector ON annals.entities IS 'Removes the next embedder''s vector when the name of the entity changes.';
CREATE TRIGGER next_vector AFTER UPDATE ON annals.facts
    FOR EACH ROW WHEN ((OLD.fact, OLD.predicate) IS DISTINCT FROM (NEW.fact, NEW.predicate))
    EXECUTE FUNCTION annals_internal.forget_next_vector('fact');
COMMENT ON TRIGGER next_vector ON annals.facts IS 'Removes the next embedder''s vector when the sentence or predicate changes.';
CREATE TRIGGER next_vector AFTER UPDATE ON annals.communities
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION annals_internal.forget_next_vector('community');
COMMENT ON TRIGGER next_vector ON annals.communities IS 'Removes the next embedder''s vector when the name of the community changes.';

-- A vector reveals the words it was made from. It moves with them to the history.
CREATE FUNCTION annals_internal.empty_vector() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_internal.keep_embeddings('community', NEW.group_id, NEW.id, lower(NEW.recorded));
    DELETE FROM annals_internal.community_embeddings v WHERE v.group_id = NEW.group_id AND v.community_id = NEW.id;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.empty_vector() IS 'Trigger: moves the vectors of a community that loses its words to the history.';

CREATE TRIGGER empty_vector AFTER UPDATE ON annals.communities
    FOR EACH ROW WHEN (NEW.stale AND NOT OLD.stale) EXECUTE FUNCTION annals_internal.empty_vector();
COMMENT ON TRIGGER empty_vector ON annals.communities IS 'Moves the vectors of a community that loses its words to the history.';

-- A function, because a cluster runs a statement in several steps if it reads a system
-- catalogue beside our tables.
CREATE FUNCTION annals_internal.pgvector_version() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT extversion FROM pg_catalog.pg_extension WHERE extname = 'vector');
COMMENT ON FUNCTION annals_internal.pgvector_version() IS 'Returns the version of pgvector.';

-- Has no foreign key to the group. The indexes of a removed group stay until the
-- next maintenance drops them, and these rows name them.
CREATE TABLE annals_internal.vector_indexes (
    group_id text NOT NULL,
    kind annals.kind NOT NULL,
    model text NOT NULL,
    index_name text COLLATE "C" NOT NULL CHECK (octet_length(index_name) <= 63),
    rows_at_build bigint NOT NULL CHECK (rows_at_build >= 0),
    valid boolean NOT NULL DEFAULT false,
    built_at timestamptz NOT NULL DEFAULT now(),
    checked_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, kind, model)
);
COMMENT ON TABLE annals_internal.vector_indexes IS 'Approximate vector indexes, one per group that is large enough, kind and embedder.';
COMMENT ON COLUMN annals_internal.vector_indexes.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.vector_indexes.kind IS 'Kind of the row: episode, entity, fact or community.';
COMMENT ON COLUMN annals_internal.vector_indexes.model IS 'The embedder whose vectors it indexes, as provider:model.';
COMMENT ON COLUMN annals_internal.vector_indexes.index_name IS 'Name of the index.';
COMMENT ON COLUMN annals_internal.vector_indexes.rows_at_build IS 'Number of vectors when it was built.';
COMMENT ON COLUMN annals_internal.vector_indexes.valid IS 'True once the build is complete.';
COMMENT ON COLUMN annals_internal.vector_indexes.built_at IS 'Time it was built.';
COMMENT ON COLUMN annals_internal.vector_indexes.checked_at IS 'Time of the last check that it suits the size of the group.';

CALL annals_internal.end_migration(6, 'vectors');

-- +goose StatementEnd
-- +goose Down

DROP TABLE annals_internal.vector_indexes;
DROP TRIGGER empty_vector ON annals.communities;
DROP FUNCTION annals_internal.empty_vector;
DROP TRIGGER next_vector ON annals.communities;
DROP TRIGGER next_vector ON annals.facts;
DROP TRIGGER next_vector ON annals.entities;
DROP TRIGGER next_vector ON annals.episodes;
DROP FUNCTION annals_internal.forget_next_vector;
DROP TRIGGER embedder_update ON annals_internal.community_embeddings;
DROP TRIGGER embedder_insert ON annals_internal.community_embeddings;
DROP TRIGGER embedder_update ON annals_internal.fact_embeddings;
DROP TRIGGER embedder_insert ON annals_internal.fact_embeddings;
DROP TRIGGER embedder_update ON annals_internal.entity_embeddings;
DROP TRIGGER embedder_insert ON annals_internal.entity_embeddings;
DROP TRIGGER embedder_update ON annals_internal.episode_embeddings;
DROP TRIGGER embedder_insert ON annals_internal.episode_embeddings;
DROP FUNCTION annals_internal.check_embedder, annals_internal.drop_vectors, annals_internal.fill_vectors, annals_internal.vectors_missing, annals_internal.embedding_source, annals_internal.next_embedder, annals_internal.current_embedder;
DROP TRIGGER history_update ON annals_internal.community_embeddings;
DROP TRIGGER history_update ON annals_internal.fact_embeddings;
DROP TRIGGER history_update ON annals_internal.entity_embeddings;
DROP FUNCTION annals_internal.keep_replaced_embedding, annals_internal.keep_embeddings;
DROP TABLE annals_internal.embeddings_history;
DROP FUNCTION annals_internal.fix_embedding_dimension;
DROP VIEW annals.vectors;
DROP TABLE annals_internal.community_embeddings, annals_internal.fact_embeddings, annals_internal.entity_embeddings, annals_internal.episode_embeddings;
DROP FUNCTION annals_internal.pgvector_version, annals_internal.to_vector, annals_internal.cast_to_dimension, annals_internal.distance;
DELETE FROM annals_internal.settings WHERE group_id = '' AND name IN ('embedding_dimension', 'embedder', 'next_embedder');
DELETE FROM annals.migrations WHERE version = 6;
