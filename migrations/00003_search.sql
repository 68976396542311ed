-- What search ranks from: the terms of each row (Okapi BM25) and one vector
-- per row and embedding model. Both follow the rows by trigger, so that an
-- edit made by hand in psql is found like any other.
--
-- +goose Up

-- One row per term of a document. tf is how often the term occurs in it,
-- length how many terms the document has. Kept by trigger, without a foreign
-- key: a second index would double the cost of writing.
CREATE TABLE annals.postings (
    group_id text NOT NULL,
    kind annals.kind NOT NULL,
    term text COLLATE "C" NOT NULL,
    document_id uuid NOT NULL,
    tf integer NOT NULL,
    length integer NOT NULL,
    PRIMARY KEY (group_id, kind, term, document_id) INCLUDE (tf, length)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);

-- How many documents a group has of each kind, and their terms in all.
-- Refreshed as episodes are processed; ranking bears it being a little old.
CREATE TABLE annals.search_statistics (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    kind annals.kind NOT NULL,
    documents bigint NOT NULL,
    terms bigint NOT NULL,
    refreshed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, kind)
);

-- The text a row is found by. A text of more than 100,000 characters is found
-- by its beginning: a tsvector holds 1 MiB at the most.
-- +goose StatementBegin
CREATE FUNCTION annals.set_terms() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    config regconfig;
    document text;
BEGIN
    CASE TG_TABLE_NAME
        WHEN 'episodes' THEN document := concat_ws(' ', NEW.actor, NEW.name, NEW.content);
        WHEN 'entities' THEN document := concat_ws(' ', NEW.name, array_to_string(NEW.aliases, ' '), NEW.summary);
        WHEN 'facts' THEN document := concat_ws(' ', NEW.fact, translate(lower(NEW.predicate), '_', ' '));
        WHEN 'communities' THEN document := concat_ws(' ', NEW.name, NEW.summary);
    END CASE;
    SELECT text_search INTO config FROM annals.groups WHERE group_id = NEW.group_id;
    NEW.terms := to_tsvector(coalesce(config, 'annals.english'), left(document, 100000));
    NEW.length := coalesce((SELECT sum(cardinality(t.positions)) FROM unnest(NEW.terms) AS t), 0);
    RETURN NEW;
END
$$;

CREATE FUNCTION annals.add_postings() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annals.postings (group_id, kind, term, document_id, tf, length)
    SELECT n.group_id, TG_ARGV[0]::annals.kind, t.lexeme, n.id, cardinality(t.positions), n.length
    FROM new_rows n, unnest(n.terms) AS t;
    RETURN NULL;
END
$$;

