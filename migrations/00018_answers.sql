-- Standing answers: questions that a group keeps answered. An answer is derived
-- from rows. If one of them changes or goes, the answer is hidden in the same
-- transaction, until the question has been asked again.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(18);

CREATE TABLE annals.answers (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    question text NOT NULL CHECK (question <> ''),
    schema text NOT NULL DEFAULT '',
    tokens integer NOT NULL,
    stale boolean NOT NULL DEFAULT true,
    body jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(body) = 'object' AND NOT (stale AND body <> '{}')),
    answered_at timestamptz,
    good_until timestamptz,
    checked_at timestamptz,
    retry_at timestamptz,
    recorded tstzrange NOT NULL DEFAULT tstzrange(annals_internal.recorded_now(), NULL) CHECK (NOT isempty(recorded) AND upper_inf(recorded)),
    created_at timestamptz NOT NULL DEFAULT annals_internal.recorded_now(),
    PRIMARY KEY (group_id, id),
    UNIQUE (group_id, question)
);
COMMENT ON TABLE annals.answers IS 'Questions that a group keeps answered, with their answers. Derived from the cited rows; do not write it.';
COMMENT ON COLUMN annals.answers.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.answers.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.answers.question IS 'The question, unique in the group.';
COMMENT ON COLUMN annals.answers.schema IS 'JSON Schema of values to fill in as well, as given; empty: none.';
COMMENT ON COLUMN annals.answers.tokens IS 'Maximum number of tokens in the passages for answering.';
COMMENT ON COLUMN annals.answers.stale IS 'True if it is not answered yet, or its evidence has changed since. It is then empty.';
COMMENT ON COLUMN annals.answers.body IS 'Sentences, values and the passages behind them as JSON, each with its citations and their times.';
COMMENT ON COLUMN annals.answers.answered_at IS 'Time it was last asked; NULL: never.';
COMMENT ON COLUMN annals.answers.good_until IS 'Time at which the first of its facts begins, ends or expires, and it is asked again; NULL: never.';
COMMENT ON COLUMN annals.answers.checked_at IS 'Time of the last write to the group that was checked for relevance to it; NULL: none.';
COMMENT ON COLUMN annals.answers.retry_at IS 'Time until which it is not asked, after a failure of the model; NULL: no failure.';
COMMENT ON COLUMN annals.answers.recorded IS 'Time range in which this version is believed, half-open, without an upper bound.';
COMMENT ON COLUMN annals.answers.created_at IS 'Time the question was first kept.';

-- Lists every row whose words a standing answer uses. kind is name for entities at
-- the ends of a fact of which only the name is used.
CREATE TABLE annals_internal.answer_rows (
    group_id text NOT NULL,
    answer_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('fact', 'episode', 'entity', 'community', 'observation', 'name')),
    row_id uuid NOT NULL,
    PRIMARY KEY (group_id, answer_id, kind, row_id),
    FOREIGN KEY (group_id, answer_id) REFERENCES annals.answers ON DELETE CASCADE
);
COMMENT ON TABLE annals_internal.answer_rows IS 'The rows that standing answers were made from.';
COMMENT ON COLUMN annals_internal.answer_rows.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.answer_rows.answer_id IS 'The standing answer.';
COMMENT ON COLUMN annals_internal.answer_rows.kind IS 'Kind of the row: fact, episode, entity, community or observation; name: an entity of which only the name is used.';
COMMENT ON COLUMN annals_internal.answer_rows.row_id IS 'Its id.';
CREATE INDEX answer_rows_row ON annals_internal.answer_rows (group_id, row_id);
COMMENT ON INDEX annals_internal.answer_rows_row IS 'Finds the standing answers made from a row.';

