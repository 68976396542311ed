-- What a search from SQL finds, as a string for a model's prompt.
--
-- +goose Up

-- +goose StatementBegin
-- A text that cannot close the tags of a context, nor open others, nor speak for
-- another turn of a conversation: the bracket that would becomes ‹. In one line, as
-- every line of a list is. Characters that are not seen are taken for part of a tag:
-- models read over them.
CREATE FUNCTION annals.context_line(document text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    unseen CONSTANT text := E'(?:[^[:graph:]]|[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064'
        '\u2066-\u206f\ue000-\uf8ff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
        '\U000e0001\U000e0020-\U000e007f\U000f0000-\U000ffffd\U00100000-\U0010fffd])*';
    forbidden CONSTANT text := '<(' || unseen || '/?' || unseen || '(?:\Z|(?:COMMUNITIES|ENTITIES|EPI[s\u017f]ODES|FACTS)(?![0-9A-Za-z_])))'
        '|<([|｜]|/?[s\u017f]>|/?thin[k\u212a]|</?[s\u017f]Y[s\u017f]|(?:[s\u017f]tart|end)_of_turn)'
        '|\[(/?IN[s\u017f]T\]|[fnce]:[0-9a-f]{8})';
BEGIN
    IF document ~ '[<[]' THEN
        document := regexp_replace(document COLLATE "und-x-icu", forbidden, '‹\1\2\3', 'gi');
    END IF;
    RETURN btrim(regexp_replace(document, '[' || annals.blanks() || ']+', ' ', 'g'));
END
$$;
COMMENT ON FUNCTION annals.context_line(text) IS 'A text as it may stand in a line of a context.';

CREATE FUNCTION annals.context_date(at timestamptz) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    clock CONSTANT timestamp := at AT TIME ZONE 'UTC';
BEGIN
    RETURN to_char(clock, CASE WHEN clock::time = '00:00' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM-DD HH24:MI' END);
END
$$;
COMMENT ON FUNCTION annals.context_date(timestamptz) IS 'A time as a context says it: in UTC, a day alone where it is midnight.';

CREATE FUNCTION annals.context(
    group_id text, query text, kinds text[] DEFAULT '{fact,entity,episode,community}', valid_at timestamptz DEFAULT NULL,
    known_at timestamptz DEFAULT NULL, filter jsonb DEFAULT '{}', max_rows integer DEFAULT 10, query_vector vector DEFAULT NULL,
    model text DEFAULT NULL, include_ended boolean DEFAULT false
) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    found text;
BEGIN
    WITH hit AS (
        SELECT s.kind, s.place, annals.context_line(s.name) AS name, annals.context_line(s.content) AS content, s.valid, s.occurred_at,
            s.kind = 'fact' AND s.place > min(s.place) OVER (PARTITION BY s.kind, s.content, s.valid) AS again
        FROM annals.search($1, query, kinds, valid_at, known_at, filter, max_rows, query_vector, $9, include_ended)
            WITH ORDINALITY AS s(kind, rank, id, score, name, content, valid, occurred_at, details, place)
    ), line AS (
        SELECT h.kind, h.place, CASE h.kind
            WHEN 'fact' THEN format('%s (date range: %s – %s)', h.content, coalesce(annals.context_date(lower(h.valid)), 'unknown'),
                coalesce(annals.context_date(upper(h.valid)), 'present'))
            ELSE concat_ws(': ', nullif(h.name, ''), nullif(h.content, ''))
                || CASE WHEN h.kind = 'episode' THEN ' (' || annals.context_date(h.occurred_at) || ')' ELSE '' END
            END AS line
        FROM hit h
        WHERE NOT h.again
    )
    SELECT string_agg(format(E'\n<%1$s>\n%2$s</%1$s>\n', t.tag, t.lines), '' ORDER BY t.place)
    INTO found
    FROM (
        SELECT s.tag, s.place, string_agg('- ' || l.line || E'\n', '' ORDER BY l.place) AS lines
        FROM (VALUES ('fact', 'FACTS', 1), ('entity', 'ENTITIES', 2), ('community', 'COMMUNITIES', 3), ('episode', 'EPISODES', 4)) AS s(kind, tag, place)
        JOIN line l ON l.kind = s.kind
        GROUP BY s.tag, s.place
    ) t;
    RETURN E'FACTS, ENTITIES and EPISODES below are relevant to the current conversation.\n'
        'Each fact is followed by the dates between which it holds; "present" means that it still does.' || E'\n' || coalesce(found, '');
END
$$;
COMMENT ON FUNCTION annals.context(text, text, text[], timestamptz, timestamptz, jsonb, integer, vector, text, boolean)
    IS 'What annals.search finds, as a string for a model''s prompt.';
-- +goose StatementEnd

-- +goose Down

DROP FUNCTION annals.context(text, text, text[], timestamptz, timestamptz, jsonb, integer, vector, text, boolean),
    annals.context_date(timestamptz), annals.context_line(text);
