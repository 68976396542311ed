-- Undoing and erasing: the readings of episodes, tombstones of erased content,
-- and the functions that remove it.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(14);

-- Keeps what was found in an episode before the comparison with the graph. From
-- this the episode can be placed in the graph again without another call of a
-- model.
CREATE TABLE annals_internal.readings (
    group_id text NOT NULL,
    episode_id uuid NOT NULL,
    reader text NOT NULL,
    reading jsonb NOT NULL,
    PRIMARY KEY (group_id, episode_id),
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE
);
COMMENT ON TABLE annals_internal.readings IS
    'Results of reading an episode, before the comparison with the graph. When an earlier episode is undone, later ones are placed again from this, without being read again.';
COMMENT ON COLUMN annals_internal.readings.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.readings.episode_id IS 'The episode.';
COMMENT ON COLUMN annals_internal.readings.reader IS 'The model that read it, as provider:model.';
COMMENT ON COLUMN annals_internal.readings.reading IS 'The entities and facts found, as JSON.';

-- Records when episodes were undone. What was believed between since and
-- undone_at depended on them.
CREATE TABLE annals_internal.undone (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    undone_at timestamptz NOT NULL,
    since timestamptz NOT NULL,
    removed timestamptz[] NOT NULL,
    outlived boolean NOT NULL DEFAULT false,
    PRIMARY KEY (group_id, undone_at)
);
COMMENT ON TABLE annals_internal.undone IS 'Times at which episodes were undone.';
COMMENT ON COLUMN annals_internal.undone.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.undone.id IS 'Its id, random.';
COMMENT ON COLUMN annals_internal.undone.undone_at IS 'Time they were undone, on the recorded axis.';
COMMENT ON COLUMN annals_internal.undone.since IS 'Time since which the graph had depended on them.';
COMMENT ON COLUMN annals_internal.undone.removed IS 'Times at which they had come into the graph.';
COMMENT ON COLUMN annals_internal.undone.outlived IS 'True if they were not kept any longer: expired, or past the group''s retention. Nobody said that they were wrong.';

CREATE TABLE annals.retention (
    group_id text PRIMARY KEY REFERENCES annals.groups ON DELETE CASCADE,
    max_age interval CHECK (max_age > '0'),
    max_episodes integer CHECK (max_episodes > 0),
    applied_at timestamptz
);
COMMENT ON TABLE annals.retention IS
    'Limits on the episodes that a group keeps. Workers apply them daily, ''annals retention apply'' at once.';
COMMENT ON COLUMN annals.retention.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.retention.max_age IS 'Maximum age of an episode; NULL: no limit.';
COMMENT ON COLUMN annals.retention.max_episodes IS 'Maximum number of episodes, keeping the newest; NULL: no limit.';
COMMENT ON COLUMN annals.retention.applied_at IS 'Time the limits were last applied; NULL: never.';

-- Keeps keyed hashes of erased content that must not come back unasked: the id, content, sentences
-- and external id of episodes, by group. The key belongs to this database, so that nobody can test
-- guesses against a copy of the table. The group is not part of the hash: a copy of a group takes
-- its tombstones along.
CREATE TABLE annals_internal.tombstones (
    group_id text NOT NULL,
    digest bytea NOT NULL,
    kind text NOT NULL DEFAULT 'content' CHECK (kind IN ('content', 'sentence', 'external_id', 'id')),
    opens bytea,
    size integer,
    erased_at timestamptz NOT NULL DEFAULT now(),
    authority annals.authority NOT NULL DEFAULT (annals_internal.write_origin()->>'authority')::annals.authority,
    PRIMARY KEY (group_id, digest),
    CHECK ((kind = 'sentence') = (opens IS NOT NULL AND size IS NOT NULL)),
    CHECK (octet_length(opens) = 12)
);
COMMENT ON TABLE annals_internal.tombstones IS 'Keyed hashes of erased content, by which it is refused if it comes again.';
COMMENT ON COLUMN annals_internal.tombstones.group_id IS 'The group that it belonged to.';
COMMENT ON COLUMN annals_internal.tombstones.digest IS 'HMAC-SHA-256 of the content under a key of this database.';
COMMENT ON COLUMN annals_internal.tombstones.kind IS 'Part of the episode that was hashed: content, sentence, external_id or id.';
COMMENT ON COLUMN annals_internal.tombstones.opens IS 'For a sentence, a fingerprint for finding it in a text. It has the first two bytes of the keyed hashes of its first and its last five words. For each of these runs it has the position of the longest word and three bytes of its seeded hash.';
COMMENT ON COLUMN annals_internal.tombstones.size IS 'For a sentence, its folded length in bytes.';
COMMENT ON COLUMN annals_internal.tombstones.erased_at IS 'Time it was erased.';
COMMENT ON COLUMN annals_internal.tombstones.authority IS 'Authority with which it was erased. A lower one cannot readmit it.';

CREATE INDEX tombstones_sentence ON annals_internal.tombstones (group_id, opens, size) WHERE kind = 'sentence';
COMMENT ON INDEX annals_internal.tombstones_sentence IS 'Lists the fingerprints of a group''s erased sentences, for finding them in texts.';

-- Keeps keyed hashes of the names of erased groups. The rows belong to no group, so
-- that every server of a cluster has them for its check when a group is created. A
-- row stays when its group is created again, which is recorded there.
CREATE TABLE annals_internal.erased_groups (
    group_id text NOT NULL DEFAULT '' CHECK (group_id = ''),
    digest bytea NOT NULL,
    erased_at timestamptz NOT NULL DEFAULT now(),
    authority annals.authority NOT NULL DEFAULT (annals_internal.write_origin()->>'authority')::annals.authority,
    PRIMARY KEY (group_id, digest)
);
COMMENT ON TABLE annals_internal.erased_groups IS 'Keyed hashes of the names of erased groups, so that they are not created again unasked.';
COMMENT ON COLUMN annals_internal.erased_groups.group_id IS 'Always empty: it belongs to no group.';
COMMENT ON COLUMN annals_internal.erased_groups.digest IS 'HMAC-SHA-256 of the name under the key of the tombstones.';
COMMENT ON COLUMN annals_internal.erased_groups.erased_at IS 'Time the group was last erased.';
COMMENT ON COLUMN annals_internal.erased_groups.authority IS 'Highest authority with which it was erased. A lower one cannot create it again.';

-- Creates the key of HMAC-SHA-256 (RFC 2104), and stores its two padded forms.
DO $$
DECLARE
    secret bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
    inner_pad bytea := '';
    outer_pad bytea := '';
    part integer;
