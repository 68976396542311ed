-- Changing the model that makes vectors while reading and writing go on. Vectors
-- of several models stand side by side until the new ones are all there; those
-- of different models may have different dimensions.
--
-- +goose Up

-- Approximate indexes name the dimension from now on; they are built anew.
-- +goose StatementBegin
DO $$
DECLARE
    name text;
    kind text;
BEGIN
    FOR name IN SELECT index_name FROM annals.vector_indexes LOOP
        EXECUTE format('DROP INDEX IF EXISTS annals.%I', name);
    END LOOP;
    DELETE FROM annals.vector_indexes;
    FOREACH kind IN ARRAY enum_range(NULL::annals.kind)::text[] LOOP
        EXECUTE format('ALTER TABLE annals.%I ALTER embedding TYPE halfvec, ALTER embedding SET STORAGE PLAIN', kind || '_embeddings');
    END LOOP;
END
$$;
-- +goose StatementEnd

-- Fixes how many dimensions a vector has, once; re-embedding may change it.
-- Later calls with the same number change nothing, with another they fail. Up
-- to 1,300 dimensions a vector fits an index tuple and the primary key covers
-- it.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.fix_embedding_dimension(dimension integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    stored integer;
    kind text;
    vectors text;
BEGIN
    SELECT value::integer INTO stored FROM annals.settings WHERE group_id = '' AND name = 'embedding_dimension';
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
    IF dimension <= 1300 THEN
        FOREACH kind IN ARRAY enum_range(NULL::annals.kind)::text[] LOOP
            vectors := kind || '_embeddings';
            EXECUTE format('ALTER TABLE annals.%1$I DROP CONSTRAINT %2$I,
                ADD CONSTRAINT %2$I PRIMARY KEY (group_id, model, %3$I) INCLUDE (embedding)',
                vectors, vectors || '_pkey', kind || '_id');
        END LOOP;
    END IF;
    INSERT INTO annals.settings (group_id, name, value) VALUES ('', 'embedding_dimension', to_jsonb(dimension));
    RETURN dimension;
END
$$;

-- What makes the vectors of this database, since it was re-embedded; NULL: it
-- never was, and whoever writes vectors decides.
CREATE FUNCTION annals.embedder() RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT value #>> '{}' FROM annals.settings WHERE group_id = '' AND name = 'embedder'
$$;

-- What makes the vectors that are being filled in beside them; NULL: nothing.
CREATE FUNCTION annals.next_embedder() RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT value #>> '{}' FROM annals.settings WHERE group_id = '' AND name = 'next_embedder'
$$;

-- Refuses vectors of a model that has been replaced, so that none is written
-- that nobody would find. The lock, which goes with the transaction, makes the
-- replacement wait for those that write vectors of the old model.
CREATE FUNCTION annals.check_embedder() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    replaced text;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('annals.embedder', 0));
    IF annals.embedder() IS NOT NULL THEN
        SELECT model INTO replaced FROM new_rows
        WHERE model <> annals.embedder() AND model IS DISTINCT FROM annals.next_embedder()
        LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'the vectors of this database are made by % now, not by %', annals.embedder(), replaced
                USING ERRCODE = 'AN002';
        END IF;
    END IF;
    RETURN NULL;
END
$$;

-- Forgets the new vector of a row whose text has changed; it is made again.
-- The old model's vector is the business of whoever changes the text.
CREATE FUNCTION annals.forget_next_vector() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    next_model text := annals.next_embedder();
BEGIN
    IF next_model IS NOT NULL THEN
        EXECUTE format('DELETE FROM annals.%I WHERE group_id = $1 AND model = $2 AND %I = $3',
            TG_ARGV[0] || '_embeddings', TG_ARGV[0] || '_id') USING NEW.group_id, next_model, NEW.id;
    END IF;
    RETURN NULL;
END
$$;

DO $$
DECLARE
    kind text;
