-- What a search from SQL may be given: its arguments, and filters as people write them.
--
-- +goose Up

-- +goose StatementBegin
CREATE FUNCTION annals.refuse(field text, message text) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION '%: %', field, message USING ERRCODE = 'invalid_parameter_value', COLUMN = field;
END
$$;
COMMENT ON FUNCTION annals.refuse(text, text) IS 'Fails for an argument that cannot be used.';

CREATE FUNCTION annals.check_search(
    group_id text, kinds text[], valid_at timestamptz, known_at timestamptz, max_rows integer
) RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    unknown text := (SELECT k.kind FROM unnest(kinds) AS k(kind)
        WHERE k.kind IS NULL OR k.kind NOT IN ('fact', 'entity', 'episode', 'community') LIMIT 1);
BEGIN
    PERFORM annals.check_text('group', $1, 200);
    CASE
        WHEN coalesce($1, '') = '' THEN
            PERFORM annals.refuse('group', 'is empty; name the group the memory belongs to');
        WHEN $1 COLLATE "und-x-icu" !~ '^[[:alnum:]_.:@+-]+$' THEN
            PERFORM annals.refuse('group', format('"%s" may hold only letters, digits and _ - . : @ +', $1));
        WHEN max_rows NOT BETWEEN 1 AND 1000 THEN
            PERFORM annals.refuse('max_rows', format('is %s; it must be 1 to 1000', max_rows));
        WHEN EXISTS (SELECT FROM unnest(kinds) AS k(kind) WHERE k.kind IS NULL
                OR k.kind NOT IN ('fact', 'entity', 'episode', 'community')) THEN
            PERFORM annals.refuse('kinds', format('"%s" is not one of fact, entity, episode, community', unknown));
        WHEN NOT (valid_at >= '0001-01-01 UTC' AND valid_at < '10000-01-01 UTC') THEN
            PERFORM annals.refuse('valid_at', format('is %s; years 1 to 9999 can be stored', valid_at));
        WHEN NOT (known_at >= '0001-01-01 UTC' AND known_at < '10000-01-01 UTC') THEN
            PERFORM annals.refuse('known_at', format('is %s; years 1 to 9999 can be stored', known_at));
        ELSE
            NULL;
    END CASE;
END
$$;
COMMENT ON FUNCTION annals.check_search(text, text[], timestamptz, timestamptz, integer)
    IS 'Refuses a search that the library would refuse.';

