-- Full-text ranking: the words of rows as postings for Okapi BM25, and their
-- statistics.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(4);

-- Returns the letters of scripts without spaces, for a character class.
CREATE FUNCTION annals_internal.unspaced_letters() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109f'
        '\u1780-\u17d3\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f'
        '\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff';
COMMENT ON FUNCTION annals_internal.unspaced_letters() IS 'Returns the letters of scripts without spaces, for a character class of a regular expression.';

-- Prepares a text for text search. Scripts without spaces have no word
-- boundaries. In a run of their letters, every two neighbours become a word, in
-- order, so that phrases match. A lone letter becomes a word of its own. With
-- singles, each letter is appended too, so that a search for one letter finds the
-- text. Korean has spaces and is not changed.
--
-- Letters with combining accents become single characters, for dictionaries that
-- remove accents. A tsvector holds at most 1 MiB, so the text is cut at 100,000
-- characters, or at 40,000 with such scripts.
CREATE FUNCTION annals_internal.segmented(document text, singles boolean DEFAULT false) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    letters CONSTANT text := annals_internal.unspaced_letters();
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
COMMENT ON FUNCTION annals_internal.segmented(text, boolean) IS
    'Prepares a text for text search. In scripts without spaces, every two neighbouring letters become a word.';

-- Texts over 10,000 bytes are long: search ranks and shows them by passage.
CREATE FUNCTION annals_internal.is_long(document text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN octet_length(document) > 10000;
COMMENT ON FUNCTION annals_internal.is_long(text) IS 'Tells whether a text is long, so that search ranks and shows it by passage.';

-- Cuts a text into passages of up to 2,000 characters, at white space if
-- possible. Otherwise the last character of a passage is repeated in the next.
CREATE FUNCTION annals_internal.passages(document text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    rest text := document;
    passage text;
    passages text[] := '{}';
    whole text;
BEGIN
    WHILE length(left(rest, 2001)) > 2000 LOOP
        passage := left(rest, 2000);
        whole := substring(passage FROM '^(.*\S.*)\s');
        passages := passages || coalesce(whole, passage);
        rest := substr(rest, CASE WHEN whole IS NULL THEN 2000 ELSE length(whole) + 2 END);
    END LOOP;
    RETURN passages || rest;
END
$$;
COMMENT ON FUNCTION annals_internal.passages(text) IS 'Cuts a text into passages of up to 2,000 characters.';

-- Splits a text into terms for text search. A long text is ranked like its best
-- passage. Each term has its positions in the passage that contains it most
-- often, and length is that of the longest passage. left_out counts the distinct
-- terms beyond the 1 MiB that a tsvector holds; the last ones are left out. No
-- human text has so many.
CREATE FUNCTION annals_internal.words_of(
    config regconfig, document text, singles boolean, OUT terms tsvector, OUT length integer, OUT left_out integer
)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    left_out := 0;
    IF NOT annals_internal.is_long(document) THEN
        terms := to_tsvector(config, annals_internal.segmented(document, singles));
        length := coalesce((SELECT sum(cardinality(t.positions)) FROM unnest(terms) AS t), 0);
        RETURN;
    END IF;
    WITH word AS MATERIALIZED (
        SELECT p.place, t.lexeme COLLATE "C" AS lexeme, t.positions
        FROM unnest(annals_internal.passages(document)) WITH ORDINALITY AS p(passage, place)
        CROSS JOIN LATERAL unnest(to_tsvector(config, annals_internal.segmented(p.passage, singles))) AS t(lexeme, positions, weights)
    ), densest AS (
        SELECT DISTINCT ON (w.lexeme) w.lexeme, w.positions, min(w.place) OVER (PARTITION BY w.lexeme) AS begins
        FROM word w
        ORDER BY w.lexeme, cardinality(w.positions) DESC, w.place
    ), fitting AS (
        SELECT d.lexeme, d.positions,
            sum(octet_length(d.lexeme) + 3 + 2 * cardinality(d.positions)) OVER (ORDER BY d.begins, d.lexeme) < 1 << 20 AS fits
        FROM densest d
    )
    SELECT coalesce(string_agg(format('''%s'':%s', replace(replace(f.lexeme, '\', '\\'), '''', ''''''), array_to_string(f.positions, ',')), ' ')
            FILTER (WHERE f.fits), ''),
        coalesce((SELECT max(p.terms) FROM (SELECT sum(cardinality(w.positions)) AS terms FROM word w GROUP BY w.place) p), 0),
        count(*) FILTER (WHERE NOT f.fits)
    INTO terms, length, left_out
    FROM fitting f;
END
$$;
COMMENT ON FUNCTION annals_internal.words_of(regconfig, text, boolean) IS
    'Splits a text into terms. In a long text, each term has its positions in the passage that contains it most often.';

-- Returns the part of an episode that a search shows. For a long text that is the
-- passage with most words of the query, weighted by rarity in the text, or the
-- first. Words are compared without their last letter, because stems may differ
-- there.
CREATE FUNCTION annals_internal.telling_passage(config regconfig, document text, query text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    asked text[];
    parts text[];
BEGIN
    IF NOT annals_internal.is_long(document) THEN
        RETURN document;
    END IF;
    parts := annals_internal.passages(document);
    SELECT array_agg(CASE WHEN t.term ~ '^[a-z]' THEN ' ' ELSE '' END || left(t.term, greatest(length(t.term) - 1, 4))) INTO asked
    FROM unnest(tsvector_to_array(to_tsvector(config, annals_internal.segmented(query)))) AS t(term);
    RETURN (
        WITH passage AS MATERIALIZED (
            SELECT p.place, ' ' || annals_internal.fold_text(p.passage) AS folded FROM unnest(parts) WITH ORDINALITY AS p(passage, place)
        ), holding AS (
            SELECT p.place, count(*) OVER (PARTITION BY a.term) AS held
            FROM unnest(asked) AS a(term)
            JOIN passage p ON strpos(p.folded, a.term) > 0
        ), best AS (
            SELECT h.place FROM holding h GROUP BY h.place ORDER BY sum(ln(1 + cardinality(parts)::float8 / h.held)) DESC, h.place LIMIT 1
        )
        SELECT CASE WHEN b.place > 1 THEN '… ' ELSE '' END || btrim(parts[b.place], annals_internal.whitespace_characters())
            || CASE WHEN b.place < cardinality(parts) THEN ' …' ELSE '' END
        FROM (SELECT coalesce((SELECT place FROM best), 1) AS place) b
    );
END
$$;
COMMENT ON FUNCTION annals_internal.telling_passage(regconfig, text, text) IS
    'Returns the part of a text that a search shows: for a long text, the passage that best matches the query.';

-- Returns the searchable text of an episode: for a run, only the task. Its steps
-- hold commands and tool output.
CREATE FUNCTION annals_internal.searched(source annals.episode_source, content text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE source WHEN 'run' THEN content::jsonb->>'task' ELSE content END;
COMMENT ON FUNCTION annals_internal.searched(annals.episode_source, text) IS 'Returns the searchable text of an episode: for a run, its task.';

-- Returns what a search shows of a run: its task and outcome.
CREATE FUNCTION annals_internal.run_told(content text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 'Run of an agent: ' || btrim(content::jsonb->>'task') || ' (' || CASE coalesce(content::jsonb->>'outcome', 'unknown')
    WHEN 'success' THEN 'it worked' WHEN 'failure' THEN concat_ws(': ', 'it failed', left(coalesce(nullif(content::jsonb->>'error', ''),
        jsonb_path_query_first(content::jsonb, '$.steps[*].error ? (@ != "")') #>> '{}'), 300)) ELSE 'nobody said how it ended' END || ')';
COMMENT ON FUNCTION annals_internal.run_told(text) IS 'Returns what a search shows of a run: its task and outcome.';

-- Splits the texts of a row into terms. Former versions already have terms,
-- except after an import or a change of language. With 'again' it only splits
-- where the language of the group is not the default, in which it was split first.
CREATE FUNCTION annals_internal.set_terms() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    config regconfig;
    document text;
    words record;
BEGIN
    SELECT g.text_search::regconfig INTO config FROM annals.groups g
    WHERE g.group_id = NEW.group_id AND (TG_NARGS = 1 OR g.text_search <> 'annals.english' OR g.text_search_from = 'set');
    IF TG_NARGS > 1 AND config IS NULL THEN
        RETURN NEW;
    END IF;
    CASE TG_ARGV[0]
        WHEN 'episode' THEN document := concat_ws(' ', NEW.actor, NEW.name, annals_internal.searched(NEW.source, NEW.content));
        WHEN 'entity' THEN document := concat_ws(' ', NEW.name, array_to_string(NEW.aliases, ' '), NEW.summary);
        WHEN 'fact' THEN document := concat_ws(' ', NEW.fact, translate(lower(NEW.predicate), '_', ' '));
        WHEN 'community' THEN document := concat_ws(' ', NEW.name, NEW.summary);
    END CASE;
    words := annals_internal.words_of(coalesce(config, 'annals.english'), document, true);
    NEW.terms := words.terms;
    NEW.length := words.length;
    IF TG_ARGV[0] = 'episode' THEN
        NEW.left_out := words.left_out;
        NEW.said_key := annals_internal.rejection_key(NEW.actor || ' ' || NEW.content);
        NEW.asks := rtrim(NEW.content) LIKE '%?';
        NEW.says_when := NEW.content ~* '\m(yesterday|today|tonight|tomorrow|ago|last|next|week|weekend|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|since|[0-9]{4})\M';
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.set_terms() IS 'Trigger: splits the texts of a row into terms, and sets what else is derived from the text of an episode.';

CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF actor, name, content, said_key, asks, says_when ON annals.episodes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.set_terms('episode');
COMMENT ON TRIGGER terms ON annals.episodes IS 'Keeps terms, length and the other columns derived from the text.';
CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF name, aliases, summary ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals_internal.set_terms('entity');
COMMENT ON TRIGGER terms ON annals.entities IS 'Keeps terms and length of the entity.';
CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF fact, predicate ON annals.facts
    FOR EACH ROW EXECUTE FUNCTION annals_internal.set_terms('fact');
COMMENT ON TRIGGER terms ON annals.facts IS 'Keeps terms and length of the fact.';
CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF name, summary ON annals.communities
    FOR EACH ROW EXECUTE FUNCTION annals_internal.set_terms('community');
COMMENT ON TRIGGER terms ON annals.communities IS 'Keeps terms and length of the community.';
CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF terms ON annals_internal.entities_history
    FOR EACH ROW WHEN (NEW.terms = '') EXECUTE FUNCTION annals_internal.set_terms('entity');
COMMENT ON TRIGGER terms ON annals_internal.entities_history IS 'Sets terms and length of a version without terms, as after an import or a change of language.';
CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF terms ON annals_internal.facts_history
    FOR EACH ROW WHEN (NEW.terms = '') EXECUTE FUNCTION annals_internal.set_terms('fact');
COMMENT ON TRIGGER terms ON annals_internal.facts_history IS 'Sets terms and length of a version without terms, as after an import or a change of language.';
CREATE TRIGGER terms BEFORE INSERT OR UPDATE OF terms ON annals_internal.communities_history
    FOR EACH ROW WHEN (NEW.terms = '') EXECUTE FUNCTION annals_internal.set_terms('community');
COMMENT ON TRIGGER terms ON annals_internal.communities_history IS 'Sets terms and length of a version without terms, as after an import or a change of language.';

-- Has one row per term of a document. It has no foreign key: the index for it
-- would double the cost of writing. kind is a text, not an enumeration: under
-- row-level security only leakproof operators use an index. Equality of texts is
-- leakproof; equality of enumerations is not.
CREATE TABLE annals_internal.postings (
    group_id text NOT NULL,
    kind text COLLATE "C" NOT NULL CONSTRAINT postings_kind CHECK (kind IN ('episode', 'entity', 'fact', 'community')),
    term text COLLATE "C" NOT NULL,
    document_id uuid NOT NULL,
    tf integer NOT NULL,
    length integer NOT NULL,
    PRIMARY KEY (group_id, kind, term, document_id) INCLUDE (tf, length)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
COMMENT ON TABLE annals_internal.postings IS 'Postings for Okapi BM25: one row per term of a document, until upkeep packs it into posting_blocks. Kept by triggers.';
COMMENT ON COLUMN annals_internal.postings.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.postings.kind IS 'Kind of the row: episode, entity, fact or community.';
COMMENT ON COLUMN annals_internal.postings.term IS 'The stemmed word.';
COMMENT ON COLUMN annals_internal.postings.document_id IS 'Id of the row that contains the term.';
COMMENT ON COLUMN annals_internal.postings.tf IS 'Number of times the row contains the term.';
COMMENT ON COLUMN annals_internal.postings.length IS 'Number of terms in the row.';

-- Holds the postings that upkeep packed, in blocks of up to 72 per term. Five blocks fit on a page,
-- in a fifth of the space of single rows. Blocks are ordered by how much the term counts in its
-- documents, so that a search for a frequent term reads only the best. annals_internal.all_postings
-- combines both tables, so readers need not know where a posting is stored.
CREATE TABLE annals_internal.posting_blocks (
    group_id text NOT NULL,
    kind text COLLATE "C" NOT NULL CONSTRAINT posting_blocks_kind CHECK (kind IN ('episode', 'entity', 'fact', 'community')),
    term text COLLATE "C" NOT NULL,
    block integer NOT NULL,
    densest real NOT NULL,
    thinnest real NOT NULL,
    ids uuid[] NOT NULL,
    tf smallint[] NOT NULL,
    lengths smallint[] NOT NULL,
    PRIMARY KEY (group_id, kind, term, block)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE annals_internal.posting_blocks IS 'Packed postings, many of a term in a row. The first block of a term holds those in which the term counts most. Packed by upkeep.';
COMMENT ON COLUMN annals_internal.posting_blocks.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.posting_blocks.kind IS 'Kind of the documents: episode, entity, fact or community.';
COMMENT ON COLUMN annals_internal.posting_blocks.term IS 'The stemmed word.';
COMMENT ON COLUMN annals_internal.posting_blocks.block IS 'Number of the block within its term, from 0.';
COMMENT ON COLUMN annals_internal.posting_blocks.densest IS 'Smallest annals_internal.term_sparsity() of its postings.';
COMMENT ON COLUMN annals_internal.posting_blocks.thinnest IS 'Largest annals_internal.term_sparsity() of its postings.';
COMMENT ON COLUMN annals_internal.posting_blocks.ids IS 'Ids of the rows that contain the term.';
COMMENT ON COLUMN annals_internal.posting_blocks.tf IS 'Term frequency in each of these rows.';
COMMENT ON COLUMN annals_internal.posting_blocks.lengths IS 'Number of terms in each of these rows.';

CREATE VIEW annals_internal.all_postings WITH (security_invoker = true) AS
SELECT p.group_id, p.kind, p.term, p.document_id, p.tf, p.length FROM annals_internal.postings p
UNION ALL
SELECT b.group_id, b.kind, b.term, unnest(b.ids), unnest(b.tf)::integer, unnest(b.lengths)::integer FROM annals_internal.posting_blocks b;
COMMENT ON VIEW annals_internal.all_postings IS 'All postings, packed or not, one per row.';
COMMENT ON COLUMN annals_internal.all_postings.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.all_postings.kind IS 'Kind of the row: episode, entity, fact or community.';
COMMENT ON COLUMN annals_internal.all_postings.term IS 'The stemmed word.';
COMMENT ON COLUMN annals_internal.all_postings.document_id IS 'Id of the row that contains the term.';
COMMENT ON COLUMN annals_internal.all_postings.tf IS 'Number of times the row contains the term.';
COMMENT ON COLUMN annals_internal.all_postings.length IS 'Number of terms in the row.';

-- Orders the postings of one term nearly as Okapi BM25 does. The exact order adds
-- a third of the mean length to length; a constant 5 stands for it.
CREATE FUNCTION annals_internal.term_sparsity(tf integer, length integer) RETURNS real
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN ((length + 5)::real / tf)::real;
COMMENT ON FUNCTION annals_internal.term_sparsity(integer, integer) IS 'Returns how thinly a term is spread in a document. Higher values count less.';

CREATE FUNCTION annals_internal.add_postings() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    groups text[];
    terms text[];
    ids uuid[];
    tf integer[];
    lengths integer[];
BEGIN
    SELECT array_agg(n.group_id), array_agg(t.lexeme), array_agg(n.id), array_agg(cardinality(t.positions)), array_agg(n.length)
    INTO groups, terms, ids, tf, lengths
    FROM new_rows n, unnest(n.terms) AS t;
    INSERT INTO annals_internal.postings (group_id, kind, term, document_id, tf, length)
    SELECT n.group_id, TG_ARGV[0], n.term, n.id, n.tf, n.length
    FROM unnest(groups, terms, ids, tf, lengths) AS n(group_id, term, id, tf, length);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.add_postings() IS 'Trigger: writes the postings of new rows.';

-- Removes all postings of a row from annals_internal.postings and the blocks. An
-- advisory lock makes it wait while postings of the group are packed, so that it misses
-- none.
--
-- Works row by row, and looks each posting up by its key: the planner does not know how
-- many there are, and would read all postings to find a few. annals_internal.remove_rows removes the postings of many
-- rows itself, and sets annals.postings_taken to skip this trigger.
CREATE FUNCTION annals_internal.replace_postings() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    gone integer := 0;
    gone_term text;
    held record;
    emptied boolean;
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('annals.postings_taken', true) = TG_ARGV[0] THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('annals_internal.postings:' || OLD.group_id, 0));
    FOREACH gone_term IN ARRAY tsvector_to_array(OLD.terms) LOOP
        DELETE FROM annals_internal.postings p
        WHERE p.group_id = OLD.group_id AND p.kind = TG_ARGV[0] AND p.term = gone_term COLLATE "C" AND p.document_id = OLD.id;
        IF FOUND THEN gone := gone + 1; END IF;
    END LOOP;
    IF gone < length(OLD.terms) THEN
        FOR held IN
            SELECT h.term, h.block, array_position(h.ids, OLD.id) AS place
            FROM unnest(OLD.terms) AS t
            CROSS JOIN LATERAL annals_internal.term_sparsity(cardinality(t.positions), OLD.length) AS n(thinness)
            CROSS JOIN LATERAL (SELECT x.* FROM annals_internal.posting_blocks x
                WHERE x.group_id = OLD.group_id AND x.kind = TG_ARGV[0] AND x.term = t.lexeme COLLATE "C" OFFSET 0) h
            WHERE h.densest <= n.thinness AND h.thinnest >= n.thinness
                AND (h.densest < n.thinness OR h.ids[1] <= OLD.id) AND (h.thinnest > n.thinness OR h.ids[cardinality(h.ids)] >= OLD.id)
        LOOP
            CONTINUE WHEN held.place IS NULL;
            UPDATE annals_internal.posting_blocks b
            SET ids = b.ids[:held.place - 1] || b.ids[held.place + 1:], tf = b.tf[:held.place - 1] || b.tf[held.place + 1:],
                lengths = b.lengths[:held.place - 1] || b.lengths[held.place + 1:]
            WHERE b.group_id = OLD.group_id AND b.kind = TG_ARGV[0] AND b.term = held.term AND b.block = held.block
            RETURNING b.ids = '{}' OR coalesce(emptied, false) INTO emptied;
        END LOOP;
        IF emptied THEN
            DELETE FROM annals_internal.posting_blocks
            WHERE group_id = OLD.group_id AND kind = TG_ARGV[0] AND term = ANY (tsvector_to_array(OLD.terms)) AND ids = '{}';
        END IF;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO annals_internal.postings (group_id, kind, term, document_id, tf, length)
        SELECT NEW.group_id, TG_ARGV[0], t.lexeme, NEW.id, cardinality(t.positions), NEW.length
        FROM unnest(NEW.terms) AS t;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.replace_postings() IS 'Trigger: replaces or removes the postings of a changed or removed row.';

-- Removes the postings of many rows before the rows go: loose ones first, then
-- each affected block in one write. The postings of a term are ordered across its
-- blocks, so each can only be in the last block that starts before it.
--
-- It looks each up by its key, in a loop. Joined with a table, they are looked up in
-- an index of all postings of the kind where the statistics are old.
CREATE FUNCTION annals_internal.take_postings(of_group text, of_kind text, documents uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    kept record;
    one record;
    terms text[] := '{}';
    ids uuid[] := '{}';
    sparsities real[] := '{}';
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('annals_internal.postings:' || of_group, 0));
    FOR one IN
        SELECT t.lexeme COLLATE "C" AS term, d.id, annals_internal.term_sparsity(cardinality(t.positions), d.length) AS thinness
        FROM (
            SELECT e.id, e.length, e.terms FROM annals.episodes e WHERE of_kind = 'episode' AND e.group_id = of_group AND e.id = ANY (documents)
            UNION ALL
            SELECT n.id, n.length, n.terms FROM annals.entities n WHERE of_kind = 'entity' AND n.group_id = of_group AND n.id = ANY (documents)
            UNION ALL
            SELECT f.id, f.length, f.terms FROM annals.facts f WHERE of_kind = 'fact' AND f.group_id = of_group AND f.id = ANY (documents)
            UNION ALL
            SELECT c.id, c.length, c.terms FROM annals.communities c WHERE of_kind = 'community' AND c.group_id = of_group AND c.id = ANY (documents)
        ) d
        CROSS JOIN LATERAL unnest(d.terms) AS t
    LOOP -- one by one: whatever the statistics say, each is looked up by its key
        DELETE FROM annals_internal.postings p
        WHERE p.group_id = of_group AND p.kind = of_kind AND p.term = one.term AND p.document_id = one.id;
        IF NOT FOUND THEN
            terms := terms || one.term;
            ids := ids || one.id;
            sparsities := sparsities || one.thinness;
        END IF;
    END LOOP;
    FOR kept IN WITH packed AS MATERIALIZED (
        SELECT u.term COLLATE "C" AS term, u.id, u.thinness FROM unnest(terms, ids, sparsities) AS u(term, id, thinness)
    ), ordered AS (
        SELECT o.term, o.id, o.block IS NULL AS is_posting,
            max(o.block) OVER (PARTITION BY o.term ORDER BY o.thinness, o.id, o.block NULLS LAST ROWS UNBOUNDED PRECEDING) AS block
        FROM (
            SELECT p.term, p.thinness, p.id, NULL::integer AS block FROM packed p
            UNION ALL
            SELECT b.term, annals_internal.term_sparsity(b.tf[1], b.lengths[1]), b.ids[1], b.block
            FROM (SELECT DISTINCT p.term FROM packed p) t
            CROSS JOIN LATERAL (SELECT x.* FROM annals_internal.posting_blocks x
                WHERE x.group_id = of_group AND x.kind = of_kind AND x.term = t.term OFFSET 0) b
        ) o
    ), touched AS MATERIALIZED (
        SELECT o.term, o.block, array_agg(o.id) AS gone FROM ordered o WHERE o.is_posting AND o.block IS NOT NULL GROUP BY o.term, o.block
    )
        SELECT b.term, b.block, k.ids, k.tf, k.lengths
        FROM touched t
        CROSS JOIN LATERAL (SELECT x.* FROM annals_internal.posting_blocks x
            WHERE x.group_id = of_group AND x.kind = of_kind AND x.term = t.term AND x.block = t.block OFFSET 0) b
        CROSS JOIN LATERAL (
            SELECT array_agg(u.id) AS ids, array_agg(u.tf) AS tf, array_agg(u.length) AS lengths, count(*) AS postings
            FROM unnest(b.ids, b.tf, b.lengths) AS u(id, tf, length) WHERE u.id <> ALL (t.gone)
        ) k
        WHERE k.postings < cardinality(b.ids)
    LOOP
        IF kept.ids IS NULL THEN
            DELETE FROM annals_internal.posting_blocks b
            WHERE b.group_id = of_group AND b.kind = of_kind AND b.term = kept.term AND b.block = kept.block;
        ELSE
            UPDATE annals_internal.posting_blocks b SET ids = kept.ids, tf = kept.tf, lengths = kept.lengths
            WHERE b.group_id = of_group AND b.kind = of_kind AND b.term = kept.term AND b.block = kept.block;
        END IF;
    END LOOP;
END
$$;
COMMENT ON FUNCTION annals_internal.take_postings(text, text, uuid[]) IS 'Removes the postings of many rows of a kind, before the rows are removed.';

-- Removes rows of a kind, and returns their ids. The postings of 50 or more go
-- together. It locks rows first and postings second, like an UPDATE. The facts of
-- entities go first, because a cascade would remove them one by one.
CREATE FUNCTION annals_internal.remove_rows(of_group text, of_kind text, gone uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    many constant boolean := coalesce(cardinality(gone), 0) >= 50;
    taken constant text := coalesce(current_setting('annals.postings_taken', true), '');
    facts uuid[];
BEGIN
    IF coalesce(cardinality(gone), 0) = 0 THEN
        RETURN;
    END IF;
    IF many THEN
        CASE of_kind
            WHEN 'episode' THEN PERFORM FROM annals.episodes e WHERE e.group_id = of_group AND e.id = ANY (gone) ORDER BY e.id FOR UPDATE;
            WHEN 'entity' THEN PERFORM FROM annals.entities n WHERE n.group_id = of_group AND n.id = ANY (gone) ORDER BY n.id FOR UPDATE;
            WHEN 'fact' THEN PERFORM FROM annals.facts f WHERE f.group_id = of_group AND f.id = ANY (gone) ORDER BY f.id FOR UPDATE;
            WHEN 'community' THEN PERFORM FROM annals.communities c WHERE c.group_id = of_group AND c.id = ANY (gone) ORDER BY c.id FOR UPDATE;
        END CASE;
        PERFORM annals_internal.take_postings(of_group, of_kind, gone);
    END IF;
    IF of_kind = 'entity' THEN
        SELECT array_agg(s.id) INTO facts FROM (
            SELECT f.id FROM annals.facts f WHERE f.group_id = of_group AND f.source_id = ANY (gone)
            UNION
            SELECT f.id FROM annals.facts f WHERE f.group_id = of_group AND f.target_id = ANY (gone)) s;
        PERFORM annals_internal.remove_rows(of_group, 'fact', facts);
    END IF;
    PERFORM annals_internal.set_local('annals.postings_taken', CASE WHEN many THEN of_kind ELSE '' END);
    CASE of_kind
        WHEN 'episode' THEN RETURN QUERY DELETE FROM annals.episodes e WHERE e.group_id = of_group AND e.id = ANY (gone) RETURNING e.id;
        WHEN 'entity' THEN RETURN QUERY DELETE FROM annals.entities n WHERE n.group_id = of_group AND n.id = ANY (gone) RETURNING n.id;
        WHEN 'fact' THEN RETURN QUERY DELETE FROM annals.facts f WHERE f.group_id = of_group AND f.id = ANY (gone) RETURNING f.id;
        WHEN 'community' THEN RETURN QUERY DELETE FROM annals.communities c WHERE c.group_id = of_group AND c.id = ANY (gone) RETURNING c.id;
    END CASE;
    PERFORM annals_internal.set_local('annals.postings_taken', taken);
END
$$;
COMMENT ON FUNCTION annals_internal.remove_rows(text, text, uuid[]) IS 'Removes rows of a kind, with their postings in bulk, and returns their ids.';

-- Packs the loose postings of some terms together with their packed ones. It
-- returns false, and does nothing, while another transaction removes postings of
-- the group. Postings of texts over 32,767 words stay loose.
CREATE FUNCTION annals_internal.pack_postings(of_group text, of_kind text, terms text[]) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('annals_internal.postings:' || of_group, 0)) THEN
        RETURN false;
    END IF;
    WITH loose AS (
        DELETE FROM annals_internal.postings p
        WHERE p.group_id = of_group AND p.kind = of_kind AND p.term = ANY (terms) AND p.length <= 32767
        RETURNING p.term, p.document_id AS id, p.tf::smallint AS tf, p.length::smallint AS length
    ), packed AS (
        DELETE FROM annals_internal.posting_blocks b
        WHERE b.group_id = of_group AND b.kind = of_kind AND b.term = ANY (terms)
        RETURNING b.term, b.ids, b.tf, b.lengths
    )
    INSERT INTO annals_internal.posting_blocks (group_id, kind, term, block, densest, thinnest, ids, tf, lengths)
    SELECT of_group, of_kind, o.term, o.block, min(o.thinness), max(o.thinness), array_agg(o.id ORDER BY o.place),
        array_agg(o.tf ORDER BY o.place), array_agg(o.length ORDER BY o.place)
    FROM (
        SELECT a.term, a.id, a.tf, a.length, n.thinness, row_number() OVER w AS place, (row_number() OVER w - 1) / 72 AS block
        FROM (
            SELECT l.term, l.id, l.tf, l.length FROM loose l
            UNION ALL
            SELECT b.term, unnest(b.ids), unnest(b.tf), unnest(b.lengths) FROM packed b
        ) a
        CROSS JOIN LATERAL annals_internal.term_sparsity(a.tf, a.length) AS n(thinness)
        WINDOW w AS (PARTITION BY a.term ORDER BY n.thinness, a.id)
    ) o
    GROUP BY o.term, o.block;
    RETURN true;
END
$$;
COMMENT ON FUNCTION annals_internal.pack_postings(text, text, text[]) IS 'Packs the postings of terms of a group into blocks. Returns false if another transaction holds the group''s postings.';

CREATE TRIGGER postings_insert AFTER INSERT ON annals.episodes
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.add_postings('episode');
COMMENT ON TRIGGER postings_insert ON annals.episodes IS 'Adds the postings of new episodes.';
CREATE TRIGGER postings_update AFTER UPDATE ON annals.episodes
    FOR EACH ROW WHEN (OLD.terms IS DISTINCT FROM NEW.terms) EXECUTE FUNCTION annals_internal.replace_postings('episode');
COMMENT ON TRIGGER postings_update ON annals.episodes IS 'Replaces the postings of a changed episode.';
CREATE TRIGGER postings_delete AFTER DELETE ON annals.episodes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.replace_postings('episode');
COMMENT ON TRIGGER postings_delete ON annals.episodes IS 'Removes the postings of a removed episode.';
CREATE TRIGGER postings_insert AFTER INSERT ON annals.entities
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.add_postings('entity');
COMMENT ON TRIGGER postings_insert ON annals.entities IS 'Adds the postings of new entities.';
CREATE TRIGGER postings_update AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN (OLD.terms IS DISTINCT FROM NEW.terms) EXECUTE FUNCTION annals_internal.replace_postings('entity');
COMMENT ON TRIGGER postings_update ON annals.entities IS 'Replaces the postings of a changed entity.';
CREATE TRIGGER postings_delete AFTER DELETE ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals_internal.replace_postings('entity');
COMMENT ON TRIGGER postings_delete ON annals.entities IS 'Removes the postings of a removed entity.';
CREATE TRIGGER postings_insert AFTER INSERT ON annals.facts
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.add_postings('fact');
COMMENT ON TRIGGER postings_insert ON annals.facts IS 'Adds the postings of new facts.';
CREATE TRIGGER postings_update AFTER UPDATE ON annals.facts
    FOR EACH ROW WHEN (OLD.terms IS DISTINCT FROM NEW.terms) EXECUTE FUNCTION annals_internal.replace_postings('fact');
COMMENT ON TRIGGER postings_update ON annals.facts IS 'Replaces the postings of a changed fact.';
CREATE TRIGGER postings_delete AFTER DELETE ON annals.facts
    FOR EACH ROW EXECUTE FUNCTION annals_internal.replace_postings('fact');
COMMENT ON TRIGGER postings_delete ON annals.facts IS 'Removes the postings of a removed fact.';
CREATE TRIGGER postings_insert AFTER INSERT ON annals.communities
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.add_postings('community');
COMMENT ON TRIGGER postings_insert ON annals.communities IS 'Adds the postings of new communities.';
CREATE TRIGGER postings_update AFTER UPDATE ON annals.communities
    FOR EACH ROW WHEN (OLD.terms IS DISTINCT FROM NEW.terms) EXECUTE FUNCTION annals_internal.replace_postings('community');
COMMENT ON TRIGGER postings_update ON annals.communities IS 'Replaces the postings of a changed community.';
CREATE TRIGGER postings_delete AFTER DELETE ON annals.communities
    FOR EACH ROW EXECUTE FUNCTION annals_internal.replace_postings('community');
COMMENT ON TRIGGER postings_delete ON annals.communities IS 'Removes the postings of a removed community.';

-- Counts documents and terms for ranking, which tolerates slightly stale counts.
CREATE TABLE annals_internal.search_statistics (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    kind annals.kind NOT NULL,
    documents bigint NOT NULL,
    terms bigint NOT NULL,
    refreshed_at timestamptz NOT NULL DEFAULT now(),
    counted bigint NOT NULL DEFAULT 0,
    packed bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (group_id, kind)
);
COMMENT ON TABLE annals_internal.search_statistics IS
    'Number of documents and terms of each kind in a group, for ranking. Refreshed as episodes are processed.';
COMMENT ON COLUMN annals_internal.search_statistics.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.search_statistics.kind IS 'Kind of the row: episode, entity, fact or community.';
COMMENT ON COLUMN annals_internal.search_statistics.documents IS 'Number of rows.';
COMMENT ON COLUMN annals_internal.search_statistics.terms IS 'Number of terms in all of them.';
COMMENT ON COLUMN annals_internal.search_statistics.refreshed_at IS 'Time of the count.';
COMMENT ON COLUMN annals_internal.search_statistics.counted IS 'Number of rows when frequent terms were last counted.';
COMMENT ON COLUMN annals_internal.search_statistics.packed IS 'Number of rows when their postings were last packed.';

-- Holds the document counts of frequent terms, which take too long to count in
-- each search. Refreshed with the statistics.
CREATE TABLE annals_internal.frequent_terms (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL CONSTRAINT frequent_terms_kind CHECK (kind IN ('episode', 'entity', 'fact', 'community')),
    term text COLLATE "C" NOT NULL,
    documents bigint NOT NULL,
    PRIMARY KEY (group_id, kind, term)
);
COMMENT ON TABLE annals_internal.frequent_terms IS 'Document counts of the terms that more than 500 documents of a group contain.';
COMMENT ON COLUMN annals_internal.frequent_terms.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.frequent_terms.kind IS 'Kind of the row: episode, entity, fact or community.';
COMMENT ON COLUMN annals_internal.frequent_terms.term IS 'The stemmed word.';
COMMENT ON COLUMN annals_internal.frequent_terms.documents IS 'Number of rows that contain the term.';

-- Returns the language whose stop words a text contains: at least three different
-- ones, and two more than of any other language. NULL: unclear.
CREATE FUNCTION annals_internal.language_of(document text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (WITH word AS MATERIALIZED (
        SELECT DISTINCT lower(w.found[1] COLLATE "und-x-icu") AS word
        FROM (SELECT f.found FROM regexp_matches(left(document, 4000) COLLATE "und-x-icu", '[[:alpha:]]+', 'g') AS f(found) LIMIT 400) w
    ), held AS (
        SELECT c.cfgname::text AS language, count(*) FILTER (WHERE ts_lexize(format('pg_catalog.%s_stem', c.cfgname)::regdictionary, w.word) = '{}') AS words
        FROM pg_ts_config c CROSS JOIN word w
        WHERE c.cfgnamespace = 'annals'::regnamespace
        GROUP BY c.cfgname
    ), best AS (
        SELECT h.language, h.words, lead(h.words) OVER (ORDER BY h.words DESC) AS next FROM held h ORDER BY h.words DESC LIMIT 1
    )
    SELECT b.language FROM best b WHERE b.words >= 3 AND b.words >= b.next + 2);
END
$$;
COMMENT ON FUNCTION annals_internal.language_of(text) IS 'Returns the language of a text, by its stop words; NULL: unclear.';

-- Detects the language of a group once, in its first fifty episodes. It reads the
-- episodes that just came and the ten before them. It never waits: if another
-- transaction writes the graph or the group, the next episode tries again, or this
-- one when it is read.
CREATE FUNCTION annals_internal.detect_language(of_group text, came integer DEFAULT 50) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    episodes integer;
    said text;
    language text;
BEGIN
    IF NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = of_group AND g.text_search_from = 'default') THEN
        RETURN;
    END IF;
    SELECT count(*), string_agg(left(e.content, greatest(2000 / came, 100)), ' ' ORDER BY e.id DESC) FILTER (WHERE e.place <= came + 10)
    INTO episodes, said
    FROM (SELECT b.id, b.content, row_number() OVER (ORDER BY b.id DESC) AS place FROM annals.episodes b WHERE b.group_id = of_group ORDER BY b.id DESC LIMIT 50) e;
    language := annals_internal.language_of(said);
    IF (language IS NULL AND episodes < 50) OR NOT pg_try_advisory_xact_lock(hashtextextended('annals.write:' || of_group, 0)) THEN
        RETURN;
    END IF;
    PERFORM FROM annals.groups g WHERE g.group_id = of_group AND g.text_search_from = 'default' FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
        UPDATE annals.groups g SET text_search = coalesce('annals.' || language, g.text_search), text_search_from = 'detected' WHERE g.group_id = of_group;
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.detect_language(text, integer) IS 'Detects the language of a group in its first episodes, unless another transaction writes to it.';

CREATE FUNCTION annals_internal.detect_languages() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_LEVEL = 'ROW' THEN
        PERFORM annals_internal.detect_language(NEW.group_id);
        RETURN NULL;
    END IF;
    PERFORM annals_internal.detect_language(a.group_id, least(a.came, 50)::integer)
    FROM (SELECT n.group_id, count(*) AS came FROM added n GROUP BY n.group_id ORDER BY n.group_id) a;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.detect_languages() IS 'Trigger: detects the languages of groups in their first episodes.';
-- Named to run after postings_insert, whose postings it changes.
CREATE TRIGGER told_language AFTER INSERT ON annals.episodes
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.detect_languages();
COMMENT ON TRIGGER told_language ON annals.episodes IS 'Detects the language of the group, once.';
CREATE TRIGGER told_language AFTER INSERT OR UPDATE ON annals_internal.search_statistics
    FOR EACH ROW WHEN (NEW.kind = 'episode') EXECUTE FUNCTION annals_internal.detect_languages();
COMMENT ON TRIGGER told_language ON annals_internal.search_statistics IS 'Detects the language of the group when its episodes are counted, if their arrival did not.';

-- Episodes of a transaction that was still open when another one detected the language
-- have the terms of the default. They are split again when they are read, so that nobody
-- waits.
CREATE TRIGGER terms_when_read BEFORE UPDATE OF state ON annals.episodes
    FOR EACH ROW WHEN (NEW.state = 'done' AND OLD.state <> 'done') EXECUTE FUNCTION annals_internal.set_terms('episode', 'again');
COMMENT ON TRIGGER terms_when_read ON annals.episodes IS 'Splits the episode again when it is read, in the language detected since.';

-- Whoever names a configuration sets it, even the default, unless detection does. An import
-- brings its own text_search_from, and keeps a configuration that is set.
CREATE FUNCTION annals_internal.note_language() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.text_search_from := CASE
            WHEN NEW.text_search IS NULL THEN 'default'
            WHEN NEW.text_search_from = 'default' AND NEW.text_search <> 'annals.english' THEN 'set'
            ELSE coalesce(NEW.text_search_from, 'set') END;
        NEW.text_search := coalesce(NEW.text_search, 'annals.english');
    ELSIF coalesce(current_setting('annals.take_back', true), '') = '' THEN
        IF NEW.text_search_from = OLD.text_search_from THEN
            NEW.text_search_from := 'set';
        END IF;
    ELSIF OLD.text_search_from = 'set' THEN
        NEW.text_search_from := 'set';
        NEW.text_search := OLD.text_search;
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.note_language() IS 'Trigger: records the origin of a group''s language in text_search_from.';
CREATE TRIGGER language_made BEFORE INSERT ON annals.groups
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_language();
COMMENT ON TRIGGER language_made ON annals.groups IS 'Records whether the language of a new group was set by hand.';
CREATE TRIGGER language_set BEFORE UPDATE OF text_search ON annals.groups
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_language();
COMMENT ON TRIGGER language_set ON annals.groups IS 'Records that the language of a group was set by hand.';

-- Splits all texts of a group again, in its language. The triggers on each table do
-- the work and write the postings; former versions have no postings.
CREATE FUNCTION annals_internal.split_anew() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM annals.episodes e WHERE e.group_id = NEW.group_id ORDER BY e.id FOR NO KEY UPDATE; -- locks in the order of claims
    UPDATE annals.episodes e SET actor = e.actor WHERE e.group_id = NEW.group_id;
    UPDATE annals.entities n SET name = n.name WHERE n.group_id = NEW.group_id;
    UPDATE annals.facts f SET fact = f.fact WHERE f.group_id = NEW.group_id;
    UPDATE annals.communities c SET name = c.name WHERE c.group_id = NEW.group_id;
    UPDATE annals.rejections r SET fact = r.fact WHERE r.group_id = NEW.group_id;
    UPDATE annals_internal.entities_history h SET terms = '' WHERE h.group_id = NEW.group_id;
    UPDATE annals_internal.facts_history h SET terms = '' WHERE h.group_id = NEW.group_id;
    UPDATE annals_internal.communities_history h SET terms = '' WHERE h.group_id = NEW.group_id;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.split_anew() IS 'Trigger: splits the texts of a group again when its language changes.';
CREATE TRIGGER split_anew AFTER UPDATE OF text_search ON annals.groups
    FOR EACH ROW WHEN (OLD.text_search <> NEW.text_search) EXECUTE FUNCTION annals_internal.split_anew();
COMMENT ON TRIGGER split_anew ON annals.groups IS 'Splits the texts of a group again when its language changes.';

CALL annals_internal.end_migration(4, 'search');

-- +goose StatementEnd
-- +goose Down

DROP TRIGGER split_anew ON annals.groups;
DROP TRIGGER language_set ON annals.groups;
DROP TRIGGER language_made ON annals.groups;
DROP TRIGGER terms_when_read ON annals.episodes;
DROP TRIGGER told_language ON annals_internal.search_statistics;
DROP TRIGGER told_language ON annals.episodes;
DROP FUNCTION annals_internal.split_anew, annals_internal.note_language, annals_internal.detect_languages, annals_internal.detect_language, annals_internal.language_of;
DROP TABLE annals_internal.frequent_terms, annals_internal.search_statistics;
DROP TRIGGER postings_delete ON annals.communities;
DROP TRIGGER postings_update ON annals.communities;
DROP TRIGGER postings_insert ON annals.communities;
DROP TRIGGER postings_delete ON annals.facts;
DROP TRIGGER postings_update ON annals.facts;
DROP TRIGGER postings_insert ON annals.facts;
DROP TRIGGER postings_delete ON annals.entities;
DROP TRIGGER postings_update ON annals.entities;
DROP TRIGGER postings_insert ON annals.entities;
DROP TRIGGER postings_delete ON annals.episodes;
DROP TRIGGER postings_update ON annals.episodes;
DROP TRIGGER postings_insert ON annals.episodes;
DROP FUNCTION annals_internal.pack_postings, annals_internal.remove_rows, annals_internal.take_postings, annals_internal.replace_postings, annals_internal.add_postings, annals_internal.term_sparsity;
DROP VIEW annals_internal.all_postings;
DROP TABLE annals_internal.posting_blocks, annals_internal.postings;
DROP TRIGGER terms ON annals_internal.communities_history;
DROP TRIGGER terms ON annals_internal.facts_history;
DROP TRIGGER terms ON annals_internal.entities_history;
DROP TRIGGER terms ON annals.communities;
DROP TRIGGER terms ON annals.facts;
DROP TRIGGER terms ON annals.entities;
DROP TRIGGER terms ON annals.episodes;
DROP FUNCTION annals_internal.set_terms, annals_internal.run_told, annals_internal.searched, annals_internal.telling_passage, annals_internal.words_of, annals_internal.passages, annals_internal.is_long, annals_internal.segmented, annals_internal.unspaced_letters;
DELETE FROM annals.migrations WHERE version = 4;