CREATE TABLE annals_internal.answers_history (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    question text NOT NULL,
    schema text NOT NULL,
    tokens integer NOT NULL,
    stale boolean NOT NULL,
    body jsonb NOT NULL,
    answered_at timestamptz,
    good_until timestamptz,
    recorded tstzrange NOT NULL CHECK (NOT isempty(recorded) AND NOT upper_inf(recorded)),
    created_at timestamptz NOT NULL,
    EXCLUDE USING gist (group_id WITH =, id WITH =, recorded WITH &&)
);
COMMENT ON TABLE annals_internal.answers_history IS 'Former versions of standing answers, written by triggers.';
COMMENT ON COLUMN annals_internal.answers_history.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.answers_history.id IS 'Its id.';
COMMENT ON COLUMN annals_internal.answers_history.question IS 'The question.';
COMMENT ON COLUMN annals_internal.answers_history.schema IS 'JSON Schema of values to fill in as well; empty: none.';
COMMENT ON COLUMN annals_internal.answers_history.tokens IS 'Maximum number of tokens in the passages for answering.';
COMMENT ON COLUMN annals_internal.answers_history.stale IS 'True if it was empty and waited to be asked again.';
COMMENT ON COLUMN annals_internal.answers_history.body IS 'Sentences, values and the passages behind them, as JSON.';
COMMENT ON COLUMN annals_internal.answers_history.answered_at IS 'Time it was last asked; NULL: never.';
COMMENT ON COLUMN annals_internal.answers_history.good_until IS 'Time at which the first of its facts began, ended or expired; NULL: never.';
COMMENT ON COLUMN annals_internal.answers_history.recorded IS 'Time range in which this version was believed, half-open.';
COMMENT ON COLUMN annals_internal.answers_history.created_at IS 'Time the question was first kept.';

CREATE TRIGGER history_update BEFORE UPDATE ON annals.answers
    FOR EACH ROW WHEN ((OLD.question, OLD.schema, OLD.tokens, OLD.stale, OLD.body, OLD.good_until)
        IS DISTINCT FROM (NEW.question, NEW.schema, NEW.tokens, NEW.stale, NEW.body, NEW.good_until))
    EXECUTE FUNCTION annals_internal.keep_history('answer');
COMMENT ON TRIGGER history_update ON annals.answers IS 'Stores the old version of a changed standing answer in answers_history.';
CREATE TRIGGER history_delete BEFORE DELETE ON annals.answers
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_history('answer');
COMMENT ON TRIGGER history_delete ON annals.answers IS 'Stores the last version of a removed standing answer in answers_history.';

CREATE VIEW annals.answer_versions WITH (security_invoker = true) AS
SELECT a.group_id, a.id, a.question, a.schema, a.tokens, a.stale, a.body, a.answered_at, a.good_until, a.recorded, a.created_at
FROM annals.answers a
UNION ALL
SELECT h.group_id, h.id, h.question, h.schema, h.tokens, h.stale, h.body, h.answered_at, h.good_until, h.recorded, h.created_at
FROM annals_internal.answers_history h;
COMMENT ON VIEW annals.answer_versions IS 'Every version of every standing answer, former and current.';
COMMENT ON COLUMN annals.answer_versions.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.answer_versions.id IS 'Its id.';
COMMENT ON COLUMN annals.answer_versions.question IS 'The question.';
COMMENT ON COLUMN annals.answer_versions.schema IS 'JSON Schema of values to fill in as well; empty: none.';
COMMENT ON COLUMN annals.answer_versions.tokens IS 'Maximum number of tokens in the passages for answering.';
COMMENT ON COLUMN annals.answer_versions.stale IS 'True if it is empty and waits to be asked again.';
COMMENT ON COLUMN annals.answer_versions.body IS 'Sentences, values and the passages behind them, as JSON.';
COMMENT ON COLUMN annals.answer_versions.answered_at IS 'Time it was last asked; NULL: never.';
COMMENT ON COLUMN annals.answer_versions.good_until IS 'Time at which the first of its facts begins, ends or expires; NULL: never. After that, body is out of date and may contain expired facts.';
COMMENT ON COLUMN annals.answer_versions.recorded IS 'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals.answer_versions.created_at IS 'Time the question was first kept.';

-- Hides standing answers: they are empty until asked again.
CREATE FUNCTION annals_internal.hide_answers(of_group text, which uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF cardinality(which) = 0 OR NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = of_group) THEN
        RETURN;
    END IF;
    UPDATE annals.answers a SET stale = true, body = '{}', good_until = NULL
    WHERE a.group_id = of_group AND a.id = ANY (which) AND NOT a.stale;
    DELETE FROM annals_internal.answer_rows l WHERE l.group_id = of_group AND l.answer_id = ANY (which);
END
$$;
COMMENT ON FUNCTION annals_internal.hide_answers(text, uuid[]) IS 'Hides standing answers until they are asked again.';