-- A condition on a JSON document, as a filter has it, in PostgreSQL's jsonpath
-- language. Keys and values are written as JSON, which jsonpath reads as it is.
CREATE FUNCTION annals.condition_path(field text, condition jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    op CONSTANT text := condition->>'op';
    value CONSTANT jsonb := condition->'value';
    at text;
BEGIN
    IF jsonb_typeof(condition) IS DISTINCT FROM 'object'
        OR (SELECT count(*) FROM jsonb_object_keys(condition) AS k(key) WHERE k.key IN ('and', 'or', 'not', 'path')) <> 1
        OR jsonb_typeof(coalesce(condition->'and', condition->'or', condition->'path', '[0]')) <> 'array'
        OR coalesce(condition->'and', condition->'or', condition->'path', '[0]') = '[]' THEN
        PERFORM annals.refuse(field, 'a condition has exactly one of and, or, not and path');
    ELSIF condition ? 'and' THEN
        RETURN (SELECT string_agg('(' || annals.condition_path(field, p.part) || ')', ' && ')
            FROM jsonb_array_elements(condition->'and') AS p(part));
    ELSIF condition ? 'or' THEN
        RETURN (SELECT string_agg('(' || annals.condition_path(field, p.part) || ')', ' || ')
            FROM jsonb_array_elements(condition->'or') AS p(part));
    ELSIF condition ? 'not' THEN
        RETURN '!(' || annals.condition_path(field, condition->'not') || ')';
    END IF;
    at := (SELECT '$' || string_agg('.' || to_json(k.key)::text, '' ORDER BY k.place)
        FROM jsonb_array_elements_text(condition->'path') WITH ORDINALITY AS k(key, place));
    IF op = 'exists' THEN
        RETURN 'exists(' || at || ')';
    ELSIF op = 'in' AND jsonb_typeof(value) = 'array' AND value <> '[]' THEN
        RETURN (SELECT string_agg('(' || annals.condition_path(field, condition || jsonb_build_object('op', 'eq', 'value', v.value)) || ')', ' || ')
            FROM jsonb_array_elements(value) AS v(value));
    ELSIF op = 'in' THEN
        PERFORM annals.refuse(field, 'in compares with a list of values');
    ELSIF op IS NULL OR op NOT IN ('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains') THEN
        PERFORM annals.refuse(field, format('"%s" is not one of eq, ne, gt, gte, lt, lte, in, contains, exists', op));
    ELSIF coalesce(jsonb_typeof(value), 'null') NOT IN ('string', 'number', 'boolean') THEN
        PERFORM annals.refuse(field, format('%s is neither a text, a number nor true or false', value));
    ELSIF op = 'ne' THEN
        RETURN '!(' || annals.condition_path(field, condition || '{"op": "eq"}') || ')';
    ELSIF op = 'contains' AND jsonb_typeof(value) = 'string' THEN
        RETURN format('(exists(%1$s ? (@ == %2$s)) || exists(%1$s ? (@ like_regex %2$s flag "q")))', at, value);
    END IF;
    RETURN format('exists(%s ? (@ %s %s))', at,
        CASE op WHEN 'gt' THEN '>' WHEN 'gte' THEN '>=' WHEN 'lt' THEN '<' WHEN 'lte' THEN '<=' ELSE '==' END, value);
END
$$;
COMMENT ON FUNCTION annals.condition_path(text, jsonb) IS 'A condition of a filter in PostgreSQL''s jsonpath language.';

-- A filter as people write it (docs/search.md), in the form that filter_parts takes
-- apart. A condition on attributes or metadata may be a jsonpath already:
-- {"attributes": {"path": "$.salary > 1000"}}.
CREATE FUNCTION annals.read_filter(filter jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    known CONSTANT text[] := '{labels,excluded_labels,predicates,excluded_predicates,sources,threads,actors,roles,attributes,metadata,'
        'valid,invalid,created,expired,occurred,episodes}';
    read jsonb := '{}';
    part record;
BEGIN
    IF jsonb_typeof(filter) <> 'object' THEN
        PERFORM annals.refuse('filter', 'is not a JSON object');
    END IF;
    FOR part IN SELECT p.key, p.value, 'filter.' || p.key AS field FROM jsonb_each(coalesce(filter, '{}')) AS p LOOP
        CASE
            WHEN NOT part.key = ANY (known) THEN
                PERFORM annals.refuse('filter', format('"%s" is not one of %s', part.key, array_to_string(known[:15], ', ')));
            WHEN part.value IN ('null', '[]') OR part.key = 'episodes' THEN
                CONTINUE;
            WHEN part.key NOT IN ('attributes', 'metadata') AND jsonb_typeof(part.value) <> 'array' THEN
                PERFORM annals.refuse(part.field, 'is not a list');
            WHEN part.key IN ('attributes', 'metadata') AND jsonb_typeof(part.value->'path') = 'string' THEN
                read := read || jsonb_build_object(part.key, '{"values": {}}' || part.value);
            WHEN part.key IN ('attributes', 'metadata')
                AND (SELECT count(*) FROM jsonb_path_query(part.value, 'strict $.**.value[*]')) > 100 THEN
                PERFORM annals.refuse(part.field, 'has more than 100 conditions');
            WHEN part.key IN ('attributes', 'metadata') THEN
                read := read || jsonb_build_object(part.key,
                    jsonb_build_object('path', annals.condition_path(part.field, part.value), 'values', '{}'::jsonb));
            WHEN part.key IN ('valid', 'invalid', 'created', 'expired', 'occurred') THEN
                PERFORM annals.check_times(part.field, part.value);
                read := read || jsonb_build_object(part.key, part.value);
            WHEN jsonb_array_length(part.value) > 1000 THEN
                PERFORM annals.refuse(part.field, format('lists %s values; the limit is 1000', jsonb_array_length(part.value)));
            WHEN part.value @? '$[*] ? (@.type() != "string")' THEN
                PERFORM annals.refuse(part.field, 'lists something other than texts');
            ELSE
                read := read || jsonb_build_object(part.key, part.value);
        END CASE;
    END LOOP;
    IF read ?| '{sources,threads,actors,roles,occurred,metadata}' THEN
        read := read || '{"episodes": true}';
    END IF;
    RETURN read;
END
$$;
COMMENT ON FUNCTION annals.read_filter(jsonb) IS 'A filter of a search as people write it, in the form that filter_parts takes apart.';

-- Refuses a condition on a time that times_passing would take for none.
CREATE FUNCTION annals.check_times(field text, condition jsonb) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    test jsonb;
BEGIN
    IF condition @? 'strict $[*] ? (@.type() != "array")' THEN
        PERFORM annals.refuse(field, 'is not a list of lists of tests');
    ELSIF (SELECT count(*) FROM jsonb_path_query(condition, 'strict $[*][*]')) > 100 THEN
        PERFORM annals.refuse(field, 'has more than 100 tests');
    END IF;
    FOR test IN SELECT * FROM jsonb_path_query(condition, 'strict $[*][*]') LOOP
        IF coalesce(test->>'op', '') NOT IN ('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'null', 'not_null') THEN
            PERFORM annals.refuse(field, format('"%s" is not one of eq, ne, gt, gte, lt, lte, null, not_null', test->>'op'));
        ELSIF test->>'op' NOT IN ('null', 'not_null') AND test->>'at' IS NULL THEN
            PERFORM annals.refuse(field, (test->>'op') || ' needs the time to compare with, at');
        END IF;
    END LOOP;
END
$$;
COMMENT ON FUNCTION annals.check_times(text, jsonb) IS 'Refuses a condition on a time that says nothing.';
-- +goose StatementEnd

-- +goose Down

DROP FUNCTION annals.check_times(text, jsonb), annals.read_filter(jsonb), annals.condition_path(text, jsonb),
    annals.check_search(text, text[], timestamptz, timestamptz, integer), annals.refuse(text, text);
