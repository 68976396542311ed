-- Words of scripts that are written without spaces: Chinese, Japanese, Thai,
-- Lao, Khmer and Burmese. Two neighbouring letters are a term.
--
-- +goose Up

-- A text as it is taken apart into words. Of a run of letters of such scripts
-- every two neighbours become a word, in their order, so that phrases hold; a
-- letter that stands alone is one by itself. With singles, each letter is put
-- behind as well: what is searched for may be a single one, what is found
-- seldom is. Korean has spaces, and stays.
--
-- Letters with their accents beside them become one, for dictionaries that
-- take accents off. A tsvector holds 1 MiB at the most: a text is read up to
-- 100,000 characters, with such scripts up to 40,000.
-- +goose StatementBegin
CREATE FUNCTION annals.segmented(document text, singles boolean DEFAULT false) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    letters CONSTANT text := '\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109f'
        '\u1780-\u17d3\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f'
        '\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff';
BEGIN
    IF octet_length(document) = length(document) OR document !~ ('[\u0300-\u036f' || letters || ']') THEN -- most are ASCII
        RETURN left(document, 100000);
    END IF;
    document := normalize(document, NFKC);
    IF document !~ ('[' || letters || ']') THEN
        RETURN left(document, 100000);
    END IF;
    RETURN (
        WITH letter AS MATERIALIZED (
            SELECT l.letter, l.place, l.letter ~ ('[' || letters || ']') AS unspaced
            FROM string_to_table(left(document, 40000), NULL) WITH ORDINALITY AS l(letter, place)
        ), neighbour AS (
            SELECT l.*, lead(l.letter) OVER w AS next, coalesce(lead(l.unspaced) OVER w, false) AS goes_on,
                coalesce(lag(l.unspaced) OVER w, false) AS began
            FROM letter l
            WINDOW w AS (ORDER BY l.place)
        )
        SELECT string_agg(CASE
                WHEN NOT n.unspaced THEN n.letter
                WHEN n.goes_on THEN ' ' || n.letter || n.next
                WHEN n.began THEN ' '
                ELSE ' ' || n.letter || ' '
            END, '' ORDER BY n.place)
            || coalesce(' ' || string_agg(DISTINCT n.letter, ' ') FILTER (WHERE singles AND n.unspaced AND (n.began OR n.goes_on)), '')
        FROM neighbour n
    );
END
$$;

CREATE OR REPLACE FUNCTION annals.set_terms() RETURNS trigger
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
    NEW.terms := to_tsvector(coalesce(config, 'annals.english'), annals.segmented(document, true));
    NEW.length := coalesce((SELECT sum(cardinality(t.positions)) FROM unnest(NEW.terms) AS t), 0);
    RETURN NEW;
END
$$;
-- +goose StatementEnd

-- What stands there already, where it is taken apart otherwise than before.
UPDATE annals.episodes SET content = content
WHERE annals.segmented(concat_ws(' ', actor, name, content)) <> left(concat_ws(' ', actor, name, content), 100000);
UPDATE annals.entities SET summary = summary
WHERE annals.segmented(concat_ws(' ', name, array_to_string(aliases, ' '), summary))
    <> left(concat_ws(' ', name, array_to_string(aliases, ' '), summary), 100000);
UPDATE annals.facts SET fact = fact WHERE annals.segmented(concat_ws(' ', fact, predicate)) <> left(concat_ws(' ', fact, predicate), 100000);
UPDATE annals.communities SET summary = summary
WHERE annals.segmented(concat_ws(' ', name, summary)) <> left(concat_ws(' ', name, summary), 100000);

-- +goose Down

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.set_terms() RETURNS trigger
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
-- +goose StatementEnd

UPDATE annals.episodes SET content = content
WHERE annals.segmented(concat_ws(' ', actor, name, content)) <> left(concat_ws(' ', actor, name, content), 100000);
UPDATE annals.entities SET summary = summary
WHERE annals.segmented(concat_ws(' ', name, array_to_string(aliases, ' '), summary))
    <> left(concat_ws(' ', name, array_to_string(aliases, ' '), summary), 100000);
UPDATE annals.facts SET fact = fact WHERE annals.segmented(concat_ws(' ', fact, predicate)) <> left(concat_ws(' ', fact, predicate), 100000);
UPDATE annals.communities SET summary = summary
WHERE annals.segmented(concat_ws(' ', name, summary)) <> left(concat_ws(' ', name, summary), 100000);
DROP FUNCTION annals.segmented(text, boolean);