-- Hides the standing answers made from rows that change, go, become disputed or undisputed,
-- or are taken back. Also hides those made from a row that is to expire, because their
-- good_until ignores that. The first argument names the kind of table, because tables have
-- other names on the shards of a cluster. The others are the kinds under which answers may
-- list the row.
CREATE FUNCTION annals_internal.hide_answers_made_from() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    of record;
    changed uuid[];
BEGIN
    IF TG_OP = 'DELETE' THEN
        of := OLD;
    ELSE
        of := NEW;
    END IF;
    CASE TG_ARGV[0]
        WHEN 'dispute' THEN
            changed := ARRAY[of.fact_id];
        WHEN 'mark' THEN
            changed := ARRAY(SELECT c.fact_id FROM annals.fact_episodes c WHERE c.group_id = of.group_id AND c.episode_id = of.subject_id) || of.subject_id;
        WHEN 'rejection' THEN -- withdrawn facts are no evidence, nor are messages that state them
            changed := ARRAY(SELECT e.id
                FROM (SELECT DISTINCT l.row_id FROM annals_internal.answer_rows l WHERE l.group_id = of.group_id AND l.kind = 'episode') l
                CROSS JOIN LATERAL (SELECT x.* FROM annals.episodes x WHERE x.group_id = of.group_id AND x.id = l.row_id OFFSET 0) e
                WHERE annals_internal.taken_back(e.group_id, e.id, e.content, e.actor, e.thread_id, e.terms, e.said_key) <> '');
        ELSE
            changed := ARRAY[of.id];
    END CASE;
    PERFORM annals_internal.hide_answers(of.group_id, ARRAY(
        SELECT l.answer_id FROM annals_internal.answer_rows l
        WHERE l.group_id = of.group_id AND l.row_id = ANY (changed) AND l.kind = ANY (TG_ARGV[1:])));
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.hide_answers_made_from() IS
    'Trigger: hides the standing answers made from a row that changes, goes, is disputed, is taken back or is to expire.';

CREATE TRIGGER answers_delete AFTER DELETE ON annals.facts
    FOR EACH ROW EXECUTE FUNCTION annals_internal.hide_answers_made_from('row', 'fact');
COMMENT ON TRIGGER answers_delete ON annals.facts IS 'Hides the standing answers made from the fact.';
CREATE TRIGGER answers_update AFTER UPDATE ON annals.facts
    FOR EACH ROW WHEN ((OLD.source_id, OLD.target_id, OLD.predicate, OLD.fact, OLD.told, OLD.ends, OLD.kind, OLD.valid, OLD.said_at,
            OLD.from_basis, OLD.from_precision, OLD.until_basis, OLD.until_precision, OLD.trust)
        IS DISTINCT FROM (NEW.source_id, NEW.target_id, NEW.predicate, NEW.fact, NEW.told, NEW.ends, NEW.kind, NEW.valid, NEW.said_at,
            NEW.from_basis, NEW.from_precision, NEW.until_basis, NEW.until_precision, NEW.trust))
    EXECUTE FUNCTION annals_internal.hide_answers_made_from('row', 'fact');
COMMENT ON TRIGGER answers_update ON annals.facts IS 'Hides the standing answers made from the fact.';
CREATE TRIGGER answers_delete AFTER DELETE ON annals.episodes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.hide_answers_made_from('row', 'episode');
COMMENT ON TRIGGER answers_delete ON annals.episodes IS 'Hides the standing answers made from the episode.';
CREATE TRIGGER answers_update AFTER UPDATE ON annals.episodes
    FOR EACH ROW WHEN ((OLD.content, OLD.actor, OLD.role, OLD.name, OLD.occurred_at) IS DISTINCT FROM (NEW.content, NEW.actor, NEW.role, NEW.name, NEW.occurred_at))
    EXECUTE FUNCTION annals_internal.hide_answers_made_from('row', 'episode');
COMMENT ON TRIGGER answers_update ON annals.episodes IS 'Hides the standing answers made from the episode.';
CREATE TRIGGER answers_delete AFTER DELETE ON annals.entities
    FOR EACH ROW EXECUTE FUNCTION annals_internal.hide_answers_made_from('row', 'entity', 'name');