BEGIN
    FOREACH kind IN ARRAY enum_range(NULL::annals.kind)::text[] LOOP
        EXECUTE format('CREATE TRIGGER embedder_insert AFTER INSERT ON annals.%I
            REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.check_embedder()', kind || '_embeddings');
        EXECUTE format('CREATE TRIGGER embedder_update AFTER UPDATE ON annals.%I
            REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.check_embedder()', kind || '_embeddings');
    END LOOP;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER next_vector AFTER UPDATE ON annals.episodes
    FOR EACH ROW WHEN (OLD.content IS DISTINCT FROM NEW.content) EXECUTE FUNCTION annals.forget_next_vector('episode');
CREATE TRIGGER next_vector AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION annals.forget_next_vector('entity');
CREATE TRIGGER next_vector AFTER UPDATE ON annals.facts
    FOR EACH ROW WHEN ((OLD.fact, OLD.predicate) IS DISTINCT FROM (NEW.fact, NEW.predicate))
    EXECUTE FUNCTION annals.forget_next_vector('fact');
CREATE TRIGGER next_vector AFTER UPDATE ON annals.communities
    FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION annals.forget_next_vector('community');

COMMENT ON FUNCTION annals.embedder() IS
    'What makes the vectors of this database, since it was re-embedded; NULL: it never was';
COMMENT ON FUNCTION annals.next_embedder() IS
    'What makes the vectors that are being filled in beside the others; NULL: nothing';
COMMENT ON FUNCTION annals.check_embedder() IS 'Trigger: refuses vectors of a model that has been replaced';
COMMENT ON FUNCTION annals.forget_next_vector() IS
    'Trigger: forgets the vector that was filled in for a row whose text has changed since';

-- +goose Down

-- +goose StatementBegin
DO $$
DECLARE
    name text;
    kind text;
    vectors text;
    dimension integer := (SELECT value::integer FROM annals.settings WHERE group_id = '' AND settings.name = 'embedding_dimension');
BEGIN
    FOR name IN SELECT index_name FROM annals.vector_indexes LOOP
        EXECUTE format('DROP INDEX IF EXISTS annals.%I', name);
    END LOOP;
    DELETE FROM annals.vector_indexes;
    FOREACH kind IN ARRAY enum_range(NULL::annals.kind)::text[] LOOP
        vectors := kind || '_embeddings';
        EXECUTE format('DROP TRIGGER embedder_insert ON annals.%I', vectors);
        EXECUTE format('DROP TRIGGER embedder_update ON annals.%I', vectors);
        IF dimension IS NOT NULL THEN
            EXECUTE format('DELETE FROM annals.%I WHERE vector_dims(embedding) <> %s', vectors, dimension);
            EXECUTE format('ALTER TABLE annals.%I ALTER embedding TYPE halfvec(%s), ALTER embedding SET STORAGE PLAIN',
                vectors, dimension);
        END IF;
    END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION annals.fix_embedding_dimension(dimension integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    stored integer;
    kind text;
    vectors text;
BEGIN
    SELECT value::integer INTO stored FROM annals.settings WHERE group_id = '' AND name = 'embedding_dimension';
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
    FOREACH kind IN ARRAY enum_range(NULL::annals.kind)::text[] LOOP
        vectors := kind || '_embeddings';
        EXECUTE format('ALTER TABLE annals.%I ALTER embedding TYPE halfvec(%s), ALTER embedding SET STORAGE PLAIN',
            vectors, dimension);
        IF dimension <= 1300 THEN
            EXECUTE format('ALTER TABLE annals.%1$I DROP CONSTRAINT %2$I,
                ADD CONSTRAINT %2$I PRIMARY KEY (group_id, model, %3$I) INCLUDE (embedding)',
                vectors, vectors || '_pkey', kind || '_id');
        END IF;
    END LOOP;
    INSERT INTO annals.settings (group_id, name, value) VALUES ('', 'embedding_dimension', to_jsonb(dimension));
    RETURN dimension;
END
$$;
-- +goose StatementEnd

DROP TRIGGER next_vector ON annals.episodes;
DROP TRIGGER next_vector ON annals.entities;
DROP TRIGGER next_vector ON annals.facts;
DROP TRIGGER next_vector ON annals.communities;
DROP FUNCTION annals.forget_next_vector(), annals.check_embedder(), annals.next_embedder(), annals.embedder();
DELETE FROM annals.settings WHERE group_id = '' AND name IN ('embedder', 'next_embedder');
