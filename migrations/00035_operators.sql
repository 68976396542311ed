-- +goose Up
-- The operators and types of extensions under names that need no search path: an
-- application may have the extensions in a schema that its own search path does
-- not name. The bodies are parsed here, once, and mean what they mean now. The
-- planner puts them in place of the calls, so that indexes are used as for the
-- operators themselves: for that they must be SQL, without SET, not STRICT, no
-- less volatile than what they call, and name each argument once; names are compared
-- in the collation of the column.
CREATE FUNCTION annals.distance(a halfvec, b halfvec) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN a <=> b;
COMMENT ON FUNCTION annals.distance(halfvec, halfvec) IS 'the cosine distance of two vectors, pgvector''s <=>: 0 for the same direction, 2 for the opposite one';

CREATE FUNCTION annals.sized(embedding halfvec, dimensions integer) RETURNS halfvec
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN halfvec(embedding, dimensions, true);
COMMENT ON FUNCTION annals.sized(halfvec, integer) IS 'a vector as one of so many dimensions, embedding::halfvec(dimensions), which the vector index of a group is over';

CREATE FUNCTION annals.to_vector(written text) RETURNS halfvec
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN written::halfvec;
COMMENT ON FUNCTION annals.to_vector(text) IS 'the vector that is written as [0.1,0.2,…]';

CREATE FUNCTION annals.likeness(a text, b text) RETURNS real
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN similarity(a, b);
COMMENT ON FUNCTION annals.likeness(text, text) IS 'how alike two texts are spelled, pg_trgm''s similarity: 0 to 1';

CREATE FUNCTION annals.alike(name text, other text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN name COLLATE "C" % other;
COMMENT ON FUNCTION annals.alike(text, text) IS 'whether two names are spelled alike, pg_trgm''s %';

CREATE FUNCTION annals.alike_within(name text, word text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN name COLLATE "C" %> word;
COMMENT ON FUNCTION annals.alike_within(text, text) IS 'whether a name has a word that is spelled like another, pg_trgm''s %>';

-- +goose Down
DROP FUNCTION annals.alike_within(text, text);
DROP FUNCTION annals.alike(text, text);
DROP FUNCTION annals.likeness(text, text);
DROP FUNCTION annals.to_vector(text);
DROP FUNCTION annals.sized(halfvec, integer);
DROP FUNCTION annals.distance(halfvec, halfvec);
