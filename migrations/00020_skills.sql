-- Skills: how tasks are done, learned from the runs of agents. They are derived
-- from the runs: a row changes or goes with its runs, however these change or go.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(20);

-- What was read from a run. Runs with similar tasks belong to one skill, and their
-- steps tell which of its procedures they followed. Skills are derived from the runs
-- that count, in the order of their ids, which is the order of arrival.
CREATE TABLE annals_internal.skill_runs (
    group_id text NOT NULL,
    episode_id uuid NOT NULL,
    skill_id uuid,
    came_to uuid,
    joined uuid[] NOT NULL DEFAULT '{}',
    words text[] NOT NULL,
    steps text[] NOT NULL,
    failed text NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('success', 'failure', 'unknown')),
    PRIMARY KEY (group_id, episode_id),
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE
);
COMMENT ON TABLE annals_internal.skill_runs IS 'What was read from the runs of agents: the skill of each, and its steps. Written by triggers.';
COMMENT ON COLUMN annals_internal.skill_runs.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.skill_runs.episode_id IS 'The run, an episode.';
COMMENT ON COLUMN annals_internal.skill_runs.skill_id IS 'The skill it belongs to; NULL: it teaches nothing, as it is unjudged, withheld or to expire.';
COMMENT ON COLUMN annals_internal.skill_runs.came_to IS 'The skill it belonged to on arrival. Later runs may have merged that skill into another.';
COMMENT ON COLUMN annals_internal.skill_runs.joined IS 'The skills that this run merged into its own.';
COMMENT ON COLUMN annals_internal.skill_runs.words IS 'Words of its task as text search splits them, without those with digits.';
COMMENT ON COLUMN annals_internal.skill_runs.steps IS 'Its steps that did not fail, each as tool and command; immediate repetitions count once.';
COMMENT ON COLUMN annals_internal.skill_runs.failed IS 'The step at which it failed, by its record or a later judgement; empty: none.';
COMMENT ON COLUMN annals_internal.skill_runs.outcome IS 'Recorded outcome: success, failure or unknown.';
CREATE INDEX skill_runs_skill ON annals_internal.skill_runs (group_id, skill_id);
COMMENT ON INDEX annals_internal.skill_runs_skill IS 'Finds the runs of a skill.';

-- Spans that wait for the root span of their run, which ends last and so arrives last.
CREATE TABLE annals_internal.run_spans (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    trace_id text NOT NULL,
    span_id text NOT NULL,
    span jsonb NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, trace_id, span_id)
);
COMMENT ON TABLE annals_internal.run_spans IS 'OpenTelemetry spans that wait for the run of an agent they belong to, for up to an hour. Only the service writes it.';
COMMENT ON COLUMN annals_internal.run_spans.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.run_spans.trace_id IS 'Id of the trace, in hexadecimal.';
COMMENT ON COLUMN annals_internal.run_spans.span_id IS 'Id of the span, in hexadecimal.';
COMMENT ON COLUMN annals_internal.run_spans.span IS 'Parts of the span that a run uses: parent, times, tool or task, tokens.';
COMMENT ON COLUMN annals_internal.run_spans.received_at IS 'Time it arrived.';

CREATE TABLE annals.skills (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    skill_id uuid NOT NULL,
    procedure uuid NOT NULL,
    name text NOT NULL,
    tasks text[] NOT NULL,
    steps text[] NOT NULL,
    pitfalls text[] NOT NULL,
    preconditions text[] NOT NULL,
    why text NOT NULL,
    reader text NOT NULL,
    worded_from text NOT NULL DEFAULT '',
    decision text CHECK (decision IN ('confirmed', 'rejected')),
    proven_from timestamptz,
    worked_at timestamptz[] NOT NULL,
    failed_at timestamptz[] NOT NULL,
    worked uuid[] NOT NULL,
    failed uuid[] NOT NULL,
    valid tstzrange NOT NULL CHECK (NOT isempty(valid)),
    recorded tstzrange NOT NULL DEFAULT tstzrange(annals_internal.recorded_now(), NULL) CHECK (NOT isempty(recorded) AND upper_inf(recorded)),
    created_at timestamptz NOT NULL DEFAULT annals_internal.recorded_now(),
    PRIMARY KEY (group_id, id)
);
COMMENT ON TABLE annals.skills IS 'How tasks are done: one row per procedure and period in which it worked. Derived from runs; do not write it.';
COMMENT ON COLUMN annals.skills.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.skills.id IS 'Its id, derived from skill_id, procedure and the number of its earlier periods.';
COMMENT ON COLUMN annals.skills.skill_id IS 'The skill, shared by all procedures for similar tasks.';
COMMENT ON COLUMN annals.skills.procedure IS 'Id of the procedure, from the tools and commands of its steps. It may hold, break, and hold again.';
COMMENT ON COLUMN annals.skills.name IS 'What it does: in the words of a model, or of its most frequent task.';
COMMENT ON COLUMN annals.skills.tasks IS 'The tasks it is for, as they were given, at most five. With a model, the first is its own wording.';
COMMENT ON COLUMN annals.skills.steps IS 'The steps, in order.';
COMMENT ON COLUMN annals.skills.pitfalls IS 'Errors on the way with their dates, latest first, at most five.';
COMMENT ON COLUMN annals.skills.preconditions IS 'Values of the environment that were the same in every success.';
COMMENT ON COLUMN annals.skills.why IS 'Why it is trusted less, or ended: the latest failure, and changes of the environment; empty: no reason.';
COMMENT ON COLUMN annals.skills.reader IS 'Author of the wording: offline (from the runs) or a model.';
COMMENT ON COLUMN annals.skills.worded_from IS 'Hash of the question to the model; empty: no model was asked, or the question has changed.';
COMMENT ON COLUMN annals.skills.decision IS 'Decision by hand: confirmed or rejected; NULL: none.';
COMMENT ON COLUMN annals.skills.proven_from IS 'Time from which the group''s policy confirms it, after enough successes in a row; NULL: never.';
COMMENT ON COLUMN annals.skills.worked_at IS 'Times it worked.';
COMMENT ON COLUMN annals.skills.failed_at IS 'Times it failed.';
COMMENT ON COLUMN annals.skills.worked IS 'The runs in which it worked, in the order of worked_at. Only its latest 200 runs are kept, including failures.';
COMMENT ON COLUMN annals.skills.failed IS 'The runs in which it failed, in the order of failed_at.';
COMMENT ON COLUMN annals.skills.valid IS 'Time range in which it holds in the world: from its first success to the first of the failures that end it.';
COMMENT ON COLUMN annals.skills.recorded IS 'Time range in which this version is believed, half-open, without an upper bound.';
COMMENT ON COLUMN annals.skills.created_at IS 'Time it was first recorded.';
CREATE INDEX skills_skill ON annals.skills (group_id, skill_id);
COMMENT ON INDEX annals.skills_skill IS 'Finds the procedures of a skill.';