COMMENT ON TRIGGER answers_delete ON annals.entities IS 'Hides the standing answers that use the name or summary of the entity.';
CREATE TRIGGER answers_name AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN (OLD.name <> NEW.name) EXECUTE FUNCTION annals_internal.hide_answers_made_from('row', 'entity', 'name');
COMMENT ON TRIGGER answers_name ON annals.entities IS 'Hides the standing answers that use the name of the entity.';
CREATE TRIGGER answers_update AFTER UPDATE ON annals.entities
    FOR EACH ROW WHEN (OLD.summary <> NEW.summary) EXECUTE FUNCTION annals_internal.hide_answers_made_from('row', 'entity');
COMMENT ON TRIGGER answers_update ON annals.entities IS 'Hides the standing answers made from the summary of the entity.';
CREATE TRIGGER answers_delete AFTER DELETE ON annals.communities
    FOR EACH ROW EXECUTE FUNCTION annals_internal.hide_answers_made_from('row', 'community');
COMMENT ON TRIGGER answers_delete ON annals.communities IS 'Hides the standing answers made from the community.';
CREATE TRIGGER answers_update AFTER UPDATE ON annals.communities
    FOR EACH ROW WHEN ((OLD.name, OLD.summary, OLD.stale) IS DISTINCT FROM (NEW.name, NEW.summary, NEW.stale))
    EXECUTE FUNCTION annals_internal.hide_answers_made_from('row', 'community');
COMMENT ON TRIGGER answers_update ON annals.communities IS 'Hides the standing answers made from the community.';
CREATE TRIGGER answers_delete AFTER DELETE ON annals.observations
    FOR EACH ROW EXECUTE FUNCTION annals_internal.hide_answers_made_from('row', 'observation');
COMMENT ON TRIGGER answers_delete ON annals.observations IS 'Hides the standing answers made from the observation.';
CREATE TRIGGER answers_update AFTER UPDATE ON annals.observations
    FOR EACH ROW WHEN ((OLD.observation, OLD.proof, OLD.against, OLD.last_seen, OLD.valid)
        IS DISTINCT FROM (NEW.observation, NEW.proof, NEW.against, NEW.last_seen, NEW.valid))
    EXECUTE FUNCTION annals_internal.hide_answers_made_from('row', 'observation');
COMMENT ON TRIGGER answers_update ON annals.observations IS 'Hides the standing answers made from the observation.';

CREATE TRIGGER answers_dispute AFTER INSERT OR DELETE ON annals.disputes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.hide_answers_made_from('dispute', 'fact');
COMMENT ON TRIGGER answers_dispute ON annals.disputes IS 'Hides the standing answers made from the disputed fact.';

CREATE TRIGGER answers_reject AFTER INSERT OR UPDATE ON annals.rejections
    FOR EACH ROW EXECUTE FUNCTION annals_internal.hide_answers_made_from('rejection', 'episode');
COMMENT ON TRIGGER answers_reject ON annals.rejections IS 'Hides the standing answers made from messages that were taken back.';

CREATE TRIGGER answers_expire AFTER INSERT OR UPDATE OF until ON annals.marks
    FOR EACH ROW WHEN (NEW.mark = 'expires') EXECUTE FUNCTION annals_internal.hide_answers_made_from('mark', 'fact', 'episode', 'entity', 'name', 'community', 'observation');
COMMENT ON TRIGGER answers_expire ON annals.marks IS 'Hides the standing answers made from a row whose expiry is set or ended.';

-- Hides all answers of a group after a policy, release or hold: an answer does not
-- list the rows that these affect.
CREATE FUNCTION annals_internal.hide_all_answers() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF coalesce(annals_internal.write_origin()->>'action', '') <> 'import' THEN
        PERFORM annals_internal.hide_answers(NEW.group_id, ARRAY(SELECT a.id FROM annals.answers a WHERE a.group_id = NEW.group_id));
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.hide_all_answers() IS 'Trigger: hides the standing answers of a group after a policy, release or hold.';
CREATE TRIGGER answers_decided AFTER INSERT ON annals.edits
    FOR EACH ROW WHEN (NEW.action IN ('policy', 'release', 'hold')) EXECUTE FUNCTION annals_internal.hide_all_answers();
COMMENT ON TRIGGER answers_decided ON annals.edits IS 'Hides the standing answers of a group after a policy, release or hold.';