BEGIN
    FOR i IN 0..63 LOOP
        part := CASE WHEN i < 32 THEN get_byte(secret, i) ELSE 0 END;
        inner_pad := inner_pad || set_byte('\x00', 0, part # 54);
        outer_pad := outer_pad || set_byte('\x00', 0, part # 92);
    END LOOP;
    INSERT INTO annals_internal.settings (group_id, name, value)
    VALUES ('', 'tombstone_key', jsonb_build_object('inner', encode(inner_pad, 'hex'), 'outer', encode(outer_pad, 'hex')));
END
$$;

-- Computes the keyed hash of bytes of a kind.
CREATE FUNCTION annals_internal.keyed_hash(kind text, bytes bytea) RETURNS bytea
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT sha256(decode(s.value->>'outer', 'hex') || sha256(decode(s.value->>'inner', 'hex') || convert_to(kind || ':', 'UTF8') || bytes))
    FROM annals_internal.settings s WHERE s.group_id = '' AND s.name = 'tombstone_key';
END;
COMMENT ON FUNCTION annals_internal.keyed_hash(text, bytea) IS 'Computes the keyed hash of bytes of a kind.';

-- Computes the keyed hash of erased content. Texts that annals_internal.fold_text makes
-- equal have the same hash. Texts of punctuation alone are hashed by their punctuation.
CREATE FUNCTION annals_internal.tombstone_hash(kind text, erased text) RETURNS bytea
LANGUAGE sql STABLE
RETURN annals_internal.keyed_hash(kind, convert_to(
    CASE WHEN kind IN ('content', 'sentence') THEN coalesce(nullif(annals_internal.fold_text(erased), ''), annals_internal.name_key(erased)) ELSE erased END, 'UTF8'));
COMMENT ON FUNCTION annals_internal.tombstone_hash(text, text) IS
    'Computes the keyed hash of erased content. kind is content, sentence, external_id, id or group.';

-- Splits a text into folded words, with the line and the first byte of each. The
-- byte counts in the words joined by spaces.
CREATE FUNCTION annals_internal.folded_words(said text) RETURNS TABLE (line bigint, word text, at bigint)
LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
    SELECT l.line, w.word, sum(octet_length(w.word) + 1) OVER (ORDER BY l.line, w.place ROWS UNBOUNDED PRECEDING) - octet_length(w.word)
    FROM string_to_table(said, E'\n') WITH ORDINALITY AS l(text, line)
    CROSS JOIN LATERAL string_to_table(annals_internal.fold_text(l.text), ' ') WITH ORDINALITY AS w(word, place)
    WHERE w.word <> '';
END;
COMMENT ON FUNCTION annals_internal.folded_words(text) IS 'Splits a text into folded words, with the line and the first byte of each.';

-- Returns the seed of the quick word hashes, derived from the key. In PL/pgSQL its plan is kept.
CREATE FUNCTION annals_internal.word_hash_seed() RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN (SELECT hashtextextended(s.value->>'inner', 0) FROM annals_internal.settings s WHERE s.group_id = '' AND s.name = 'tombstone_key');
END
$$;
COMMENT ON FUNCTION annals_internal.word_hash_seed() IS 'Returns the seed of the quick word hashes.';

-- Returns the position of the longest word and three bytes of its seeded hash. The
-- longest word is the least likely to occur in another text.
CREATE FUNCTION annals_internal.longest_word_hash(words text) RETURNS bytea
LANGUAGE sql STABLE
RETURN (SELECT decode(lpad(to_hex(w.place - 1), 2, '0') || lpad(to_hex(hashtextextended(w.word, annals_internal.word_hash_seed()) & 16777215), 6, '0'), 'hex')
    FROM string_to_table(words, ' ') WITH ORDINALITY AS w(word, place) ORDER BY length(w.word) DESC, w.place LIMIT 1);
COMMENT ON FUNCTION annals_internal.longest_word_hash(text) IS 'Returns the position of the longest word and a quick hash of it.';

-- Returns the fingerprint for finding a folded sentence in a text. It has the first
-- two bytes of the keyed hashes of the first and the last five words, and the
-- anchors of both runs. NULL for fewer words, which cannot be searched for.
CREATE FUNCTION annals_internal.sentence_fingerprint(folded text) RETURNS bytea
LANGUAGE sql STABLE
RETURN (SELECT substr(annals_internal.keyed_hash('words', convert_to(w.opens, 'UTF8')), 1, 2) || substr(annals_internal.keyed_hash('words', convert_to(w.closes, 'UTF8')), 1, 2)
        || annals_internal.longest_word_hash(w.opens) || annals_internal.longest_word_hash(w.closes)
    FROM (SELECT substring(folded FROM '^(?:\S+ ){4}\S+') AS opens, substring(folded FROM '(?:\S+ ){4}\S+$') AS closes) w);
COMMENT ON FUNCTION annals_internal.sentence_fingerprint(text) IS
    'Returns the fingerprint for finding a folded sentence in a text: parts of the keyed hashes of its first and its last five words.';

-- Lists the runs of five words in a text that may begin or end an erased sentence
-- of the group: those with the anchor of one in its position. It compares quick
-- hashes of words, so that runs without an anchor need no hashing. The line of a
-- run is that of its first word; its place is its first byte in the folded text.
CREATE FUNCTION annals_internal.erased_run_candidates(group_id text, said text) RETURNS TABLE (first_line bigint, last_line bigint, at bigint, until bigint, words text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH anchor AS MATERIALIZED (
        SELECT DISTINCT get_byte(t.opens, a.byte) AS place, ('x' || encode(substr(t.opens, a.byte + 2, 3), 'hex'))::bit(24)::integer AS hash
        FROM annals_internal.tombstones t
        CROSS JOIN (VALUES (4), (8)) AS a(byte)
        WHERE t.group_id = erased_run_candidates.group_id AND t.kind = 'sentence'
    ), met AS MATERIALIZED (
        SELECT EXISTS (
            SELECT FROM (SELECT annals_internal.word_hash_seed() AS seed OFFSET 0) k
            CROSS JOIN string_to_table(annals_internal.fold_text(said), ' ') AS w(word)
            WHERE hashtextextended(w.word, k.seed) & 16777215 IN (SELECT a.hash FROM anchor a)) AS any
    ), word AS MATERIALIZED (
        SELECT w.line, w.word, w.at, row_number() OVER (ORDER BY w.at) AS nth FROM annals_internal.folded_words(said) w WHERE (SELECT m.any FROM met m)
    ), start AS MATERIALIZED (
        SELECT DISTINCT w.nth - a.place AS nth
        FROM (SELECT annals_internal.word_hash_seed() AS seed OFFSET 0) k
        CROSS JOIN word w
        JOIN anchor a ON a.hash = hashtextextended(w.word, k.seed) & 16777215
    )
    SELECT min(w.line), max(w.line), min(w.at), max(w.at + octet_length(w.word)), string_agg(w.word, ' ' ORDER BY w.nth)
    FROM start s
    CROSS JOIN generate_series(0, 4) AS n(place)
    JOIN word w ON w.nth = s.nth + n.place
    GROUP BY s.nth
    HAVING count(*) = 5;
END;
COMMENT ON FUNCTION annals_internal.erased_run_candidates(text, text) IS 'Lists the runs of five words in a text that may begin or end an erased sentence of a group.';

-- Finds the erased sentences of a group anywhere in a text, and their lines. It hashes
-- the runs that have the longest word of a beginning or an end. Where one begins a
-- sentence, and another ends it at the right distance, it hashes all between. It starts
-- from the end that is rarer in the text, so that a text of many beginnings costs no
-- more. Nested loops are off: the planner expects one run, and would compare each with
-- every other. In PL/pgSQL the plan is kept: called for each of many texts, an SQL
-- function is planned anew, which takes longer than to run it. Most texts have no run, and
-- are told by that alone.
CREATE FUNCTION annals_internal.erased_sentences(group_id text, said text) RETURNS TABLE (digest bytea, first_line bigint, last_line bigint)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_nestloop = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    IF octet_length(said) < 9 -- five words
        OR NOT EXISTS (SELECT FROM annals_internal.erased_run_candidates(erased_sentences.group_id, said)) THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH mark AS MATERIALIZED (
        SELECT DISTINCT substr(t.opens, 1, 2) AS opens, substr(t.opens, 3, 2) AS closes, t.size
        FROM annals_internal.tombstones t WHERE t.group_id = erased_sentences.group_id AND t.kind = 'sentence'
    ), key AS MATERIALIZED (
        SELECT decode(s.value->>'outer', 'hex') AS outer_pad, decode(s.value->>'inner', 'hex') || convert_to('words:', 'UTF8') AS inner_pad
        FROM annals_internal.settings s WHERE s.group_id = '' AND s.name = 'tombstone_key'
    ), hashed AS MATERIALIZED (
        SELECT r.first_line, r.last_line, r.at, r.until,
            substr(sha256(k.outer_pad || sha256(k.inner_pad || convert_to(r.words, 'UTF8'))), 1, 2) AS hash
        FROM key k CROSS JOIN annals_internal.erased_run_candidates(erased_sentences.group_id, said) r
    ), whole AS MATERIALIZED (
        SELECT convert_to(string_agg(w.word, ' ' ORDER BY w.at), 'UTF8') AS bytes FROM annals_internal.folded_words(said) w WHERE EXISTS (SELECT FROM hashed)
    ), counted AS MATERIALIZED (
        SELECT h.hash, count(*) AS times FROM hashed h GROUP BY h.hash
    ), sought AS MATERIALIZED (
        SELECT m.opens, m.closes, m.size, o.times > c.times AS from_end
        FROM mark m JOIN counted o ON o.hash = m.opens JOIN counted c ON c.hash = m.closes
    ), place AS MATERIALIZED (
        SELECT b.at, b.at + s.size AS until, s.opens, s.closes, s.size FROM sought s JOIN hashed b ON b.hash = s.opens WHERE NOT s.from_end
        UNION ALL
        SELECT e.until - s.size, e.until, s.opens, s.closes, s.size FROM sought s JOIN hashed e ON e.hash = s.closes WHERE s.from_end
    )
    SELECT t.digest, b.first_line, e.last_line
    FROM place p
    JOIN hashed b ON (b.at, b.hash) = (p.at, p.opens)
    JOIN hashed e ON (e.until, e.hash) = (p.until, p.closes)
    JOIN annals_internal.tombstones t ON t.group_id = erased_sentences.group_id AND t.kind = 'sentence'
        AND t.digest = annals_internal.keyed_hash('sentence', substring((SELECT h.bytes FROM whole h) FROM p.at::integer FOR p.size));
END
$$;
COMMENT ON FUNCTION annals_internal.erased_sentences(text, text) IS 'Finds the erased sentences of a group in a text, and their lines.';

-- Allows readmission only if the writer may erase and has at least the authority
-- with which the content was erased.
CREATE FUNCTION annals_internal.check_readmission(erased_with annals.authority) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    origin constant jsonb := annals_internal.write_origin();
BEGIN
    IF origin->>'erases' = 'false' THEN
        PERFORM annals_internal.refuse_beneath('force', 'takes in again what was erased, which takes the right to erase');
    ELSIF (origin->>'authority')::annals.authority < erased_with THEN
        PERFORM annals_internal.refuse_beneath('force', format('does not take in again what was erased with the authority of a %s: this is the word of a%s', erased_with,
            CASE origin->>'authority' WHEN 'assistant' THEN 'n assistant' ELSE ' ' || (origin->>'authority') END));
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.check_readmission(annals.authority) IS 'Refuses to readmit erased content if the writer may not erase, or has a lower authority than the eraser.';

CREATE FUNCTION annals_internal.lift_tombstones(of_group text, digests bytea[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    origin constant jsonb := annals_internal.write_origin();
    lifted constant integer := (SELECT count(*) FROM annals_internal.tombstones t WHERE t.group_id = of_group AND t.digest = ANY (digests));
BEGIN
    IF lifted = 0 THEN
        RETURN;
    END IF;
    PERFORM annals_internal.check_readmission((SELECT max(t.authority) FROM annals_internal.tombstones t WHERE t.group_id = of_group AND t.digest = ANY (digests)));
    DELETE FROM annals_internal.tombstones t WHERE t.group_id = of_group AND t.digest = ANY (digests);
    INSERT INTO annals.changes (group_id, door, written_by, authority, action, detail)
    VALUES (of_group, origin->>'door', origin->>'written_by', (origin->>'authority')::annals.authority, 'readmit', jsonb_build_object('tombstones', lifted));
END
$$;
COMMENT ON FUNCTION annals_internal.lift_tombstones(text, bytea[]) IS 'Removes tombstones of a group and records that, if the writer may readmit them.';

-- Refuses to write erased content. With SET LOCAL annals.take_back = 'on' it is
-- written, and its tombstones are removed. The function runs as the owner,
-- because writers cannot read tombstones and their key.
CREATE FUNCTION annals_internal.refuse_erased() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    digests bytea[];
    sentences bytea[];
    lines text;
BEGIN
    PERFORM annals_internal.check_tenant(NEW.group_id);
    IF current_setting('annals.take_back', true) = 'import' -- an import checks all at its end
        OR NOT EXISTS (SELECT FROM annals_internal.tombstones t WHERE t.group_id = NEW.group_id) THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'INSERT' OR NEW.content <> OLD.content OR NEW.external_id IS DISTINCT FROM OLD.external_id THEN
        digests := ARRAY[annals_internal.tombstone_hash('content', NEW.content), annals_internal.tombstone_hash('id', NEW.id::text), annals_internal.tombstone_hash('external_id', NEW.external_id)];
        SELECT array_agg(e.digest), string_agg(DISTINCT e.first_line::text, ', ') INTO sentences, lines
        FROM annals_internal.erased_sentences(NEW.group_id, NEW.content) e;
    END IF;
    IF current_setting('annals.take_back', true) = 'on' THEN
        PERFORM annals_internal.lift_tombstones(NEW.group_id, digests || sentences);
    ELSIF EXISTS (SELECT FROM annals_internal.tombstones t WHERE t.group_id = NEW.group_id AND t.digest = ANY (digests[1:2])) THEN
        RAISE EXCEPTION 'this episode was erased and is not taken in again'
            USING ERRCODE = 'AN001', HINT = 'SET LOCAL annals.take_back = ''on'' in the same transaction takes it in all the same.';
    ELSIF EXISTS (SELECT FROM annals_internal.tombstones t WHERE t.group_id = NEW.group_id AND t.digest = digests[3]) THEN
        RAISE EXCEPTION 'the external id of this episode is that of an erased one, whose text may have been another'
            USING ERRCODE = 'AN001', HINT = 'Give it another external id. SET LOCAL annals.take_back = ''on'' in the same transaction takes it in all the same.';
    ELSIF lines IS NOT NULL THEN
        RAISE EXCEPTION 'a sentence in this episode was erased and is not taken in again: line % of its content', lines
            USING ERRCODE = 'AN001', HINT = 'Leave it out. SET LOCAL annals.take_back = ''on'' in the same transaction takes it in all the same.';
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.refuse_erased() IS 'Trigger: refuses erased episodes, unless SET LOCAL annals.take_back = ''on''.';

-- Refuses to create an erased group again. With SET LOCAL annals.take_back = 'on'
-- it is created, and that is recorded. The trigger runs after the insert, because
-- the record refers to the row.
CREATE FUNCTION annals_internal.refuse_erased_group() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    origin jsonb := annals_internal.write_origin();
    erased_with constant annals.authority := (SELECT t.authority FROM annals_internal.erased_groups t WHERE t.digest = annals_internal.tombstone_hash('group', NEW.group_id));
BEGIN
    PERFORM annals_internal.check_tenant(NEW.group_id);
    IF erased_with IS NULL THEN
        RETURN NULL;
    ELSIF coalesce(current_setting('annals.take_back', true), '') <> 'on' THEN
        RAISE EXCEPTION 'this group was erased and is not made again unasked'
            USING ERRCODE = 'AN001', HINT = 'SET LOCAL annals.take_back = ''on'' in the same transaction makes it again.';
    END IF;
    PERFORM annals_internal.check_readmission(erased_with);
    INSERT INTO annals.edits (group_id, door, written_by, authority, action)
    VALUES (NEW.group_id, origin->>'door', origin->>'written_by', (origin->>'authority')::annals.authority, 'readmit');
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.refuse_erased_group() IS 'Trigger: refuses erased groups, unless SET LOCAL annals.take_back = ''on'', and records who creates one again.';

-- Replaces the lines of a text that repeat erased content of a group by [erased];
-- the whole text if it was erased itself.
CREATE FUNCTION annals_internal.redact_erased(group_id text, said text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_internal.check_tenant(redact_erased.group_id);
    IF NOT EXISTS (SELECT FROM annals_internal.tombstones t WHERE t.group_id = redact_erased.group_id) THEN
        RETURN said;
    END IF;
    IF EXISTS (SELECT FROM annals_internal.tombstones t WHERE t.group_id = redact_erased.group_id AND t.digest = annals_internal.tombstone_hash('content', said)) THEN
        RETURN '[erased]';
    END IF;
    RETURN (
        WITH found AS MATERIALIZED (
            SELECT e.first_line, e.last_line FROM annals_internal.erased_sentences(redact_erased.group_id, said) e
        )
        SELECT coalesce(string_agg(CASE WHEN EXISTS (SELECT FROM found f WHERE l.line BETWEEN f.first_line AND f.last_line)
            THEN '[erased]' ELSE l.text END, E'\n' ORDER BY l.line), '')
        FROM string_to_table(said, E'\n') WITH ORDINALITY AS l(text, line));
END
$$;
COMMENT ON FUNCTION annals_internal.redact_erased(text, text) IS 'Replaces the lines of a text that repeat erased content of a group by [erased].';

CREATE TRIGGER refuse_erased BEFORE INSERT OR UPDATE OF content, external_id ON annals.episodes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_erased();
COMMENT ON TRIGGER refuse_erased ON annals.episodes IS 'Refuses erased episodes.';
CREATE TRIGGER refuse_erased AFTER INSERT ON annals.groups
    FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_erased_group();
COMMENT ON TRIGGER refuse_erased ON annals.groups IS 'Refuses erased groups.';

-- Takes hashes that were computed once for the text in question, so that no plan
-- computes them again for each tombstone.
CREATE FUNCTION annals_internal.has_tombstone(group_id text, digests bytea[]) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN EXISTS (SELECT FROM annals_internal.tombstones t WHERE t.group_id = has_tombstone.group_id AND t.digest = ANY (digests));
END
$$;
COMMENT ON FUNCTION annals_internal.has_tombstone(text, bytea[]) IS 'Tells whether a group has a tombstone with one of the keyed hashes.';

-- Finds erased content of a group in the texts of a JSON value: sentences and,
-- with whole, texts that were the content of an episode.
CREATE FUNCTION annals_internal.erased_texts_in(group_id text, said jsonb, whole boolean) RETURNS SETOF bytea
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT t.digest
    FROM jsonb_path_query(said, 'strict $.** ? (@.type() == "string")') AS s(text)
    JOIN annals_internal.tombstones t ON t.group_id = erased_texts_in.group_id AND t.digest = annals_internal.tombstone_hash('content', s.text #>> '{}')
    WHERE whole
    UNION
    SELECT e.digest
    FROM jsonb_path_query(said, 'strict $.** ? (@.type() == "string")') AS s(text)
    CROSS JOIN LATERAL annals_internal.erased_sentences(erased_texts_in.group_id, s.text #>> '{}') e;
END;
COMMENT ON FUNCTION annals_internal.erased_texts_in(text, jsonb, boolean) IS 'Finds erased content of a group in the texts of a JSON value.';

-- Called for the rows of all groups at once. In a cluster, only a function that
-- returns a value can be.
CREATE FUNCTION annals_internal.repeats_erased(group_id text, said jsonb, whole boolean) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM annals_internal.tombstones t WHERE t.group_id = repeats_erased.group_id) THEN
        RETURN false;
    END IF;
    RETURN EXISTS (SELECT FROM annals_internal.erased_texts_in(repeats_erased.group_id, said, whole));
END
$$;
COMMENT ON FUNCTION annals_internal.repeats_erased(text, jsonb, boolean) IS 'Tells whether the texts of a JSON value repeat erased content of a group.';

-- Refuses edits by hand that write erased content to the columns in the trigger's
-- arguments. A text that already had it keeps it: another episode may say the
-- same. Texts from episodes were checked when these came in.
CREATE FUNCTION annals_internal.refuse_erased_text() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    given jsonb;
    stood jsonb := '{}';
    digests bytea[];
    field text;
BEGIN
    PERFORM annals_internal.check_tenant(NEW.group_id);
    IF current_setting('annals.take_back', true) = 'import' OR annals_internal.write_origin()->>'action' NOT IN ('add', 'edit', 'rename')
        OR current_setting('annals.weighing', true) = 'on' -- a rebuilt summary repeats facts
        OR NOT EXISTS (SELECT FROM annals_internal.tombstones t WHERE t.group_id = NEW.group_id) THEN
        RETURN NEW;
    END IF;
    given := to_jsonb(NEW);
    IF TG_OP = 'UPDATE' THEN
        stood := to_jsonb(OLD);
    END IF;
    FOREACH field IN ARRAY TG_ARGV LOOP
        CONTINUE WHEN given->field = stood->field;
        digests := ARRAY(SELECT annals_internal.erased_texts_in(NEW.group_id, given->field, field NOT IN ('name', 'aliases', 'label'))
            EXCEPT SELECT annals_internal.erased_texts_in(NEW.group_id, stood->field, true));
        IF current_setting('annals.take_back', true) = 'on' THEN
            PERFORM annals_internal.lift_tombstones(NEW.group_id, digests);
        ELSIF digests <> '{}' THEN
            RAISE EXCEPTION 'the % repeats what was erased, which is not taken in again', field USING ERRCODE = 'AN001', TABLE = TG_TABLE_NAME, COLUMN = field,
                HINT = 'Leave it out. SET LOCAL annals.take_back = ''on'' in the same transaction takes it in all the same.';
        END IF;
    END LOOP;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.refuse_erased_text() IS 'Trigger: refuses texts written by hand that repeat erased content, unless SET LOCAL annals.take_back = ''on''.';

CREATE TRIGGER refuse_erased_text BEFORE UPDATE OF name, source_description, metadata ON annals.episodes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_erased_text('name', 'source_description', 'metadata');
COMMENT ON TRIGGER refuse_erased_text ON annals.episodes IS 'Refuses edits that repeat erased content.';
CREATE TRIGGER refuse_erased_text BEFORE INSERT OR UPDATE OF fact, told, attributes ON annals.facts
    FOR EACH ROW WHEN (annals_internal.causing_episodes() = '{}') EXECUTE FUNCTION annals_internal.refuse_erased_text('fact', 'told', 'attributes');
COMMENT ON TRIGGER refuse_erased_text ON annals.facts IS 'Refuses edits that repeat erased content.';
CREATE TRIGGER refuse_erased_text BEFORE INSERT OR UPDATE OF name, aliases, summary, attributes ON annals.entities
    FOR EACH ROW WHEN (annals_internal.causing_episodes() = '{}') EXECUTE FUNCTION annals_internal.refuse_erased_text('name', 'aliases', 'summary', 'attributes');
COMMENT ON TRIGGER refuse_erased_text ON annals.entities IS 'Refuses edits that repeat erased content.';
CREATE TRIGGER refuse_erased_text BEFORE INSERT OR UPDATE OF name, description, ontology ON annals.groups
    FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_erased_text('name', 'description', 'ontology');
COMMENT ON TRIGGER refuse_erased_text ON annals.groups IS 'Refuses edits that repeat erased content.';
CREATE TRIGGER refuse_erased_text BEFORE INSERT OR UPDATE OF label, description, value ON annals.blocks
    FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_erased_text('label', 'description', 'value');
COMMENT ON TRIGGER refuse_erased_text ON annals.blocks IS 'Refuses edits that repeat erased content.';
CREATE TRIGGER refuse_erased_text BEFORE INSERT OR UPDATE OF name, instructions ON annals.agents
    FOR EACH ROW EXECUTE FUNCTION annals_internal.refuse_erased_text('name', 'instructions');
COMMENT ON TRIGGER refuse_erased_text ON annals.agents IS 'Refuses edits that repeat erased content.';

-- Adds a tombstone for erased content, and returns it.
CREATE FUNCTION annals_internal.add_tombstone(group_id text, kind text, erased text, OUT digest bytea, OUT opens bytea, OUT size integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    folded text := CASE add_tombstone.kind WHEN 'sentence' THEN annals_internal.fold_text(add_tombstone.erased) END;
BEGIN
    PERFORM annals_internal.check_tenant(add_tombstone.group_id);
    add_tombstone.digest := annals_internal.tombstone_hash(add_tombstone.kind, add_tombstone.erased);
    add_tombstone.opens := annals_internal.sentence_fingerprint(folded);
    add_tombstone.size := octet_length(folded);
    IF add_tombstone.kind = 'group' AND add_tombstone.erased IS DISTINCT FROM add_tombstone.group_id THEN
        RAISE EXCEPTION 'a group is buried by its own name' USING ERRCODE = 'invalid_parameter_value';
    ELSIF add_tombstone.kind = 'sentence' AND add_tombstone.opens IS NULL THEN
        RAISE EXCEPTION 'a sentence that is buried has at least five words' USING ERRCODE = 'invalid_parameter_value';
    ELSIF add_tombstone.kind = 'group' THEN
        INSERT INTO annals_internal.erased_groups (digest) VALUES (add_tombstone.digest)
        ON CONFLICT (group_id, digest) DO UPDATE SET erased_at = excluded.erased_at, authority = greatest(erased_groups.authority, excluded.authority);
        RETURN;
    END IF;
    INSERT INTO annals_internal.tombstones (group_id, digest, kind, opens, size)
    VALUES (add_tombstone.group_id, add_tombstone.digest, add_tombstone.kind, add_tombstone.opens, add_tombstone.size)
    ON CONFLICT (group_id, digest) DO UPDATE SET erased_at = excluded.erased_at, authority = greatest(tombstones.authority, excluded.authority);
END
$$;
COMMENT ON FUNCTION annals_internal.add_tombstone(text, text, text) IS
    'Adds a tombstone for an erased id, content, sentence or external id of an episode, or for a group, and returns it.';

CREATE FUNCTION annals_internal.split_sentences(said text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT s.text FROM regexp_split_to_table(said, '[.!?\u2026]+(?=\s|$)|[\u3002\uff01\uff1f]|[\n\r]+') AS s(text) WHERE s.text ~ '\S';
END;
COMMENT ON FUNCTION annals_internal.split_sentences(text) IS 'Splits a text into sentences at punctuation and line breaks.';

-- Lists the sentences of a text that repeat a withdrawn fact: those with all its
-- words and no word of denial. They need not name the subject if the subject
-- speaks, or if the text is about it alone. Sentences that tell a believed fact
-- about somebody else are left out.
CREATE FUNCTION annals_internal.sentences_restating(group_id text, said text, actor text, about boolean, known_at timestamptz DEFAULT NULL) RETURNS TABLE (sentence text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT DISTINCT s.sentence
    FROM annals.groups g
    CROSS JOIN LATERAL annals_internal.split_sentences(said) AS s(sentence)
    CROSS JOIN LATERAL (SELECT tsvector_to_array(to_tsvector(g.text_search::regconfig, annals_internal.segmented(s.sentence))), annals_internal.fold_text(s.sentence)) AS w(terms, folded)
    JOIN annals.rejections r ON r.group_id = sentences_restating.group_id AND annals_internal.rejected_at(r.rejected_at, r.lifted_at, known_at) AND r.terms <> '{}' AND r.terms <@ w.terms
    WHERE g.group_id = sentences_restating.group_id
        AND EXISTS (SELECT FROM annals.rejections x WHERE x.group_id = sentences_restating.group_id AND annals_internal.rejected_at(x.rejected_at, x.lifted_at, known_at) AND x.terms <> '{}') -- no sentence is split without rejections
        AND w.folded !~ '(^| )(not|never|no|nor|none|t|former|formerly|used|wrong|false|withdrawn|mistake|mistaken|nicht|kein|keine|nie|pas|jamais|nunca|non|mai)( |$)'
        AND (about AND NOT EXISTS (SELECT FROM annals_internal.entity_names o
                WHERE o.group_id = sentences_restating.group_id AND o.entity_id IS DISTINCT FROM r.target_id AND length(o.name_key) > 2 AND NOT o.name_key = ANY (r.source_keys || r.target_keys)
                    AND strpos(' ' || w.folded || ' ', ' ' || annals_internal.fold_text(o.name_key) || ' ') > 0)
            OR annals_internal.fold_text(actor) = ANY (r.source_keys)
            OR EXISTS (SELECT FROM unnest(r.source_keys) AS k(name) WHERE strpos(' ' || w.folded || ' ', ' ' || k.name || ' ') > 0))
        AND NOT EXISTS (SELECT FROM annals.facts f
            WHERE f.group_id = sentences_restating.group_id AND f.predicate = r.predicate AND f.target_id = r.target_id
                AND tsvector_to_array(to_tsvector(g.text_search::regconfig, annals_internal.segmented(f.fact))) <@ w.terms);
END;
COMMENT ON FUNCTION annals_internal.sentences_restating(text, text, text, boolean, timestamptz) IS 'Lists the sentences of a text that repeat a fact withdrawn now, or at a time.';

-- Removes the lines that repeat withdrawn facts from the blocks of agents, whose
-- history keeps them, and empties summaries of agents that do.
CREATE FUNCTION annals_internal.remove_withdrawn_from_agents(in_group text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    blocks bigint;
    agents bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM annals.rejections r WHERE r.group_id = in_group AND r.lifted_at IS NULL AND r.terms <> '{}') THEN
        RETURN 0;
    END IF;
    UPDATE annals.blocks b SET value = k.kept
    FROM (
        SELECT c.id, coalesce(string_agg(l.line, E'\n' ORDER BY l.place)
            FILTER (WHERE NOT EXISTS (SELECT FROM annals_internal.sentences_restating(in_group, l.line, '', true))), '') AS kept
        FROM annals.blocks c
        CROSS JOIN LATERAL string_to_table(c.value, E'\n') WITH ORDINALITY AS l(line, place)
        WHERE c.group_id = in_group AND c.value <> ''
        GROUP BY c.id
    ) k
    WHERE b.group_id = in_group AND b.id = k.id AND b.value <> k.kept;
    GET DIAGNOSTICS blocks = ROW_COUNT;
    UPDATE annals.agents a SET summary = ''
    WHERE a.group_id = in_group AND a.summary <> '' AND EXISTS (SELECT FROM annals_internal.sentences_restating(in_group, a.summary, '', true));
    GET DIAGNOSTICS agents = ROW_COUNT;
    RETURN blocks + agents;
END
$$;
COMMENT ON FUNCTION annals_internal.remove_withdrawn_from_agents(text) IS 'Removes repetitions of withdrawn facts from the blocks and summaries of agents, and returns the number of changed rows.';

-- Lists the distinctive sentences of a text: at least five words, and at least
-- three search terms.
CREATE FUNCTION annals_internal.distinctive_sentences(group_id text, said text) RETURNS TABLE (sentence text, terms text[])
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT DISTINCT f.sentence, f.terms
    FROM annals.groups g
    CROSS JOIN LATERAL annals_internal.split_sentences(said) AS s(text)
    CROSS JOIN LATERAL (SELECT annals_internal.fold_text(s.text), tsvector_to_array(to_tsvector(g.text_search::regconfig, annals_internal.segmented(s.text)))) AS f(sentence, terms)
    WHERE g.group_id = distinctive_sentences.group_id AND f.sentence ~ '^(\S+ ){4}' AND cardinality(f.terms) >= 3;
END;
COMMENT ON FUNCTION annals_internal.distinctive_sentences(text, text) IS
    'Lists the distinctive sentences of a text, folded, with their terms: at least five words, and at least three search terms.';

-- Returns the term that the fewest episodes of a group contain, counting up to a
-- hundred. The episodes with all terms are looked up by it.
CREATE FUNCTION annals_internal.rarest_term(of_group text, terms text[]) RETURNS text
LANGUAGE sql STABLE
RETURN (
    SELECT t.term FROM unnest(terms) AS t(term)
    ORDER BY (SELECT count(*) FROM (
        SELECT FROM annals_internal.all_postings p WHERE p.group_id = of_group AND p.kind = 'episode' AND p.term = t.term LIMIT 100) few), t.term
    LIMIT 1);
COMMENT ON FUNCTION annals_internal.rarest_term(text, text[]) IS 'Returns the term that the fewest episodes of a group contain.';

-- Adds the tombstones of episodes before they are erased, and returns them. A
-- sentence that a remaining episode also contains gets none.
CREATE FUNCTION annals_internal.add_episode_tombstones(erased_group text, ids uuid[]) RETURNS TABLE (kind text, digest bytea, opens bytea, size integer)
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH gone AS MATERIALIZED (
        SELECT e.id, e.content, e.external_id FROM annals.episodes e WHERE e.group_id = erased_group AND e.id = ANY (ids)
    ), part AS MATERIALIZED (
        SELECT 'id' AS kind, g.id::text AS said FROM gone g
        UNION
        SELECT 'content', g.content FROM gone g
        UNION
        SELECT 'external_id', g.external_id FROM gone g WHERE g.external_id IS NOT NULL
        UNION
        SELECT 'sentence', t.sentence
        FROM gone g
        CROSS JOIN LATERAL annals_internal.distinctive_sentences(erased_group, g.content) t
        WHERE NOT EXISTS (
            SELECT FROM annals_internal.all_postings p
            CROSS JOIN LATERAL (SELECT e.id, e.content FROM annals.episodes e WHERE e.group_id = erased_group AND e.id = p.document_id OFFSET 0) o
            WHERE p.group_id = erased_group AND p.kind = 'episode' AND p.term = annals_internal.rarest_term(erased_group, t.terms) AND o.id <> ALL (ids)
                AND strpos(' ' || annals_internal.fold_text(o.content) || ' ', ' ' || t.sentence || ' ') > 0)
    )
    SELECT p.kind, b.digest, b.opens, b.size FROM part p CROSS JOIN LATERAL annals_internal.add_tombstone(erased_group, p.kind, p.said) b;
END;
COMMENT ON FUNCTION annals_internal.add_episode_tombstones(text, uuid[]) IS
    'Adds the tombstones of episodes before they are erased: of ids, contents, sentences and external ids. Returns them.';

-- Records what was erased, when and by whom, without its content. Erasures of
-- whole groups have the group_id ''.
CREATE TABLE annals.erasures (
    group_id text NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    erased_at timestamptz NOT NULL,
    door text NOT NULL,
    written_by text NOT NULL,
    authority annals.authority NOT NULL,
    scope text NOT NULL CHECK (scope IN ('group', 'user', 'episode', 'entity')),
    certificate jsonb NOT NULL CHECK (jsonb_typeof(certificate) = 'object'),
    to_vacuum text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals.erasures IS 'Log of erasures: what kind, when and by whom. It holds no erased content.';
COMMENT ON COLUMN annals.erasures.group_id IS 'The group of the erased content; empty: a whole group was erased.';
COMMENT ON COLUMN annals.erasures.id IS 'Its id.';
COMMENT ON COLUMN annals.erasures.erased_at IS 'Time of the erasure, just before its commit.';
COMMENT ON COLUMN annals.erasures.door IS 'Door of the request: library, cli, rest, mcp, zep or graphiti.';
COMMENT ON COLUMN annals.erasures.written_by IS 'The API key or database user of the request; may be empty.';
COMMENT ON COLUMN annals.erasures.authority IS 'Authority of the request.';
COMMENT ON COLUMN annals.erasures.scope IS 'What was erased: a group, the group of a user, episodes or an entity.';
COMMENT ON COLUMN annals.erasures.certificate IS 'The certificate as JSON: number of rows by table, and tombstones.';
COMMENT ON COLUMN annals.erasures.to_vacuum IS 'Tables still to be vacuumed and analysed after it.';

-- Records an erasure in its transaction. Runs as the owner, because a tenant may
-- not write the record of its own erasure.
CREATE FUNCTION annals_internal.note_erasure(erased text, scope text, certificate jsonb, to_vacuum text[]) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    origin jsonb := annals_internal.write_origin();
    of_group text := CASE WHEN note_erasure.scope IN ('group', 'user') THEN '' ELSE erased END;
    tables text[] := ARRAY(SELECT format('%I.%I', n.nspname, c.relname)
        FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('annals', 'annals_internal') AND format('%I.%I', n.nspname, c.relname) = ANY (note_erasure.to_vacuum));
    noted uuid;
BEGIN
    PERFORM annals_internal.check_tenant(erased);
    INSERT INTO annals.erasures (group_id, erased_at, door, written_by, authority, scope, certificate, to_vacuum)
    VALUES (of_group, clock_timestamp(), origin->>'door', origin->>'written_by', (origin->>'authority')::annals.authority, note_erasure.scope,
        note_erasure.certificate, tables)
    RETURNING id INTO noted;
    RETURN noted;
END
$$;
COMMENT ON FUNCTION annals_internal.note_erasure(text, text, jsonb, text[]) IS 'Records an erasure: its certificate, who asked for it, and the tables to vacuum.';

-- Lists the episodes that were erased from a group, or that have one of the keyed
-- hashes, but came back through an import or a restored backup.
CREATE FUNCTION annals_internal.erased_episodes(in_group text, digests bytea[]) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_internal.check_tenant(in_group);
    IF digests = '{}' AND NOT EXISTS (SELECT FROM annals_internal.tombstones t WHERE t.group_id = in_group) THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT e.id
    FROM annals.episodes e
    CROSS JOIN LATERAL (SELECT ARRAY[annals_internal.tombstone_hash('content', e.content), annals_internal.tombstone_hash('external_id', e.external_id), annals_internal.tombstone_hash('id', e.id::text)] OFFSET 0) k(keys) -- hashed once per episode
    WHERE e.group_id = in_group AND (k.keys && digests
        OR EXISTS (SELECT FROM annals_internal.tombstones t WHERE t.group_id = in_group AND t.digest = ANY (k.keys))
        OR EXISTS (SELECT FROM annals_internal.erased_sentences(in_group, e.content)))
    ORDER BY e.id;
END
$$;
COMMENT ON FUNCTION annals_internal.erased_episodes(text, bytea[]) IS 'Lists the episodes of a group that were erased before, or that have one of the keyed hashes.';

-- Marks a group as a copy of another, and copies the tombstones if the caller may
-- know of the other. Tells whether the other was erased as a whole.
CREATE FUNCTION annals_internal.copy_tombstones(from_group text, to_group text, known boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_internal.check_tenant(to_group);
    IF from_group = to_group THEN
        RETURN false;
    END IF;
    UPDATE annals.groups g SET copy_of = annals_internal.tombstone_hash('group', from_group) WHERE g.group_id = to_group;
    IF NOT known THEN
        RETURN false;
    END IF;
    BEGIN
        PERFORM annals_internal.check_tenant(from_group);
    EXCEPTION WHEN insufficient_privilege THEN -- a tenant learns nothing of other groups
        RETURN false;
    END;
    INSERT INTO annals_internal.tombstones (group_id, digest, kind, opens, size, erased_at, authority)
    SELECT to_group, t.digest, t.kind, t.opens, t.size, t.erased_at, t.authority FROM annals_internal.tombstones t WHERE t.group_id = from_group
    ON CONFLICT DO NOTHING;
    RETURN NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = from_group)
        AND EXISTS (SELECT FROM annals_internal.erased_groups t WHERE t.digest = annals_internal.tombstone_hash('group', from_group));
END
$$;
COMMENT ON FUNCTION annals_internal.copy_tombstones(text, text, boolean) IS
    'Marks a group as a copy of another, copies the tombstones if the caller may know of it, and tells whether the other was erased as a whole.';

CREATE FUNCTION annals_internal.copies_of(original text) RETURNS SETOF text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    latest text[] := ARRAY[original];
    found text[] := ARRAY[original];
BEGIN
    PERFORM annals_internal.check_tenant(original);
    WHILE cardinality(latest) > 0 LOOP
        latest := ARRAY(SELECT g.group_id FROM annals.groups g
            WHERE g.copy_of = ANY (ARRAY(SELECT annals_internal.tombstone_hash('group', l.name) FROM unnest(latest) AS l(name))) AND g.group_id <> ALL (found));
        found := found || latest;
    END LOOP;
    RETURN QUERY SELECT c.name FROM unnest(found[2:]) AS c(name) ORDER BY c.name;
END
$$;
COMMENT ON FUNCTION annals_internal.copies_of(text) IS 'Lists the groups cloned or imported from a group, directly or through other copies.';

-- Returns a name for the key of the database's tombstones that does not reveal
-- it.
CREATE FUNCTION annals_internal.tombstone_key() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT encode(substr(annals_internal.keyed_hash('key', ''), 1, 8), 'hex');
END;
COMMENT ON FUNCTION annals_internal.tombstone_key() IS 'Returns a name for the key of this database''s tombstones; different keys have different names.';

-- Adds the tombstones of a certificate to a restored backup.
CREATE FUNCTION annals_internal.restore_tombstones(in_group text, kinds text[], digests bytea[], opens bytea[], sizes integer[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals_internal.check_tenant(in_group);
    INSERT INTO annals_internal.tombstones (group_id, digest, kind, opens, size)
    SELECT in_group, b.digest, b.kind, CASE b.kind WHEN 'sentence' THEN b.opens END, CASE b.kind WHEN 'sentence' THEN b.size END
    FROM unnest(kinds, digests, restore_tombstones.opens, sizes) AS b(kind, digest, opens, size)
    WHERE b.kind IN ('content', 'sentence')
    ON CONFLICT DO NOTHING;
END
$$;
COMMENT ON FUNCTION annals_internal.restore_tombstones(text, text[], bytea[], bytea[], integer[]) IS 'Adds the tombstones of a certificate to a restored backup.';

CREATE FUNCTION annals_internal.array_without(ids uuid[], gone uuid[]) RETURNS uuid[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT u.id FROM unnest(ids) WITH ORDINALITY AS u (id, place) WHERE u.id <> ALL (gone) ORDER BY u.place);
COMMENT ON FUNCTION annals_internal.array_without(uuid[], uuid[]) IS 'Removes ids from a list and keeps its order.';

-- Removes deleted episodes from the causes of remaining rows, in the graph and
-- its history. Rejections that they had lifted stand again. Former versions are
-- deleted and inserted again, because tenants may not update them.
CREATE FUNCTION annals_internal.drop_deleted_causes() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    gone record;
    fact annals_internal.facts_history;
    entity annals_internal.entities_history;
BEGIN
    FOR gone IN
        SELECT o.group_id, array_agg(o.id) AS ids, array_agg('episode ' || o.id) AS names FROM old_rows o
        WHERE o.processed_at IS NOT NULL GROUP BY o.group_id
    LOOP
        CONTINUE WHEN NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = gone.group_id);
        UPDATE annals.facts f SET caused_by = annals_internal.array_without(f.caused_by, gone.ids)
        WHERE f.group_id = gone.group_id AND f.caused_by && gone.ids;
        UPDATE annals.entities e SET caused_by = annals_internal.array_without(e.caused_by, gone.ids)
        WHERE e.group_id = gone.group_id AND e.caused_by && gone.ids;
        FOR fact IN
            DELETE FROM annals_internal.facts_history h
            WHERE h.group_id = gone.group_id AND (h.caused_by && gone.ids OR h.ended_by && gone.ids) RETURNING h.*
        LOOP
            fact.caused_by := annals_internal.array_without(fact.caused_by, gone.ids);
            fact.ended_by := annals_internal.array_without(fact.ended_by, gone.ids);
            INSERT INTO annals_internal.facts_history VALUES (fact.*);
        END LOOP;
        FOR entity IN
            DELETE FROM annals_internal.entities_history h
            WHERE h.group_id = gone.group_id AND (h.caused_by && gone.ids OR h.ended_by && gone.ids) RETURNING h.*
        LOOP
            entity.caused_by := annals_internal.array_without(entity.caused_by, gone.ids);
            entity.ended_by := annals_internal.array_without(entity.ended_by, gone.ids);
            INSERT INTO annals_internal.entities_history VALUES (entity.*);
        END LOOP;
        UPDATE annals.rejections r SET lifted_at = NULL, lifted_by = NULL
        WHERE r.group_id = gone.group_id AND r.lifted_by = ANY (gone.names);
    END LOOP;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.drop_deleted_causes() IS 'Trigger: removes deleted episodes from caused_by and ended_by of remaining rows.';

CREATE TRIGGER causes_delete AFTER DELETE ON annals.episodes
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.drop_deleted_causes();
COMMENT ON TRIGGER causes_delete ON annals.episodes IS 'Removes deleted episodes from caused_by and ended_by of remaining rows.';

-- Removes facts without support from the graph. Facts that they had ended get
-- their former dates back. Summaries of their entities are emptied, because they
-- may tell the facts in other words. The next fact, or 'annals rebuild', makes
-- them again. The history keeps everything.
CREATE FUNCTION annals_internal.remove_unsupported_facts(of_group text, gone uuid[]) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    removed bigint;
    touched uuid;
    writing text := coalesce(current_setting('annals.origin', true), '');
BEGIN
    IF coalesce(cardinality(gone), 0) = 0 THEN
        RETURN 0;
    END IF;
    IF annals_internal.write_origin()->>'action' IS DISTINCT FROM 'withdraw' THEN
        PERFORM annals_internal.set_local('annals.origin', (annals_internal.write_origin() || '{"action": "undo"}')::text); -- not an edit of its own
    END IF;
    UPDATE annals.facts f
    SET valid = coalesce(b.valid, tstzrange(lower(f.valid), NULL)), from_basis = coalesce(b.from_basis, f.from_basis),
        from_precision = coalesce(b.from_precision, f.from_precision), until_basis = coalesce(b.until_basis, 'unknown'),
        until_precision = coalesce(b.until_precision, 'unknown'), expired_at = b.expired_at, bounded_by = b.bounded_by
    FROM unnest(gone) AS g(id)
    CROSS JOIN LATERAL (SELECT y.id, y.bounded_by FROM annals.facts y WHERE y.group_id = of_group AND y.bounded_by = g.id OFFSET 0) x
    LEFT JOIN LATERAL (
        SELECT h.valid, h.from_basis, h.from_precision, h.until_basis, h.until_precision, h.expired_at, h.bounded_by
        FROM annals_internal.facts_history h
        WHERE h.group_id = of_group AND h.id = x.id AND h.bounded_by IS DISTINCT FROM x.bounded_by
            AND (h.bounded_by IS NULL OR EXISTS (SELECT FROM annals.facts c WHERE c.group_id = of_group AND c.id = h.bounded_by))
        ORDER BY lower(h.recorded) DESC LIMIT 1
    ) b ON true
    WHERE f.group_id = of_group AND f.id = x.id AND x.id <> ALL (gone);
    FOR touched IN SELECT DISTINCT unnest(ARRAY[s.source_id, s.target_id])
        FROM unnest(gone) AS g(id)
        CROSS JOIN LATERAL (SELECT f.source_id, f.target_id FROM annals.facts f WHERE f.group_id = of_group AND f.id = g.id OFFSET 0) s
        ORDER BY 1
    LOOP
        UPDATE annals.entities e SET summary = '', written = '' WHERE e.group_id = of_group AND e.id = touched AND e.summary <> '';
    END LOOP;
    UPDATE annals.communities c
    SET name = '', summary = '', digest = '', stale = true
    WHERE c.group_id = of_group AND NOT c.stale AND c.id IN (
        SELECT m.community_id
        FROM annals.facts s
        JOIN annals.community_members m ON m.group_id = of_group AND m.entity_id IN (s.source_id, s.target_id)
        WHERE s.group_id = of_group AND s.id = ANY (gone));
    SELECT count(*) INTO removed FROM annals_internal.remove_rows(of_group, 'fact', gone);
    PERFORM annals_internal.set_local('annals.origin', writing);
    RETURN removed;
END
$$;
COMMENT ON FUNCTION annals_internal.remove_unsupported_facts(text, uuid[]) IS
    'Removes facts without support from the graph, and returns their number. Facts that they had ended hold again.';

-- Removes what only a deleted episode supports, like 'annals undo'. That is: facts that no other
-- episode states and no person corrected; entities without other episodes and facts, unless made by
-- hand or edited by hand beyond their facts; and the summary of its thread. Undo does this itself,
-- and sets annals.undoing to skip it. Sequential scans are off because a plan is kept from when a
-- table was small.
CREATE FUNCTION annals_internal.remove_unsupported() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off AS $$
DECLARE
    named uuid[];
    writing text := coalesce(current_setting('annals.origin', true), '');
BEGIN
    IF current_setting('annals.undoing', true) = 'on' OR NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = OLD.group_id) THEN
        RETURN OLD;
    END IF;
    named := ARRAY(
        SELECT m.entity_id FROM annals.mentions m WHERE m.group_id = OLD.group_id AND m.episode_id = OLD.id
        UNION
        SELECT unnest(ARRAY[f.source_id, f.target_id])
        FROM annals.fact_episodes c
        CROSS JOIN LATERAL (SELECT x.source_id, x.target_id FROM annals.facts x WHERE x.group_id = OLD.group_id AND x.id = c.fact_id OFFSET 0) f
        WHERE c.group_id = OLD.group_id AND c.episode_id = OLD.id);
    PERFORM annals_internal.remove_unsupported_facts(OLD.group_id, ARRAY(
        SELECT c.fact_id
        FROM annals.fact_episodes c
        WHERE c.group_id = OLD.group_id AND c.episode_id = OLD.id AND c.role <> 'ends' AND NOT EXISTS (
            SELECT FROM annals.fact_episodes o
            CROSS JOIN LATERAL (SELECT FROM annals.episodes e WHERE e.group_id = OLD.group_id AND e.id = o.episode_id OFFSET 0) e
            WHERE o.group_id = OLD.group_id AND o.fact_id = c.fact_id AND o.role <> 'ends' AND o.episode_id <> OLD.id OFFSET 0)
        AND NOT EXISTS (SELECT FROM annals.edits d
            WHERE d.group_id = OLD.group_id AND d.subject_id = c.fact_id AND d.action IN ('edit', 'update') AND d.authority = 'person' OFFSET 0)));
    PERFORM annals_internal.set_local('annals.origin', (annals_internal.write_origin() || '{"action": "undo"}')::text);
    PERFORM annals_internal.remove_rows(OLD.group_id, 'entity', ARRAY(
        SELECT n.id FROM unnest(named) AS i(id)
        CROSS JOIN LATERAL (SELECT x.id FROM annals.entities x WHERE x.group_id = OLD.group_id AND x.id = i.id OFFSET 0) n
        WHERE NOT EXISTS (SELECT FROM annals.edits d WHERE d.group_id = OLD.group_id AND d.subject_id = n.id AND (d.action NOT IN ('edit', 'withdraw', 'restore') OR NOT EXISTS (
                SELECT FROM annals.edits f WHERE f.group_id = OLD.group_id AND f.kind = 'fact' AND f.edited_at = d.edited_at AND f.action = d.action OFFSET 0)) OFFSET 0)
            AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = OLD.group_id AND f.source_id = n.id OFFSET 0)
            AND NOT EXISTS (SELECT FROM annals.facts f WHERE f.group_id = OLD.group_id AND f.target_id = n.id OFFSET 0)
            AND NOT EXISTS (
                SELECT FROM annals.mentions m
                CROSS JOIN LATERAL (SELECT FROM annals.episodes e WHERE e.group_id = OLD.group_id AND e.id = m.episode_id OFFSET 0) e
                WHERE m.group_id = OLD.group_id AND m.entity_id = n.id AND m.episode_id <> OLD.id OFFSET 0)));
    UPDATE annals.threads t
    SET summary = '', through_at = NULL, through_id = NULL -- it may repeat the episode; rebuilt later
    WHERE t.group_id = OLD.group_id AND t.id = OLD.thread_id AND t.summary <> '';
    PERFORM annals_internal.set_local('annals.origin', writing);
    RETURN OLD;
END
$$;
COMMENT ON FUNCTION annals_internal.remove_unsupported() IS 'Trigger: removes facts and entities that only a deleted episode supports.';

CREATE TRIGGER support_delete BEFORE DELETE ON annals.episodes
    FOR EACH ROW WHEN (OLD.processed_at IS NOT NULL) EXECUTE FUNCTION annals_internal.remove_unsupported();
COMMENT ON TRIGGER support_delete ON annals.episodes IS 'Removes facts and entities that only the deleted episode supports.';

-- Lists the tables with a given column.
CREATE FUNCTION annals_internal.tables_with_column(wanted text) RETURNS SETOF name
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT r.name
    FROM annals_internal.relations() r
    JOIN pg_catalog.pg_attribute w ON w.attrelid = to_regclass(r.qualified) AND w.attname = wanted AND NOT w.attisdropped
    WHERE NOT r.is_view
    ORDER BY r.name;
END;
COMMENT ON FUNCTION annals_internal.tables_with_column(text) IS 'Lists the tables with a given column.';

-- Counts the rows of a group in tables.
CREATE FUNCTION annals_internal.count_rows(of_group text, tables text[]) RETURNS TABLE (source text, held bigint)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    FOREACH source IN ARRAY tables LOOP
        EXECUTE format('SELECT count(*) FROM %s WHERE group_id = $1', annals_internal.qualified_name(source)) INTO held USING of_group;
        RETURN NEXT;
    END LOOP;
END
$$;
COMMENT ON FUNCTION annals_internal.count_rows(text, text[]) IS 'Counts the rows of a group in tables.';

-- The row type of functions that erase. As a view, it gives sqlc one struct for
-- all of them.
CREATE VIEW annals_internal.erased WITH (security_invoker = true) AS
SELECT e.source::text AS source, e.removed::bigint AS removed, e.edited::bigint AS edited
FROM (VALUES (NULL, NULL, NULL)) AS e(source, removed, edited)
WHERE false;
COMMENT ON VIEW annals_internal.erased IS 'Row type of functions that report what they erased. The view itself has no rows.';
COMMENT ON COLUMN annals_internal.erased.source IS 'The table.';
COMMENT ON COLUMN annals_internal.erased.removed IS 'Number of rows removed.';
COMMENT ON COLUMN annals_internal.erased.edited IS 'Number of rows edited.';

-- Removes every row of a group from every table, and its vector indexes, whose
-- definitions contain its name. Returns the number of rows by table. Runs as the
-- owner, because only the owner may drop indexes and delete settings.
CREATE FUNCTION annals_internal.erase_group(erased text) RETURNS TABLE (source text, removed bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    indexes text[] := ARRAY(SELECT v.index_name FROM annals_internal.vector_indexes v WHERE v.group_id = erased);
    kept record;
BEGIN
    PERFORM annals_internal.check_tenant(erased);
    FOR kept IN DELETE FROM annals.erasures e WHERE e.group_id = erased RETURNING e.* LOOP
        INSERT INTO annals.erasures (group_id, id, erased_at, door, written_by, authority, scope, certificate, to_vacuum)
        VALUES ('', kept.id, kept.erased_at, kept.door, kept.written_by, kept.authority, kept.scope, kept.certificate, kept.to_vacuum);
    END LOOP;
    FOR source IN SELECT annals_internal.tables_with_column('group_id') LOOP
        EXECUTE format('SELECT count(*) FROM %s WHERE group_id = $1', annals_internal.qualified_name(source)) INTO removed USING erased;
        IF removed > 0 THEN
            RETURN NEXT;
        END IF;
    END LOOP;
    DELETE FROM annals_internal.posting_blocks b WHERE b.group_id = erased; -- else triggers would remove them row by row
    UPDATE annals_internal.batches b SET groups = array_remove(b.groups, erased) WHERE erased = ANY (b.groups);
    DELETE FROM annals.groups g WHERE g.group_id = erased;
    FOR source IN SELECT annals_internal.tables_with_column('group_id') LOOP
        EXECUTE format('DELETE FROM %s WHERE group_id = $1', annals_internal.qualified_name(source)) USING erased;
    END LOOP;
    FOREACH source IN ARRAY indexes LOOP
        EXECUTE format('DROP INDEX IF EXISTS annals_internal.%I', source);
    END LOOP;
END
$$;
COMMENT ON FUNCTION annals_internal.erase_group(text) IS
    'Removes every row and vector index of a group, and returns the number of rows by table. ''annals erase'' also adds a tombstone.';

-- Removes the rows of a group whose reference column is one of the ids, from
-- every table. Returns the number of rows by table.
CREATE FUNCTION annals_internal.erase_references(erased_group text, reference text, ids uuid[]) RETURNS TABLE (source text, removed bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    FOR source IN SELECT annals_internal.tables_with_column(reference) LOOP
        EXECUTE format('DELETE FROM %s WHERE group_id = $1 AND %I = ANY ($2)', annals_internal.qualified_name(source), reference) USING erased_group, ids;
        GET DIAGNOSTICS removed = ROW_COUNT;
        IF removed > 0 THEN
            RETURN NEXT;
        END IF;
    END LOOP;
END
$$;
COMMENT ON FUNCTION annals_internal.erase_references(text, text, uuid[]) IS
    'Removes the rows of a group whose reference column is one of the ids, and returns their number by table.';

REVOKE EXECUTE ON FUNCTION annals_internal.keyed_hash(text, bytea), annals_internal.tombstone_hash(text, text), annals_internal.sentence_fingerprint(text), annals_internal.word_hash_seed(), annals_internal.longest_word_hash(text),
    annals_internal.erased_run_candidates(text, text), annals_internal.erased_sentences(text, text), annals_internal.check_readmission(annals.authority), annals_internal.lift_tombstones(text, bytea[]), annals_internal.refuse_erased(), annals_internal.refuse_erased_group(),
    annals_internal.erased_texts_in(text, jsonb, boolean), annals_internal.repeats_erased(text, jsonb, boolean), annals_internal.has_tombstone(text, bytea[]), annals_internal.refuse_erased_text(), annals_internal.add_tombstone(text, text, text), annals_internal.redact_erased(text, text), annals_internal.erase_group(text),
    annals_internal.erased_episodes(text, bytea[]), annals_internal.copy_tombstones(text, text, boolean), annals_internal.copies_of(text), annals_internal.tombstone_key(),
    annals_internal.restore_tombstones(text, text[], bytea[], bytea[], integer[]), annals_internal.note_erasure(text, text, jsonb, text[]) FROM PUBLIC;

DO $$
BEGIN
    PERFORM annals_internal.make_tenant_role();
    PERFORM annals_internal.protect_tenants();
END
$$;

CALL annals_internal.end_migration(14, 'erase');

-- +goose StatementEnd
-- +goose Down

DROP VIEW annals_internal.erased;
DROP FUNCTION annals_internal.erase_references, annals_internal.erase_group, annals_internal.count_rows, annals_internal.tables_with_column;
DROP TRIGGER support_delete ON annals.episodes;
DROP FUNCTION annals_internal.remove_unsupported, annals_internal.remove_unsupported_facts;
DROP TRIGGER causes_delete ON annals.episodes;
DROP FUNCTION annals_internal.drop_deleted_causes, annals_internal.array_without, annals_internal.restore_tombstones, annals_internal.tombstone_key, annals_internal.copies_of, annals_internal.copy_tombstones, annals_internal.erased_episodes, annals_internal.add_episode_tombstones, annals_internal.rarest_term, annals_internal.distinctive_sentences, annals_internal.remove_withdrawn_from_agents, annals_internal.sentences_restating, annals_internal.split_sentences, annals_internal.note_erasure, annals_internal.add_tombstone;
DROP TRIGGER refuse_erased_text ON annals.agents;
DROP TRIGGER refuse_erased_text ON annals.blocks;
DROP TRIGGER refuse_erased_text ON annals.groups;
DROP TRIGGER refuse_erased_text ON annals.entities;
DROP TRIGGER refuse_erased_text ON annals.facts;
DROP TRIGGER refuse_erased_text ON annals.episodes;
DROP TRIGGER refuse_erased ON annals.groups;
DROP TRIGGER refuse_erased ON annals.episodes;
DROP FUNCTION annals_internal.redact_erased, annals_internal.lift_tombstones, annals_internal.check_readmission, annals_internal.refuse_erased_group, annals_internal.refuse_erased, annals_internal.refuse_erased_text, annals_internal.has_tombstone, annals_internal.repeats_erased, annals_internal.erased_texts_in, annals_internal.erased_sentences, annals_internal.erased_run_candidates, annals_internal.sentence_fingerprint, annals_internal.longest_word_hash, annals_internal.word_hash_seed, annals_internal.folded_words, annals_internal.tombstone_hash, annals_internal.keyed_hash;
DROP TABLE annals.erasures, annals_internal.erased_groups, annals_internal.tombstones, annals.retention, annals_internal.undone, annals_internal.readings;
DELETE FROM annals_internal.settings WHERE group_id = '' AND name = 'tombstone_key';
DELETE FROM annals.migrations WHERE version = 14;