CREATE TABLE annals_internal.skills_history (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    skill_id uuid NOT NULL,
    procedure uuid NOT NULL,
    name text NOT NULL,
    tasks text[] NOT NULL,
    steps text[] NOT NULL,
    pitfalls text[] NOT NULL,
    preconditions text[] NOT NULL,
    why text NOT NULL,
    reader text NOT NULL,
    decision text,
    proven_from timestamptz,
    worked_at timestamptz[] NOT NULL,
    failed_at timestamptz[] NOT NULL,
    worked uuid[] NOT NULL,
    failed uuid[] NOT NULL,
    valid tstzrange NOT NULL,
    recorded tstzrange NOT NULL CHECK (NOT isempty(recorded) AND NOT upper_inf(recorded)),
    created_at timestamptz NOT NULL,
    EXCLUDE USING gist (group_id WITH =, id WITH =, recorded WITH &&)
);
COMMENT ON TABLE annals_internal.skills_history IS 'Former versions of skills, written by triggers.';
COMMENT ON COLUMN annals_internal.skills_history.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.skills_history.id IS 'Its id.';
COMMENT ON COLUMN annals_internal.skills_history.skill_id IS 'The skill.';
COMMENT ON COLUMN annals_internal.skills_history.procedure IS 'Id of the procedure.';
COMMENT ON COLUMN annals_internal.skills_history.name IS 'What it did.';
COMMENT ON COLUMN annals_internal.skills_history.tasks IS 'The tasks it was for.';
COMMENT ON COLUMN annals_internal.skills_history.steps IS 'The steps, in order.';
COMMENT ON COLUMN annals_internal.skills_history.pitfalls IS 'Errors on the way.';
COMMENT ON COLUMN annals_internal.skills_history.preconditions IS 'Values of the environment that were the same in every success.';
COMMENT ON COLUMN annals_internal.skills_history.why IS 'Why it was trusted less, or ended; empty: no reason.';
COMMENT ON COLUMN annals_internal.skills_history.reader IS 'Author of the wording.';
COMMENT ON COLUMN annals_internal.skills_history.decision IS 'Decision by hand; NULL: none.';
COMMENT ON COLUMN annals_internal.skills_history.proven_from IS 'Time from which the group''s policy confirmed it; NULL: never.';
COMMENT ON COLUMN annals_internal.skills_history.worked_at IS 'Times it had worked.';
COMMENT ON COLUMN annals_internal.skills_history.failed_at IS 'Times it had failed.';
COMMENT ON COLUMN annals_internal.skills_history.worked IS 'The runs in which it had worked. Ids of removed runs no longer exist.';
COMMENT ON COLUMN annals_internal.skills_history.failed IS 'The runs in which it had failed.';
COMMENT ON COLUMN annals_internal.skills_history.valid IS 'Time range in which it held in the world.';
COMMENT ON COLUMN annals_internal.skills_history.recorded IS 'Time range in which this version was believed, half-open.';
COMMENT ON COLUMN annals_internal.skills_history.created_at IS 'Time it was first recorded.';

CREATE TRIGGER history_update BEFORE UPDATE ON annals.skills
    FOR EACH ROW WHEN ((OLD.name, OLD.tasks, OLD.steps, OLD.pitfalls, OLD.preconditions, OLD.why, OLD.reader, OLD.decision, OLD.proven_from,
            OLD.worked_at, OLD.failed_at, OLD.worked, OLD.failed, OLD.valid)
        IS DISTINCT FROM (NEW.name, NEW.tasks, NEW.steps, NEW.pitfalls, NEW.preconditions, NEW.why, NEW.reader, NEW.decision, NEW.proven_from,
            NEW.worked_at, NEW.failed_at, NEW.worked, NEW.failed, NEW.valid))
    EXECUTE FUNCTION annals_internal.keep_history('skill');
COMMENT ON TRIGGER history_update ON annals.skills IS 'Stores the old version of a changed skill in skills_history.';
CREATE TRIGGER history_delete BEFORE DELETE ON annals.skills
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_history('skill');
COMMENT ON TRIGGER history_delete ON annals.skills IS 'Stores the last version of a removed skill in skills_history.';

CREATE VIEW annals.skill_versions WITH (security_invoker = true) AS
SELECT s.group_id, s.id, s.skill_id, s.procedure, s.name, s.tasks, s.steps, s.pitfalls, s.preconditions, s.why, s.reader, s.decision, s.proven_from,
    s.worked_at, s.failed_at, s.worked, s.failed, s.valid, s.recorded, s.created_at
FROM annals.skills s
UNION ALL
SELECT h.group_id, h.id, h.skill_id, h.procedure, h.name, h.tasks, h.steps, h.pitfalls, h.preconditions, h.why, h.reader, h.decision, h.proven_from,
    h.worked_at, h.failed_at, h.worked, h.failed, h.valid, h.recorded, h.created_at
FROM annals_internal.skills_history h;
COMMENT ON VIEW annals.skill_versions IS 'Every version of every skill, former and current.';
COMMENT ON COLUMN annals.skill_versions.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.skill_versions.id IS 'Its id.';
COMMENT ON COLUMN annals.skill_versions.skill_id IS 'The skill, shared by all procedures for similar tasks.';
COMMENT ON COLUMN annals.skill_versions.procedure IS 'Id of the procedure, from the tools and commands of its steps.';
COMMENT ON COLUMN annals.skill_versions.name IS 'What it does.';
COMMENT ON COLUMN annals.skill_versions.tasks IS 'The tasks it is for.';
COMMENT ON COLUMN annals.skill_versions.steps IS 'The steps, in order.';
COMMENT ON COLUMN annals.skill_versions.pitfalls IS 'Errors on the way.';
COMMENT ON COLUMN annals.skill_versions.preconditions IS 'Values of the environment that were the same in every success.';
COMMENT ON COLUMN annals.skill_versions.why IS 'Why it is trusted less, or ended; empty: no reason.';
COMMENT ON COLUMN annals.skill_versions.reader IS 'Author of the wording.';
COMMENT ON COLUMN annals.skill_versions.decision IS 'Decision by hand: confirmed or rejected; NULL: none.';
COMMENT ON COLUMN annals.skill_versions.proven_from IS 'Time from which the group''s policy confirms it; NULL: never.';
COMMENT ON COLUMN annals.skill_versions.worked_at IS 'Times it worked.';
COMMENT ON COLUMN annals.skill_versions.failed_at IS 'Times it failed.';
COMMENT ON COLUMN annals.skill_versions.worked IS 'The runs in which it worked.';
COMMENT ON COLUMN annals.skill_versions.failed IS 'The runs in which it failed.';
COMMENT ON COLUMN annals.skill_versions.valid IS 'Time range in which it holds in the world.';
COMMENT ON COLUMN annals.skill_versions.recorded IS 'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals.skill_versions.created_at IS 'Time it was first recorded.';

-- Decisions contain no text. A rejected procedure stays rejected when its runs are
-- erased and others bring it back.
CREATE TABLE annals_internal.skill_decisions (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    skill_id uuid NOT NULL,
    procedure uuid NOT NULL,
    decision text NOT NULL CHECK (decision IN ('confirmed', 'rejected')),
    authority annals.authority NOT NULL DEFAULT (annals_internal.write_origin()->>'authority')::annals.authority,
    decided_at timestamptz NOT NULL DEFAULT annals_internal.recorded_now(),
    PRIMARY KEY (group_id, skill_id, procedure)
);
COMMENT ON TABLE annals_internal.skill_decisions IS 'Procedures that were confirmed or rejected by hand.';
COMMENT ON COLUMN annals_internal.skill_decisions.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.skill_decisions.skill_id IS 'The skill, as its runs had it on arrival.';
COMMENT ON COLUMN annals_internal.skill_decisions.procedure IS 'Id of the procedure.';
COMMENT ON COLUMN annals_internal.skill_decisions.decision IS 'Confirmed or rejected.';
COMMENT ON COLUMN annals_internal.skill_decisions.authority IS 'Whose word it is. A lower one cannot change it.';
COMMENT ON COLUMN annals_internal.skill_decisions.decided_at IS 'Time of the decision.';