-- Tells whether all rows that a standing answer was made from are unchanged since
-- it was asked, and locks them until the transaction ends.
CREATE FUNCTION annals_internal.lock_answer_rows(of_group text, answer uuid, asked timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM FROM annals.episodes e WHERE e.group_id = of_group AND e.id IN (
        SELECT l.row_id FROM annals_internal.answer_rows l WHERE l.group_id = of_group AND l.answer_id = answer AND l.kind = 'episode') ORDER BY e.id FOR SHARE;
    PERFORM FROM annals.entities e WHERE e.group_id = of_group AND e.id IN (
        SELECT l.row_id FROM annals_internal.answer_rows l WHERE l.group_id = of_group AND l.answer_id = answer AND l.kind IN ('entity', 'name')) ORDER BY e.id FOR SHARE;
    PERFORM FROM annals.facts f WHERE f.group_id = of_group AND f.id IN (
        SELECT l.row_id FROM annals_internal.answer_rows l WHERE l.group_id = of_group AND l.answer_id = answer AND l.kind = 'fact') ORDER BY f.id FOR SHARE;
    PERFORM FROM annals.communities c WHERE c.group_id = of_group AND c.id IN (
        SELECT l.row_id FROM annals_internal.answer_rows l WHERE l.group_id = of_group AND l.answer_id = answer AND l.kind = 'community') ORDER BY c.id FOR SHARE;
    PERFORM FROM annals.observations o WHERE o.group_id = of_group AND o.id IN (
        SELECT l.row_id FROM annals_internal.answer_rows l WHERE l.group_id = of_group AND l.answer_id = answer AND l.kind = 'observation') ORDER BY o.id FOR SHARE;
    RETURN NOT EXISTS (
        SELECT FROM annals_internal.answer_rows l
        WHERE l.group_id = of_group AND l.answer_id = answer AND NOT CASE l.kind
            WHEN 'fact' THEN EXISTS (SELECT FROM annals.facts f WHERE f.group_id = of_group AND f.id = l.row_id AND lower(f.recorded) <= asked)
            WHEN 'episode' THEN EXISTS (SELECT FROM annals.episodes e WHERE e.group_id = of_group AND e.id = l.row_id)
            WHEN 'community' THEN EXISTS (SELECT FROM annals.communities c WHERE c.group_id = of_group AND c.id = l.row_id AND lower(c.recorded) <= asked)
            WHEN 'observation' THEN EXISTS (SELECT FROM annals.observations o WHERE o.group_id = of_group AND o.id = l.row_id AND lower(o.recorded) <= asked)
            WHEN 'name' THEN EXISTS (SELECT FROM annals.entities e WHERE e.group_id = of_group AND e.id = l.row_id)
            ELSE EXISTS (SELECT FROM annals.entities e WHERE e.group_id = of_group AND e.id = l.row_id AND lower(e.recorded) <= asked) END);
END
$$;
COMMENT ON FUNCTION annals_internal.lock_answer_rows(text, uuid, timestamptz) IS
    'Tells whether the rows that a standing answer was made from are unchanged since it was asked, and locks them until the transaction ends.';

DO $$
BEGIN
    PERFORM annals_internal.protect_tenants();
END
$$;

CALL annals_internal.end_migration(18, 'answers');

-- +goose StatementEnd
-- +goose Down

DROP FUNCTION annals_internal.lock_answer_rows;
DROP TRIGGER answers_decided ON annals.edits;
DROP FUNCTION annals_internal.hide_all_answers;
DROP TRIGGER answers_expire ON annals.marks;
DROP TRIGGER answers_reject ON annals.rejections;
DROP TRIGGER answers_dispute ON annals.disputes;
DROP TRIGGER answers_update ON annals.observations;
DROP TRIGGER answers_delete ON annals.observations;
DROP TRIGGER answers_update ON annals.communities;
DROP TRIGGER answers_delete ON annals.communities;
DROP TRIGGER answers_update ON annals.entities;
DROP TRIGGER answers_name ON annals.entities;
DROP TRIGGER answers_delete ON annals.entities;
DROP TRIGGER answers_update ON annals.episodes;
DROP TRIGGER answers_delete ON annals.episodes;
DROP TRIGGER answers_update ON annals.facts;
DROP TRIGGER answers_delete ON annals.facts;
DROP FUNCTION annals_internal.hide_answers_made_from, annals_internal.hide_answers;
DROP VIEW annals.answer_versions;
DROP TRIGGER history_delete ON annals.answers;
DROP TRIGGER history_update ON annals.answers;
DROP TABLE annals_internal.answers_history, annals_internal.answer_rows, annals.answers;
DELETE FROM annals.migrations WHERE version = 18;