-- Row by row: the planner knows nothing of how many rows a transition table
-- has, and would read all postings to find a few.
CREATE FUNCTION annals.replace_postings() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM annals.postings
    WHERE group_id = OLD.group_id AND kind = TG_ARGV[0]::annals.kind AND term = ANY (tsvector_to_array(OLD.terms))
        AND document_id = OLD.id;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO annals.postings (group_id, kind, term, document_id, tf, length)
        SELECT NEW.group_id, TG_ARGV[0]::annals.kind, t.lexeme, NEW.id, cardinality(t.positions), NEW.length
        FROM unnest(NEW.terms) AS t;
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION annals.search_by_terms(tab text, kind text, columns text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF %2$s ON annals.%1$I
        FOR EACH ROW EXECUTE FUNCTION annals.set_terms()', tab, columns);
    EXECUTE format('CREATE TRIGGER postings_insert AFTER INSERT ON annals.%1$I
        REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals.add_postings(%2$L)', tab, kind);
    EXECUTE format('CREATE TRIGGER postings_update AFTER UPDATE ON annals.%1$I
        FOR EACH ROW WHEN (OLD.terms IS DISTINCT FROM NEW.terms) EXECUTE FUNCTION annals.replace_postings(%2$L)', tab, kind);
    EXECUTE format('CREATE TRIGGER postings_delete AFTER DELETE ON annals.%1$I
        FOR EACH ROW EXECUTE FUNCTION annals.replace_postings(%2$L)', tab, kind);
END
$$;
-- +goose StatementEnd

SELECT annals.search_by_terms('episodes', 'episode', 'actor, name, content');
SELECT annals.search_by_terms('entities', 'entity', 'name, aliases, summary');
SELECT annals.search_by_terms('facts', 'fact', 'fact, predicate');
SELECT annals.search_by_terms('communities', 'community', 'name, summary');
DROP FUNCTION annals.search_by_terms(text, text, text);

-- One table per kind, keyed like its owner. The key carries the model, so
-- that a new model is filled in beside the old one, and the vector, so that
-- the vectors of a group lie together and an exact scan visits no table.
CREATE TABLE annals.episode_embeddings (
    group_id text NOT NULL,
    model text NOT NULL,
    episode_id uuid NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (group_id, model, episode_id),
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX episode_embeddings_owner ON annals.episode_embeddings (group_id, episode_id);

CREATE TABLE annals.entity_embeddings (
    group_id text NOT NULL,
    model text NOT NULL,
    entity_id uuid NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (group_id, model, entity_id),
    FOREIGN KEY (group_id, entity_id) REFERENCES annals.entities ON DELETE CASCADE
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX entity_embeddings_owner ON annals.entity_embeddings (group_id, entity_id);

CREATE TABLE annals.fact_embeddings (
    group_id text NOT NULL,
    model text NOT NULL,
    fact_id uuid NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (group_id, model, fact_id),
    FOREIGN KEY (group_id, fact_id) REFERENCES annals.facts ON DELETE CASCADE
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX fact_embeddings_owner ON annals.fact_embeddings (group_id, fact_id);

CREATE TABLE annals.community_embeddings (
    group_id text NOT NULL,
    model text NOT NULL,
    community_id uuid NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (group_id, model, community_id),
    FOREIGN KEY (group_id, community_id) REFERENCES annals.communities ON DELETE CASCADE
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
CREATE INDEX community_embeddings_owner ON annals.community_embeddings (group_id, community_id);

-- Fixes how many dimensions a vector has, once. Later calls with the same
-- number change nothing, with another they fail. Up to 1,300 dimensions a
-- vector fits an index tuple and the primary key covers it.
-- +goose StatementBegin
CREATE FUNCTION annals.fix_embedding_dimension(dimension integer) RETURNS integer
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

-- +goose Down

DROP FUNCTION annals.fix_embedding_dimension(integer);
DROP TABLE annals.community_embeddings, annals.fact_embeddings, annals.entity_embeddings, annals.episode_embeddings;
DROP TRIGGER terms ON annals.episodes;
DROP TRIGGER terms ON annals.entities;
DROP TRIGGER terms ON annals.facts;
DROP TRIGGER terms ON annals.communities;
DROP TRIGGER postings_insert ON annals.episodes;
DROP TRIGGER postings_insert ON annals.entities;
DROP TRIGGER postings_insert ON annals.facts;
DROP TRIGGER postings_insert ON annals.communities;
DROP TRIGGER postings_update ON annals.episodes;
DROP TRIGGER postings_update ON annals.entities;
DROP TRIGGER postings_update ON annals.facts;
DROP TRIGGER postings_update ON annals.communities;
DROP TRIGGER postings_delete ON annals.episodes;
DROP TRIGGER postings_delete ON annals.entities;
DROP TRIGGER postings_delete ON annals.facts;
DROP TRIGGER postings_delete ON annals.communities;
DROP FUNCTION annals.replace_postings(), annals.add_postings(), annals.set_terms();
DROP TABLE annals.search_statistics, annals.postings;
DELETE FROM annals.settings WHERE name = 'embedding_dimension';