CREATE FUNCTION annals_internal.task_terms(of_group text, task text) RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE WHEN cardinality(w.plain) > 0 THEN w.plain WHEN cardinality(w.every) > 0 THEN w.every ELSE ARRAY[annals_internal.fold_text(task)] END
    FROM annals.groups g
    CROSS JOIN LATERAL (SELECT tsvector_to_array(to_tsvector(g.text_search::regconfig, annals_internal.segmented(task, true))) AS every) e
    CROSS JOIN LATERAL (SELECT e.every, ARRAY(SELECT t.term FROM unnest(e.every) AS t(term) WHERE t.term !~ '[0-9]') AS plain) w
    WHERE g.group_id = of_group;
END;
COMMENT ON FUNCTION annals_internal.task_terms(text, text) IS 'Splits a task into words, without those with digits, which differ between tasks.';

-- The first words of a command tell what it does: the program and its subcommand.
-- Arguments differ between runs.
CREATE FUNCTION annals_internal.step_key(step jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN left(btrim(concat_ws(' ',
    lower(coalesce(nullif(step->>'tool', ''), regexp_replace(step->>'action', '\S*[0-9]\S*', '', 'g'))),
    (regexp_match(
        regexp_replace(coalesce(step->'arguments'->>'command', step->'arguments'->>'cmd', CASE jsonb_typeof(step->'arguments') WHEN 'string' THEN step->>'arguments' END),
            '^(\s*(sudo|cd\s+\S+\s*(&&|;)|[A-Za-z_][A-Za-z0-9_]*=\S+)\s+)+', ''),
        '^\s*([A-Za-z0-9_./-]+(?:\s+[A-Za-z][A-Za-z0-9_.-]*)?)'))[1])), 200);
COMMENT ON FUNCTION annals_internal.step_key(jsonb) IS 'Returns the key of a step: its tool and, for a command, the first words.';

CREATE FUNCTION annals_internal.step_text(step jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN left(CASE WHEN coalesce(step->>'tool', '') = '' THEN step->>'action'
    ELSE concat_ws(': ', nullif(step->>'action', ''), concat_ws(' ', step->>'tool',
        coalesce(step->'arguments'->>'command', step->'arguments'->>'cmd', nullif(nullif(step->>'arguments', '{}'), '')))) END, 500);
COMMENT ON FUNCTION annals_internal.step_text(jsonb) IS 'Returns a step of a run in words: the action, the tool and its arguments.';

CREATE FUNCTION annals_internal.steps_of_run(run jsonb) RETURNS TABLE (place bigint, key text, told text, error text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT s.place, annals_internal.step_key(s.step), annals_internal.step_text(s.step), coalesce(s.step->>'error', '')
    FROM jsonb_array_elements(coalesce(nullif(run->'steps', 'null'), '[]')) WITH ORDINALITY AS s(step, place);
END;
COMMENT ON FUNCTION annals_internal.steps_of_run(jsonb) IS 'Lists the steps of a run: key, words and error; empty: no error.';

-- Returns the keys of the steps that did not fail. Immediate repetitions count
-- once.
CREATE FUNCTION annals_internal.run_steps(run jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce(array_agg(k.key ORDER BY k.place) FILTER (WHERE k.key IS DISTINCT FROM k.before), '{}')
    FROM (
        SELECT s.place, s.key, lag(s.key) OVER (ORDER BY s.place) AS before
        FROM annals_internal.steps_of_run(run) s
        WHERE s.error = '' AND s.key <> ''
    ) k;
END;
COMMENT ON FUNCTION annals_internal.run_steps(jsonb) IS 'Returns the keys of a run''s steps, in order, without failed ones.';

-- Formats steps as a text for LIKE, which finds texts with the same steps in the
-- same order.
CREATE FUNCTION annals_internal.steps_as_text(steps text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN E'\x01' || array_to_string(steps, E'\x01\x01') || E'\x01';
COMMENT ON FUNCTION annals_internal.steps_as_text(text[]) IS 'Formats steps as one text, each between marks.';
CREATE FUNCTION annals_internal.steps_as_pattern(steps text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN E'%\x01' || replace(regexp_replace(array_to_string(steps, E'\x02'), '([\\%_])', '\\\1', 'g'), E'\x02', E'\x01%\x01') || E'\x01%';
COMMENT ON FUNCTION annals_internal.steps_as_pattern(text[]) IS 'Returns the LIKE pattern for texts that contain all given steps, in order.';

-- Returns Wilson's score interval at 95 % (E. B. Wilson, 1927).
CREATE FUNCTION annals_internal.wilson(worked bigint, failed bigint, OUT low float8, OUT high float8)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE WHEN n = 0 THEN 0 ELSE greatest(0, (p + 1.9208 / n - 1.96 * sqrt(p * (1 - p) / n + 0.9604 / n / n)) / (1 + 3.8416 / n)) END,
        CASE WHEN n = 0 THEN 1 ELSE least(1, (p + 1.9208 / n + 1.96 * sqrt(p * (1 - p) / n + 0.9604 / n / n)) / (1 + 3.8416 / n)) END
    FROM (SELECT (worked + failed)::float8 AS n, worked::float8 / greatest(1, worked + failed) AS p) c;
END;
COMMENT ON FUNCTION annals_internal.wilson(bigint, bigint) IS 'Returns Wilson''s score interval of the success rate, at 95 %.';

CREATE FUNCTION annals_internal.runs_of_skills(of_group text, known timestamptz) RETURNS TABLE (skill_id uuid, episode_id uuid)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT r.skill_id, r.episode_id FROM annals_internal.skill_runs r WHERE known IS NULL AND r.group_id = of_group AND r.skill_id IS NOT NULL
    UNION ALL
    SELECT v.skill_id, unnest(v.worked || v.failed) FROM annals.skill_versions v WHERE v.group_id = of_group AND v.recorded @> known;
END;
COMMENT ON FUNCTION annals_internal.runs_of_skills(text, timestamptz) IS 'Lists the runs of each skill, now or as known at a time.';

-- Compares a task with the tasks of a group's runs by the cosine of their words.
-- Words that fewer skills have weigh more. A skill counts by its most similar run.
-- before restricts this to earlier runs, known to what was known at a time.
CREATE FUNCTION annals_internal.skills_alike(of_group text, asked text[], before uuid, known timestamptz) RETURNS TABLE (skill_id uuid, alike float8)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH phrasing AS MATERIALIZED (
        SELECT k.skill_id, r.words
        FROM annals_internal.runs_of_skills(of_group, known) AS k(skill_id, episode_id)
        JOIN annals_internal.skill_runs r ON r.group_id = of_group AND r.episode_id = k.episode_id
        WHERE before IS NULL OR k.episode_id < before
        UNION -- former runs may be gone
        SELECT v.skill_id, annals_internal.task_terms(of_group, t.task)
        FROM annals.skill_versions v CROSS JOIN LATERAL unnest(v.tasks) AS t(task)
        WHERE v.group_id = of_group AND v.recorded @> known
    ), near AS MATERIALIZED (
        SELECT p.skill_id, p.words FROM phrasing p WHERE p.words && asked
    ), total AS MATERIALIZED (
        SELECT count(DISTINCT skill_id)::float8 AS skills FROM phrasing
    ), weight AS MATERIALIZED (
        SELECT t.word, ln(1 + (SELECT skills FROM total) / count(DISTINCT p.skill_id)) AS weight
        FROM phrasing p CROSS JOIN LATERAL unnest(p.words) AS t(word)
        WHERE t.word IN (SELECT unnest(n.words) FROM near n)
        GROUP BY t.word
    ), question AS (
        SELECT sqrt(sum(coalesce(w.weight, ln(1 + (SELECT skills FROM total))) ^ 2)) AS norm
        FROM unnest(asked) AS a(word) LEFT JOIN weight w USING (word)
    ), compared AS (
        SELECT p.skill_id, p.words, sum(w.weight ^ 2) FILTER (WHERE t.word = ANY (asked)) AS common, sqrt(sum(w.weight ^ 2)) AS norm
        FROM near p CROSS JOIN LATERAL unnest(p.words) AS t(word) JOIN weight w USING (word)
        GROUP BY p.skill_id, p.words
    )
    SELECT c.skill_id, max(c.common / (c.norm * q.norm))
    FROM compared c CROSS JOIN question q
    WHERE c.common > 0 AND q.norm > 0
    GROUP BY c.skill_id;
END;
COMMENT ON FUNCTION annals_internal.skills_alike(text, text[], uuid, timestamptz) IS 'Returns the similarity of a task to the tasks of each skill, by words, from 0 to 1.';

-- Lists the skills that a run may belong to, with similar tasks and steps, most
-- similar first. Tasks in different words are the same if the steps are.
CREATE FUNCTION annals_internal.skills_of_run(of_group text, task text[], done text[], before uuid) RETURNS TABLE (skill_id uuid, steps_alike float8)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH alike AS MATERIALIZED (
        SELECT a.skill_id, a.alike FROM annals_internal.skills_alike(of_group, task, before, NULL) AS a(skill_id, alike)
    ), steps AS (
        SELECT r.skill_id, max(c.common / (cardinality(r.steps) + cardinality(done) - c.common)) AS alike
        FROM (SELECT DISTINCT r.skill_id, r.steps FROM alike JOIN annals_internal.skill_runs r ON r.group_id = of_group AND r.skill_id = alike.skill_id
            WHERE r.failed = '' AND r.episode_id < before) r
        CROSS JOIN LATERAL (SELECT count(*)::float8 AS common FROM unnest(r.steps) AS s(step) WHERE s.step = ANY (done)) c
        WHERE cardinality(r.steps) + cardinality(done) > 0
        GROUP BY r.skill_id
    )
    SELECT a.skill_id, coalesce(s.alike, 0)
    FROM alike a
    LEFT JOIN steps s USING (skill_id)
    WHERE a.alike + 0.5 * coalesce(s.alike, 0) >= 0.7
    ORDER BY a.alike + 0.5 * coalesce(s.alike, 0) DESC, a.skill_id;
END;
COMMENT ON FUNCTION annals_internal.skills_of_run(text, text[], text[], uuid) IS 'Lists the skills that a run may belong to, by its task, its steps and earlier runs, most similar first.';

-- Lists the errors of a run: those of failed steps, and that of the whole run.
CREATE FUNCTION annals_internal.run_errors(run jsonb) RETURNS TABLE (place bigint, error text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT s.place, left(s.told || ': ' || s.error, 500)
    FROM annals_internal.steps_of_run(run) s
    WHERE s.error <> ''
    UNION ALL
    SELECT 1000000, left(run->>'error', 500) WHERE run->>'error' <> '';
END;
COMMENT ON FUNCTION annals_internal.run_errors(jsonb) IS 'Lists the errors of a run, in the order of its steps.';

-- Returns the step at which a run failed: the last with an error, or the last.
CREATE FUNCTION annals_internal.failed_step(run jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE WHEN run->>'outcome' = 'failure' THEN coalesce((
        SELECT s.key
        FROM annals_internal.steps_of_run(run) s
        ORDER BY s.error <> '' DESC, s.place DESC
        LIMIT 1), '') ELSE '' END;
END;
COMMENT ON FUNCTION annals_internal.failed_step(jsonb) IS 'Returns the step at which a run failed; empty: it did not fail.';

-- Explains why a procedure is trusted less: its latest failure, and changes of
-- the environment since its last success.
CREATE FUNCTION annals_internal.why_failed(of_group text, worked uuid, failed uuid, in_a_row integer, latest uuid) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT concat_ws('; ',
        CASE WHEN in_a_row > 1 THEN format('failed %s times in a row since %s', in_a_row, to_char(f.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'))
            ELSE format('failed on %s', to_char(f.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')) END,
        (SELECT e.error FROM annals_internal.run_errors(l.content::jsonb) e ORDER BY e.place DESC LIMIT 1),
        (SELECT 'changed since it worked: ' || string_agg(format('%s %s (before: %s)', key, coalesce(n.value, 'none'), coalesce(o.value, 'none')), ', ' ORDER BY key)
            FROM jsonb_each_text(f.content::jsonb->'environment') n
            FULL JOIN jsonb_each_text(w.content::jsonb->'environment') o USING (key)
            WHERE n.value IS DISTINCT FROM o.value AND f.content::jsonb ? 'environment' AND w.content::jsonb ? 'environment'))
    FROM annals.episodes f
    JOIN annals.episodes l ON l.group_id = of_group AND l.id = latest
    LEFT JOIN annals.episodes w ON w.group_id = of_group AND w.id = worked
    WHERE f.group_id = of_group AND f.id = failed;
END;
COMMENT ON FUNCTION annals_internal.why_failed(text, uuid, uuid, integer, uuid) IS 'Explains why a procedure is trusted less: its latest failure, and changes of the environment before the first.';

-- Lists the runs that count as proof. It leaves out withheld runs and those to
-- expire, which a skill would outlive. A run without a recorded outcome takes that
-- of its useful and wrong marks, from the highest authority among them. judged is
-- false if only assistants marked it: that is no proof.
CREATE FUNCTION annals_internal.proving_runs(of_group text)
RETURNS TABLE (skill_id uuid, episode_id uuid, occurred_at timestamptz, steps text[], failed text, outcome text, judged boolean, content text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT r.skill_id, r.episode_id, e.occurred_at, r.steps, f.failed, coalesce(j.outcome, r.outcome), j.authority IS NULL OR j.authority > 'assistant', e.content
    FROM annals_internal.skill_runs r
    JOIN annals.episodes e ON e.group_id = of_group AND e.id = r.episode_id
    LEFT JOIN LATERAL (
        SELECT m.authority, CASE sign(sum(CASE m.mark WHEN 'useful' THEN 1 ELSE -1 END)) WHEN 1 THEN 'success' WHEN -1 THEN 'failure' END AS outcome
        FROM annals.marks m
        WHERE r.outcome = 'unknown' AND m.group_id = of_group AND m.subject_id = r.episode_id AND m.mark IN ('useful', 'wrong') AND m.until IS NULL
        GROUP BY m.authority
        ORDER BY m.authority DESC
        LIMIT 1
    ) j ON true
    CROSS JOIN LATERAL (
        SELECT CASE WHEN r.outcome = 'failure' THEN r.failed WHEN j.outcome = 'failure' THEN annals_internal.failed_step(e.content::jsonb || '{"outcome": "failure"}')
            ELSE '' END AS failed
    ) f
    WHERE r.group_id = of_group AND (r.outcome <> 'unknown' OR j.outcome IS NOT NULL) AND (r.steps <> '{}' OR f.failed <> '')
        AND r.episode_id NOT IN (SELECT annals_internal.expiring(of_group, 'episode', 'infinity'))
        AND NOT ((SELECT annals_internal.withholds(of_group)) AND annals_internal.episode_held(of_group, e.id, e.authority, e.thread_id));
END;
COMMENT ON FUNCTION annals_internal.proving_runs(text) IS 'Lists the runs that count as proof, and whether more than the later word of an assistant tells the outcome.';

-- Lists the procedures of a skill. Candidates are the step sequences of successful runs,
-- the fifty most frequent. A sequence that contains no other is a minimum. Its procedure
-- is the longest sequence that contains it, and that three quarters of the runs with the
-- minimum contain.
CREATE FUNCTION annals_internal.procedures_of(of_group text, of_skill uuid) RETURNS TABLE (procedure uuid, steps text[])
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH worked AS MATERIALIZED (
        SELECT r.steps, annals_internal.steps_as_text(r.steps) AS done
        FROM annals_internal.proving_runs(of_group) r
        WHERE r.skill_id = of_skill AND r.outcome = 'success' AND r.steps <> '{}'
    ), way AS MATERIALIZED (
        SELECT t.steps, t.done, t.pattern, (SELECT count(*) FROM worked w WHERE w.done LIKE t.pattern) AS times
        FROM (
            SELECT w.steps, w.done, annals_internal.steps_as_pattern(w.steps) AS pattern
            FROM worked w GROUP BY w.steps, w.done ORDER BY count(*) DESC, cardinality(w.steps), w.done LIMIT 50
        ) t
    )
    SELECT DISTINCT md5(annals_internal.steps_as_text(l.steps))::uuid, l.steps
    FROM way m
    CROSS JOIN LATERAL (
        SELECT w.steps FROM way w
        WHERE w.done LIKE m.pattern AND 4 * w.times >= 3 * m.times
        ORDER BY cardinality(w.steps) DESC, w.times DESC, w.done
        LIMIT 1
    ) l
    WHERE NOT EXISTS (SELECT FROM way o WHERE o.done <> m.done AND m.done LIKE o.pattern);
END;
COMMENT ON FUNCTION annals_internal.procedures_of(text, uuid) IS 'Lists the procedures that led to success, without steps that only some runs took.';

-- Reads the runs of a skill in order of time. A success supports each procedure whose
-- steps it contains. A failure opposes each procedure that has the failed step, if at
-- least half of the run's other steps belong to it.
--
-- A procedure ends after three to five failures in a row at one step. It ends once
-- their probability falls below one in a hundred at the earlier success rate,
-- (worked + 1) / (tried + 2) (Laplace's rule of succession). It also ends after
-- five failures in a row at any steps. A later success starts a new period. Only
-- its latest 200 runs are kept, so that a version does not grow without bound.
-- Imported runs were written down, not done, and prove nothing.
CREATE FUNCTION annals_internal.skill_periods(of_group text, of_skill uuid, proof integer) RETURNS TABLE (
    procedure uuid, steps text[], period integer, began timestamptz, ended timestamptz, proven_from timestamptz,
    worked_at timestamptz[], failed_at timestamptz[], worked uuid[], failed uuid[], failed_in_a_row integer, broke uuid, held uuid
)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
    run record;
    broke_at timestamptz;
    failed_step text;
    at_one_step integer;
    worked_in_a_row integer;
    rate float8;
BEGIN
    FOR run IN
        WITH proof AS MATERIALIZED (SELECT * FROM annals_internal.proving_runs(of_group) r WHERE r.skill_id = of_skill)
        SELECT w.procedure, w.steps, r.episode_id, r.occurred_at, r.outcome, r.failed, r.judged, r.content
        FROM annals_internal.procedures_of(of_group, of_skill) w
        JOIN proof r ON CASE r.outcome WHEN 'success' THEN annals_internal.steps_as_text(r.steps) LIKE annals_internal.steps_as_pattern(w.steps)
            ELSE r.failed = ANY (w.steps)
                AND 2 * (SELECT count(*) FROM unnest(r.steps) AS s(step) WHERE s.step = ANY (w.steps)) >= cardinality(r.steps) END
        ORDER BY w.procedure, r.occurred_at, r.episode_id
    LOOP
        IF procedure IS DISTINCT FROM run.procedure OR ended IS NOT NULL AND run.outcome = 'success' THEN
            IF began IS NOT NULL THEN
                RETURN NEXT;
            END IF;
            period := CASE WHEN procedure = run.procedure THEN period + 1 ELSE 1 END;
            procedure := run.procedure;
            steps := run.steps;
            began := NULL;
            ended := NULL;
            proven_from := NULL;
            worked_at := '{}';
            failed_at := '{}';
            worked := '{}';
            failed := '{}';
            worked_in_a_row := 0;
            failed_in_a_row := 0;
        END IF;
        IF run.outcome = 'success' THEN
            began := coalesce(began, run.occurred_at);
            worked := worked || run.episode_id;
            worked_at := worked_at || run.occurred_at;
            held := run.episode_id;
            failed_in_a_row := 0;
            IF proof > 0 AND proven_from IS NULL AND run.judged AND (run.content::jsonb->'environment' ? 'imported from') IS NOT TRUE THEN
                worked_in_a_row := worked_in_a_row + 1;
                proven_from := CASE WHEN worked_in_a_row >= proof THEN run.occurred_at END;
            END IF;
        ELSIF began IS NOT NULL THEN -- before its first success it cannot fail
            IF failed_in_a_row = 0 THEN
                broke := run.episode_id;
                broke_at := run.occurred_at;
                at_one_step := 0;
            END IF;
            rate := (cardinality(worked) + 1)::float8 / (cardinality(worked) + greatest(0, cardinality(failed) - failed_in_a_row) + 2);
            failed := failed || run.episode_id;
            failed_at := failed_at || run.occurred_at;
            at_one_step := CASE WHEN failed_step = run.failed THEN at_one_step ELSE 0 END + 1;
            failed_step := run.failed;
            failed_in_a_row := failed_in_a_row + 1;
            worked_in_a_row := 0;
            IF failed_in_a_row >= 5 OR at_one_step >= 3 AND (1 - rate) ^ failed_in_a_row < 0.01 THEN
                ended := coalesce(ended, greatest(broke_at, worked_at[cardinality(worked_at)] + interval '1 microsecond')); -- it held for a time
            END IF;
        END IF;
        IF cardinality(worked) + cardinality(failed) > 200 THEN
            IF cardinality(worked) > 1 AND worked_at[1] <= coalesce(failed_at[1], 'infinity') THEN
                worked := worked[2:];
                worked_at := worked_at[2:];
            ELSE
                failed := failed[2:];
                failed_at := failed_at[2:];
            END IF;
        END IF;
    END LOOP;
    IF began IS NOT NULL THEN
        RETURN NEXT;
    END IF;
END
$$;
COMMENT ON FUNCTION annals_internal.skill_periods(text, uuid, integer) IS 'Reads the runs of a skill: the periods of each procedure, and how often it worked and failed.';

CREATE FUNCTION annals_internal.pitfall_error(pitfall text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(pitfall, ' \([^()]*\)$', '');
COMMENT ON FUNCTION annals_internal.pitfall_error(text) IS 'Returns a pitfall of a skill without its dates.';

-- Returns what a model is shown of a skill besides the steps, and a hash of everything
-- that it is shown. Its words stay while the hash is the same, so they must depend on
-- nothing else. Arguments, numbers and dates differ between runs, and are left out.
CREATE FUNCTION annals_internal.skill_question(procedure uuid, tasks text[], pitfalls text[], preconditions text[],
    OUT asked text[], OUT errors text[], OUT basis text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT q.asked, q.errors, md5(procedure::text || annals_internal.steps_as_text(q.asked || ARRAY[''] || q.errors || ARRAY[''] || preconditions))
    FROM (
        SELECT ARRAY(
                SELECT DISTINCT coalesce(nullif(btrim(regexp_replace(t.task, '\s*\S*[0-9]\S*', '', 'g')), ''), t.task) COLLATE "C" AS task
                FROM unnest(tasks) AS t(task) ORDER BY task) AS asked,
            ARRAY(SELECT annals_internal.pitfall_error(p.pitfall) FROM unnest(pitfalls) WITH ORDINALITY AS p(pitfall, place) ORDER BY p.place) AS errors
    ) q;
END;
COMMENT ON FUNCTION annals_internal.skill_question(uuid, text[], text[], text[]) IS 'Returns what a model is shown to word a skill: tasks without digits, and errors. Also returns a hash of these, the steps and the preconditions.';

CREATE FUNCTION annals_internal.joined_skills(of_group text, of_skill uuid) RETURNS SETOF uuid
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT DISTINCT r.came_to FROM annals_internal.skill_runs r WHERE r.group_id = of_group AND r.skill_id = of_skill;
END;
COMMENT ON FUNCTION annals_internal.joined_skills(text, uuid) IS 'Lists the skills that were merged into a skill, itself included.';

CREATE FUNCTION annals_internal.skill_decision(of_group text, of_skill uuid, of_procedure uuid) RETURNS SETOF annals_internal.skill_decisions
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT d.*
    FROM annals_internal.skill_decisions d
    WHERE d.group_id = of_group AND d.procedure = of_procedure AND d.skill_id IN (SELECT annals_internal.joined_skills(of_group, of_skill))
    ORDER BY d.authority DESC, d.decided_at DESC, d.skill_id
    LIMIT 1;
END;
COMMENT ON FUNCTION annals_internal.skill_decision(text, uuid, uuid) IS 'Returns the decision about a procedure in a skill or those merged into it: of the highest authority, the latest.';

-- Updates a skill from its runs. The steps are worded as in the best run (highest score,
-- then shortest, then latest), without its additional steps. A model's words stay while
-- its question would be the same. Tasks and dates of pitfalls always come from the runs.
CREATE FUNCTION annals_internal.learn_skill(of_group text, of_skill uuid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    learned uuid[];
BEGIN
    WITH period AS MATERIALIZED (
        SELECT md5(of_skill::text || n.procedure || n.period)::uuid AS id, n.*
        FROM annals.groups g
        CROSS JOIN LATERAL annals_internal.skill_periods(of_group, of_skill, g.proof_of_skills) n
        WHERE g.group_id = of_group
    ), run AS MATERIALIZED (
        SELECT e.id, e.occurred_at, e.content::jsonb AS run
        FROM annals.episodes e
        WHERE e.group_id = of_group AND e.id IN (SELECT unnest(n.worked || n.failed) FROM period n)
    ), written AS (
        INSERT INTO annals.skills AS s (group_id, id, skill_id, procedure, name, tasks, steps, pitfalls, preconditions, why, reader, decision, proven_from,
            worked_at, failed_at, worked, failed, valid)
        SELECT of_group, n.id, of_skill, n.procedure, left(t.tasks[1], 200), t.tasks[:5], b.steps,
            ARRAY(
                SELECT format(CASE x.times WHEN 1 THEN '%1$s (%3$s)' ELSE '%1$s (%2$s times, %4$s to %3$s)' END, x.error, x.times,
                    to_char(x.latest AT TIME ZONE 'UTC', 'YYYY-MM-DD'), to_char(x.first AT TIME ZONE 'UTC', 'YYYY-MM-DD'))
                FROM (
                    SELECT left(e.error, 100), count(DISTINCT r.id) AS times, min(r.occurred_at) AS first, max(r.occurred_at) AS latest,
                        (array_agg(e.error ORDER BY r.occurred_at DESC))[1] AS error
                    FROM run r CROSS JOIN LATERAL annals_internal.run_errors(r.run) e
                    WHERE r.id = ANY (n.worked || n.failed)
                    GROUP BY 1
                ) x ORDER BY x.latest DESC, x.error LIMIT 5),
            ARRAY(
                SELECT x.key || ': ' || x.value
                FROM run r CROSS JOIN LATERAL jsonb_each_text(r.run->'environment') AS x
                WHERE r.id = ANY (n.worked) AND x.value <> ''
                GROUP BY x.key, x.value HAVING count(*) = cardinality(n.worked)
                ORDER BY x.key),
            coalesce(CASE WHEN n.failed_in_a_row > 0 OR n.ended IS NOT NULL
                THEN annals_internal.why_failed(of_group, n.held, n.broke, n.failed_in_a_row, n.failed[cardinality(n.failed)]) END, ''),
            'offline', d.decision, n.proven_from, n.worked_at, n.failed_at, n.worked, n.failed, tstzrange(n.began, n.ended)
        FROM period n
        LEFT JOIN LATERAL annals_internal.skill_decision(of_group, of_skill, n.procedure) d ON true
        CROSS JOIN LATERAL (
            SELECT array_agg(x.task ORDER BY x.times DESC, x.latest DESC, x.task) AS tasks
            FROM (SELECT min(r.run->>'task') AS task, count(*) AS times, max(r.occurred_at) AS latest
                FROM run r WHERE r.id = ANY (n.worked || n.failed) GROUP BY annals_internal.fold_text(r.run->>'task')) x
        ) t
        CROSS JOIN LATERAL (
            SELECT ARRAY(SELECT s.told FROM annals_internal.steps_of_run(r.run) s WHERE s.error = '' AND s.key = ANY (n.steps) ORDER BY s.place) AS steps
            FROM run r
            WHERE r.id = ANY (n.worked)
            ORDER BY (r.run->>'score')::numeric DESC NULLS LAST, jsonb_array_length(coalesce(nullif(r.run->'steps', 'null'), '[]')), r.occurred_at DESC
            LIMIT 1
        ) b
        ON CONFLICT (group_id, id) DO UPDATE SET (name, tasks, pitfalls, preconditions, reader, worded_from) = (
                SELECT s.name, s.tasks[1] || excluded.tasks[:4],
                    ARRAY(SELECT annals_internal.pitfall_error(p.said) || substr(p.met, 1 + length(annals_internal.pitfall_error(p.met)))
                        FROM unnest(s.pitfalls, excluded.pitfalls) WITH ORDINALITY AS p(said, met, place) ORDER BY p.place),
                    s.preconditions, s.reader, s.worded_from
                FROM annals_internal.skill_question(excluded.procedure, excluded.tasks, excluded.pitfalls, excluded.preconditions) q
                WHERE s.worded_from = q.basis AND s.reader <> 'offline'
                UNION ALL
                SELECT excluded.name, excluded.tasks, excluded.pitfalls, excluded.preconditions, excluded.reader, CASE s.worded_from WHEN q.basis THEN q.basis ELSE '' END
                FROM annals_internal.skill_question(excluded.procedure, excluded.tasks, excluded.pitfalls, excluded.preconditions) q
                LIMIT 1),
            steps = excluded.steps, why = excluded.why, decision = excluded.decision, proven_from = excluded.proven_from,
            worked_at = excluded.worked_at, failed_at = excluded.failed_at, worked = excluded.worked, failed = excluded.failed, valid = excluded.valid
        RETURNING s.id
    )
    SELECT array_agg(w.id) INTO learned FROM written w;
    DELETE FROM annals.skills s WHERE s.group_id = of_group AND s.skill_id = of_skill AND NOT s.id = ANY (coalesce(learned, '{}'));
END
$$;
COMMENT ON FUNCTION annals_internal.learn_skill(text, uuid) IS 'Updates a skill from its runs.';

-- Compares rows by their columns: on a shard, a whole row has another type.
CREATE FUNCTION annals_internal.repeats(run annals_internal.skill_runs) RETURNS boolean
LANGUAGE sql STABLE
RETURN run.skill_id IS NULL OR run.joined = '{}' AND EXISTS (
    SELECT FROM annals_internal.skill_runs r
    WHERE r.group_id = run.group_id AND r.skill_id = run.came_to AND r.episode_id < run.episode_id
        AND r.words = run.words AND r.steps = run.steps AND (r.failed = '') = (run.failed = ''));
COMMENT ON FUNCTION annals_internal.repeats(annals_internal.skill_runs) IS 'Tells whether a run adds nothing for later runs: it teaches nothing, or an earlier run has the same words and steps.';

-- Reassigns runs to skills after runs were added, judged or removed, and updates the
-- skills. It takes runs in order of arrival. A run goes to the most similar skill, and
-- merges into it all skills with its steps. Runs that no change affects keep their skill.
-- A skill keeps its id while one of its runs remains. Once all are gone, it gets the same
-- id again when one returns.
CREATE FUNCTION annals_internal.learn_runs(of_group text, changed annals_internal.skill_runs[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    begin_at uuid := (SELECT c.episode_id FROM unnest(changed) c ORDER BY 1 LIMIT 1);
    parts boolean := EXISTS (SELECT FROM annals_internal.skill_runs r WHERE r.group_id = of_group AND r.episode_id >= begin_at AND r.joined <> '{}')
        OR EXISTS (SELECT FROM unnest(changed) c WHERE c.joined <> '{}');
    gone uuid := (SELECT c.episode_id FROM unnest(changed) c
        WHERE (parts OR NOT annals_internal.repeats(c)) AND NOT EXISTS (SELECT FROM annals_internal.skill_runs r WHERE r.group_id = of_group AND r.episode_id = c.episode_id)
        ORDER BY 1 LIMIT 1);
    touched uuid[] := ARRAY(SELECT unnest(c.skill_id || c.joined) FROM unnest(changed) c);
    run record;
    old annals_internal.skill_runs;
    new annals_internal.skill_runs;
    fitting uuid[];
    same uuid[];
    anew boolean := false;
BEGIN
    FOR run IN
        SELECT ROW(r.*)::annals_internal.skill_runs AS stored, p.episode_id IS NOT NULL AS counts, p.failed
        FROM annals_internal.skill_runs r
        LEFT JOIN LATERAL (SELECT * FROM annals_internal.proving_runs(of_group) p WHERE p.episode_id = r.episode_id) p ON true
        WHERE r.group_id = of_group AND (parts OR r.episode_id >= begin_at)
        ORDER BY r.episode_id
    LOOP
        old := run.stored;
        new := old;
        new.failed := coalesce(run.failed, old.failed);
        new.skill_id := CASE WHEN run.counts THEN old.came_to END;
        anew := anew OR coalesce(new.episode_id > gone, false);
        IF anew OR run.counts <> (old.skill_id IS NOT NULL) OR (new.failed = '') <> (old.failed = '') THEN
            SELECT array_agg(s.skill_id), array_agg(s.skill_id) FILTER (WHERE s.steps_alike >= 0.75) INTO fitting, same
            FROM annals_internal.skills_of_run(of_group, new.words, new.steps, new.episode_id) s
            WHERE run.counts;
            new.joined := CASE WHEN fitting[1] = ANY (same) THEN array_remove(same, fitting[1]) ELSE '{}' END;
            IF run.counts THEN
                new.skill_id := coalesce(fitting[1], (
                    SELECT c.id FROM unnest(ARRAY[old.came_to, md5(array_to_string(new.words, ' '))::uuid, new.episode_id]) WITH ORDINALITY AS c(id, place)
                    WHERE c.id IS NOT NULL AND NOT EXISTS (SELECT FROM annals_internal.skill_runs r
                        WHERE r.group_id = of_group AND r.episode_id < new.episode_id AND r.skill_id IS NOT NULL AND c.id IN (r.skill_id, r.came_to))
                    ORDER BY c.place LIMIT 1));
                new.came_to := new.skill_id;
            END IF;
            touched := touched || old.joined || new.joined || ARRAY[old.skill_id, new.skill_id];
        END IF;
        UPDATE annals_internal.skill_runs r SET skill_id = new.skill_id
        WHERE r.group_id = of_group AND r.skill_id = ANY (new.joined) AND r.episode_id < new.episode_id;
        UPDATE annals_internal.skill_runs r SET skill_id = new.skill_id, came_to = new.came_to, joined = new.joined, failed = new.failed
        WHERE r.group_id = of_group AND r.episode_id = new.episode_id
            AND (r.skill_id, r.came_to, r.joined, r.failed) IS DISTINCT FROM (new.skill_id, new.came_to, new.joined, new.failed);
        anew := anew OR ((old.skill_id IS NULL, old.came_to, old.joined, old.failed = '') IS DISTINCT FROM (new.skill_id IS NULL, new.came_to, new.joined, new.failed = '')
            AND NOT (annals_internal.repeats(old) AND annals_internal.repeats(new)));
    END LOOP;
    PERFORM annals_internal.learn_skill(of_group, t.skill_id)
    FROM (SELECT DISTINCT t.skill_id FROM unnest(touched) AS t(skill_id) WHERE t.skill_id IS NOT NULL ORDER BY 1) t;
END
$$;
COMMENT ON FUNCTION annals_internal.learn_runs(text, annals_internal.skill_runs[]) IS 'Reassigns the runs of a group to skills, in order of arrival, after some runs changed.';

CREATE FUNCTION annals_internal.learn_from_run() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    run jsonb := NEW.content;
BEGIN
    IF annals_internal.write_origin()->>'action' = 'import' THEN
        RETURN NULL; -- the import brings what it taught
    END IF;
    INSERT INTO annals_internal.skill_runs (group_id, episode_id, words, steps, failed, outcome)
    VALUES (NEW.group_id, NEW.id, annals_internal.task_terms(NEW.group_id, run->>'task'), annals_internal.run_steps(run), annals_internal.failed_step(run),
        coalesce(nullif(run->>'outcome', ''), 'unknown'))
    ON CONFLICT DO NOTHING;
    IF FOUND THEN -- it is new
        PERFORM annals_internal.learn_runs(NEW.group_id, ARRAY(SELECT ROW(r.*)::annals_internal.skill_runs FROM annals_internal.skill_runs r WHERE r.group_id = NEW.group_id AND r.episode_id = NEW.id));
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.learn_from_run() IS 'Trigger: learns from a run once it is read.';
CREATE TRIGGER learn_insert AFTER INSERT ON annals.episodes
    FOR EACH ROW WHEN (NEW.source = 'run' AND NEW.state = 'done') EXECUTE FUNCTION annals_internal.learn_from_run();
COMMENT ON TRIGGER learn_insert ON annals.episodes IS 'Learns from a run.';
CREATE TRIGGER learn_update AFTER UPDATE OF state ON annals.episodes
    FOR EACH ROW WHEN (NEW.source = 'run' AND NEW.state = 'done' AND OLD.state <> 'done') EXECUTE FUNCTION annals_internal.learn_from_run();
COMMENT ON TRIGGER learn_update ON annals.episodes IS 'Learns from a run once it is read.';

CREATE FUNCTION annals_internal.unlearn_runs() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    gone record;
BEGIN
    FOR gone IN SELECT o.group_id, array_agg(ROW(o.*)::annals_internal.skill_runs) AS runs FROM old_rows o GROUP BY o.group_id ORDER BY o.group_id LOOP
        IF EXISTS (SELECT FROM annals.groups g WHERE g.group_id = gone.group_id) THEN -- apart: Citus joins no transition tables
            PERFORM annals_internal.learn_runs(gone.group_id, gone.runs);
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.unlearn_runs() IS 'Trigger: updates skills after runs were removed.';
CREATE TRIGGER unlearn AFTER DELETE ON annals_internal.skill_runs
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.unlearn_runs();
COMMENT ON TRIGGER unlearn ON annals_internal.skill_runs IS 'Updates skills after runs were removed.';

-- Learns again after a policy, release, hold, decision or change of language.
CREATE FUNCTION annals_internal.learn_anew() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    changed jsonb := to_jsonb(coalesce(NEW, OLD));
    of_group text := changed->>'group_id';
    runs annals_internal.skill_runs[];
BEGIN
    IF annals_internal.write_origin()->>'action' = 'import' THEN
        RETURN NULL;
    END IF;
    IF TG_ARGV[0] = 'decision' THEN
        PERFORM annals_internal.learn_skill(of_group, k.skill_id)
        FROM (SELECT DISTINCT k.skill_id FROM annals.skills k WHERE k.group_id = of_group AND k.skill_id = (changed->>'skill_id')::uuid AND k.procedure = (changed->>'procedure')::uuid) k;
        RETURN NULL;
    END IF;
    runs := ARRAY(SELECT ROW(r.*)::annals_internal.skill_runs FROM annals_internal.skill_runs r
        WHERE r.group_id = of_group AND (TG_ARGV[0] <> 'episode' OR r.episode_id = (changed->>'subject_id')::uuid));
    IF TG_ARGV[0] = 'language' THEN
        UPDATE annals_internal.skill_runs r SET words = annals_internal.task_terms(of_group, e.content::jsonb->>'task'), skill_id = NULL
        FROM annals.episodes e
        WHERE r.group_id = of_group AND e.group_id = of_group AND e.id = r.episode_id;
    END IF;
    PERFORM annals_internal.learn_runs(of_group, runs);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.learn_anew() IS 'Trigger: updates skills after a change of what counts as proof.';
CREATE CONSTRAINT TRIGGER learn_skills AFTER INSERT ON annals.edits DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.action = 'policy') EXECUTE FUNCTION annals_internal.learn_anew('policy');
COMMENT ON TRIGGER learn_skills ON annals.edits IS 'Updates skills after a change of the group''s policy.';
CREATE CONSTRAINT TRIGGER learn_skill AFTER INSERT ON annals.edits DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.action IN ('release', 'hold')) EXECUTE FUNCTION annals_internal.learn_anew('episode');
COMMENT ON TRIGGER learn_skill ON annals.edits IS 'Updates the skill of a run that is released or held.';
CREATE TRIGGER learn_skills AFTER UPDATE OF text_search ON annals.groups
    FOR EACH ROW WHEN (OLD.text_search <> NEW.text_search) EXECUTE FUNCTION annals_internal.learn_anew('language');
COMMENT ON TRIGGER learn_skills ON annals.groups IS 'Splits the tasks of runs again after a change of language, and learns from them again.';

-- Learns each skill once, however many runs are judged together.
CREATE FUNCTION annals_internal.learn_judged() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    judged record;
BEGIN
    IF coalesce(annals_internal.write_origin()->>'action', '') <> 'import' THEN
        FOR judged IN
            SELECT c.group_id, array_agg(c.subject_id) AS ids
            FROM changed c
            WHERE c.kind = 'episode' AND c.mark IN ('expires', 'useful', 'wrong')
            GROUP BY c.group_id ORDER BY c.group_id
        LOOP
            PERFORM annals_internal.learn_runs(judged.group_id,
                ARRAY(SELECT ROW(r.*)::annals_internal.skill_runs FROM annals_internal.skill_runs r WHERE r.group_id = judged.group_id AND r.episode_id = ANY (judged.ids)));
        END LOOP;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.learn_judged() IS 'Trigger: updates skills after marks that judge runs or set their expiry.';
CREATE TRIGGER learn_skills AFTER INSERT ON annals.marks
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.learn_judged();
COMMENT ON TRIGGER learn_skills ON annals.marks IS 'Updates skills after runs were judged, or their expiry was set.';
CREATE TRIGGER learn_skills_update AFTER UPDATE ON annals.marks
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.learn_judged();
COMMENT ON TRIGGER learn_skills_update ON annals.marks IS 'Updates skills after such marks were ended.';
CREATE TRIGGER learn_skills_delete AFTER DELETE ON annals.marks
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION annals_internal.learn_judged();
COMMENT ON TRIGGER learn_skills_delete ON annals.marks IS 'Updates skills after such marks were removed.';
CREATE TRIGGER learn_skills AFTER INSERT OR UPDATE OR DELETE ON annals_internal.skill_decisions
    FOR EACH ROW EXECUTE FUNCTION annals_internal.learn_anew('decision');
COMMENT ON TRIGGER learn_skills ON annals_internal.skill_decisions IS 'Updates the skill after a decision.';

DO $$
BEGIN
    PERFORM annals_internal.protect_tenants();
END
$$;

CALL annals_internal.end_migration(20, 'skills');

-- +goose StatementEnd
-- +goose Down

DROP TRIGGER learn_skills ON annals.marks;
DROP TRIGGER learn_skills_update ON annals.marks;
DROP TRIGGER learn_skills_delete ON annals.marks;
DROP TRIGGER learn_skills ON annals.groups;
DROP TRIGGER learn_skill ON annals.edits;
DROP TRIGGER learn_skills ON annals.edits;
DROP TRIGGER learn_update ON annals.episodes;
DROP TRIGGER learn_insert ON annals.episodes;
DROP FUNCTION annals_internal.learn_runs, annals_internal.repeats, annals_internal.learn_skill, annals_internal.skill_decision, annals_internal.joined_skills, annals_internal.skill_question, annals_internal.pitfall_error, annals_internal.skill_periods, annals_internal.procedures_of, annals_internal.proving_runs, annals_internal.skills_of_run, annals_internal.skills_alike, annals_internal.runs_of_skills;
DROP VIEW annals.skill_versions;
DROP TABLE annals_internal.skill_decisions, annals_internal.skills_history, annals.skills, annals_internal.run_spans, annals_internal.skill_runs;
DROP FUNCTION annals_internal.learn_judged, annals_internal.learn_anew, annals_internal.unlearn_runs, annals_internal.learn_from_run;
DROP FUNCTION annals_internal.why_failed, annals_internal.failed_step, annals_internal.run_errors, annals_internal.wilson, annals_internal.steps_as_pattern, annals_internal.steps_as_text, annals_internal.run_steps, annals_internal.steps_of_run, annals_internal.step_text, annals_internal.step_key, annals_internal.task_terms;
DELETE FROM annals.migrations WHERE version = 20;
