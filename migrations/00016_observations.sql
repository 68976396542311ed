-- Observations: what several facts together show about an entity. They are
-- derived from the facts: a row changes or goes with its evidence, however that
-- changes or goes.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(16);

-- One row per subject, predicate and meaning. meaning is the id of the target
-- entity for rules, and the words of the observation for models.
CREATE TABLE annals.observations (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    subject_id uuid NOT NULL,
    predicate text NOT NULL,
    meaning text NOT NULL,
    observation text NOT NULL,
    reader text NOT NULL,
    proof integer NOT NULL DEFAULT 0,
    against integer NOT NULL DEFAULT 0,
    first_seen timestamptz NOT NULL DEFAULT 'epoch',
    last_seen timestamptz NOT NULL DEFAULT 'epoch',
    valid tstzrange NOT NULL DEFAULT '(,)',
    recorded tstzrange NOT NULL DEFAULT tstzrange(annals_internal.recorded_now(), NULL) CHECK (NOT isempty(recorded) AND upper_inf(recorded)),
    created_at timestamptz NOT NULL DEFAULT annals_internal.recorded_now(),
    evidence uuid[] NOT NULL DEFAULT '{}',
    shown_from timestamptz[] NOT NULL DEFAULT '{}',
    said_at timestamptz[] NOT NULL DEFAULT '{}',
    opposed_from timestamptz[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (group_id, id),
    UNIQUE (group_id, subject_id, predicate, meaning),
    FOREIGN KEY (group_id, subject_id) REFERENCES annals.entities ON DELETE CASCADE
);
COMMENT ON TABLE annals.observations IS 'Conclusions about an entity from several facts. Derived by annals_internal.count_observations() or by a model; do not write it.';
COMMENT ON COLUMN annals.observations.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.observations.id IS 'Its id, derived from subject_id, predicate and meaning. An observation that is made again gets its former id.';
COMMENT ON COLUMN annals.observations.subject_id IS 'The entity it is about.';
COMMENT ON COLUMN annals.observations.predicate IS 'Predicate of the facts that show it, in capitals, such as LIKES.';
COMMENT ON COLUMN annals.observations.meaning IS 'Identifies it within subject and predicate: for rules the target entity, for models the words.';
COMMENT ON COLUMN annals.observations.observation IS 'The observation as one sentence that can be understood on its own.';
COMMENT ON COLUMN annals.observations.reader IS 'Its author: offline (counting rules) or a model.';
COMMENT ON COLUMN annals.observations.proof IS 'Number of episodes and hand-made facts that show it.';
COMMENT ON COLUMN annals.observations.against IS 'Number of episodes and hand-made facts that contradict it.';
COMMENT ON COLUMN annals.observations.first_seen IS 'Time of the first evidence for it.';
COMMENT ON COLUMN annals.observations.last_seen IS 'Time of the last evidence for it.';
COMMENT ON COLUMN annals.observations.valid IS 'Time range in which it holds in the world, from the facts that show it.';
COMMENT ON COLUMN annals.observations.recorded IS 'Time range in which this version is believed, half-open, without an upper bound.';
COMMENT ON COLUMN annals.observations.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals.observations.evidence IS 'The facts that show it, a copy of observation_facts for the history.';
COMMENT ON COLUMN annals.observations.shown_from IS
    'For each proof, the time from which it counts: it was said, and the fact had begun or happened.';
COMMENT ON COLUMN annals.observations.said_at IS 'For each proof, in the order of shown_from, the time it was said; NULL: told by hand.';
COMMENT ON COLUMN annals.observations.opposed_from IS 'Like shown_from, for evidence against it.';

CREATE TABLE annals_internal.observation_facts (
    group_id text NOT NULL,
    observation_id uuid NOT NULL,
    fact_id uuid NOT NULL,
    opposes boolean NOT NULL DEFAULT false,
    PRIMARY KEY (group_id, observation_id, fact_id),
    FOREIGN KEY (group_id, observation_id) REFERENCES annals.observations ON DELETE CASCADE,
    FOREIGN KEY (group_id, fact_id) REFERENCES annals.facts ON DELETE CASCADE
);
COMMENT ON TABLE annals_internal.observation_facts IS 'The facts that an observation rests on, and those that contradict it.';
COMMENT ON COLUMN annals_internal.observation_facts.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.observation_facts.observation_id IS 'The observation.';
COMMENT ON COLUMN annals_internal.observation_facts.fact_id IS 'The fact.';
COMMENT ON COLUMN annals_internal.observation_facts.opposes IS 'True if it contradicts the observation.';
CREATE INDEX observation_facts_fact ON annals_internal.observation_facts (group_id, fact_id);
COMMENT ON INDEX annals_internal.observation_facts_fact IS 'Finds the observations that rest on a fact.';

CREATE TABLE annals_internal.observation_episodes (
    group_id text NOT NULL,
    observation_id uuid NOT NULL,
    episode_id uuid NOT NULL,
    opposes boolean NOT NULL DEFAULT false,
    PRIMARY KEY (group_id, observation_id, episode_id),
    FOREIGN KEY (group_id, observation_id) REFERENCES annals.observations ON DELETE CASCADE,
    FOREIGN KEY (group_id, episode_id) REFERENCES annals.episodes ON DELETE CASCADE
);
COMMENT ON TABLE annals_internal.observation_episodes IS 'The episodes that state the facts of an observation, and those that contradict it.';
COMMENT ON COLUMN annals_internal.observation_episodes.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.observation_episodes.observation_id IS 'The observation.';
COMMENT ON COLUMN annals_internal.observation_episodes.episode_id IS 'The episode.';
COMMENT ON COLUMN annals_internal.observation_episodes.opposes IS 'True if it contradicts the observation.';
CREATE INDEX observation_episodes_episode ON annals_internal.observation_episodes (group_id, episode_id);
COMMENT ON INDEX annals_internal.observation_episodes_episode IS 'Finds the observations that rest on an episode.';

CREATE TABLE annals_internal.observations_history (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    id uuid NOT NULL,
    subject_id uuid NOT NULL,
    predicate text NOT NULL,
    meaning text NOT NULL,
    observation text NOT NULL,
    reader text NOT NULL,
    proof integer NOT NULL,
    against integer NOT NULL,
    first_seen timestamptz NOT NULL,
    last_seen timestamptz NOT NULL,
    valid tstzrange NOT NULL,
    recorded tstzrange NOT NULL CHECK (NOT isempty(recorded) AND NOT upper_inf(recorded)),
    created_at timestamptz NOT NULL,
    evidence uuid[] NOT NULL,
    shown_from timestamptz[] NOT NULL,
    said_at timestamptz[] NOT NULL,
    opposed_from timestamptz[] NOT NULL,
    EXCLUDE USING gist (group_id WITH =, id WITH =, recorded WITH &&)
);
COMMENT ON TABLE annals_internal.observations_history IS 'Former versions of observations, written by triggers.';
COMMENT ON COLUMN annals_internal.observations_history.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.observations_history.id IS 'Its id.';
COMMENT ON COLUMN annals_internal.observations_history.subject_id IS 'The entity it is about.';
COMMENT ON COLUMN annals_internal.observations_history.predicate IS 'Predicate of the facts that showed it.';
COMMENT ON COLUMN annals_internal.observations_history.meaning IS 'Identifies it within subject and predicate.';
COMMENT ON COLUMN annals_internal.observations_history.observation IS 'The observation as one sentence.';
COMMENT ON COLUMN annals_internal.observations_history.reader IS 'Its author: offline (counting rules) or a model.';
COMMENT ON COLUMN annals_internal.observations_history.proof IS 'Number of episodes and hand-made facts that showed it.';
COMMENT ON COLUMN annals_internal.observations_history.against IS 'Number of episodes and hand-made facts that contradicted it.';
COMMENT ON COLUMN annals_internal.observations_history.first_seen IS 'Time of the first evidence for it.';
COMMENT ON COLUMN annals_internal.observations_history.last_seen IS 'Time of the last evidence for it.';
COMMENT ON COLUMN annals_internal.observations_history.valid IS 'Time range in which it held in the world.';
COMMENT ON COLUMN annals_internal.observations_history.recorded IS 'Time range in which this version was believed, half-open.';
COMMENT ON COLUMN annals_internal.observations_history.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals_internal.observations_history.evidence IS 'The facts that showed it when this version ended. Ids of removed facts no longer exist.';
COMMENT ON COLUMN annals_internal.observations_history.shown_from IS 'For each proof, the time from which it counted.';
COMMENT ON COLUMN annals_internal.observations_history.said_at IS 'For each proof, the time it was said; NULL: told by hand.';
COMMENT ON COLUMN annals_internal.observations_history.opposed_from IS 'Like shown_from, for evidence against it.';

CREATE TABLE annals_internal.observation_runs (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    through timestamptz NOT NULL,
    counted timestamptz NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (group_id)
);
COMMENT ON TABLE annals_internal.observation_runs IS 'Progress of making observations in each group, by counting and by a model.';
COMMENT ON COLUMN annals_internal.observation_runs.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals_internal.observation_runs.through IS 'Time up to which a model has looked at recorded facts.';
COMMENT ON COLUMN annals_internal.observation_runs.counted IS 'Time up to which episodes in the graph have been counted.';

CREATE TRIGGER history_update BEFORE UPDATE ON annals.observations
    FOR EACH ROW WHEN ((OLD.observation, OLD.reader, OLD.proof, OLD.against, OLD.first_seen, OLD.last_seen, OLD.valid, OLD.evidence, OLD.shown_from, OLD.said_at,
            OLD.opposed_from)
        IS DISTINCT FROM (NEW.observation, NEW.reader, NEW.proof, NEW.against, NEW.first_seen, NEW.last_seen, NEW.valid, NEW.evidence, NEW.shown_from, NEW.said_at,
            NEW.opposed_from))
    EXECUTE FUNCTION annals_internal.keep_history('observation');
COMMENT ON TRIGGER history_update ON annals.observations IS 'Stores the old version of a changed observation in observations_history.';
CREATE TRIGGER history_delete BEFORE DELETE ON annals.observations
    FOR EACH ROW EXECUTE FUNCTION annals_internal.keep_history('observation');
COMMENT ON TRIGGER history_delete ON annals.observations IS 'Stores the last version of a removed observation in observations_history.';

CREATE VIEW annals.observation_versions WITH (security_invoker = true) AS
SELECT o.group_id, o.id, o.subject_id, o.predicate, o.meaning, o.observation, o.reader, o.proof, o.against, o.first_seen, o.last_seen, o.valid, o.recorded,
    o.created_at, o.evidence, o.shown_from, o.said_at, o.opposed_from
FROM annals.observations o
UNION ALL
SELECT h.group_id, h.id, h.subject_id, h.predicate, h.meaning, h.observation, h.reader, h.proof, h.against, h.first_seen, h.last_seen, h.valid, h.recorded,
    h.created_at, h.evidence, h.shown_from, h.said_at, h.opposed_from
FROM annals_internal.observations_history h;
COMMENT ON VIEW annals.observation_versions IS 'Every version of every observation, former and current.';
COMMENT ON COLUMN annals.observation_versions.group_id IS 'The group that the row belongs to.';
COMMENT ON COLUMN annals.observation_versions.id IS 'Its id.';
COMMENT ON COLUMN annals.observation_versions.subject_id IS 'The entity it is about.';
COMMENT ON COLUMN annals.observation_versions.predicate IS 'Predicate of the facts that show it.';
COMMENT ON COLUMN annals.observation_versions.meaning IS 'Identifies it within subject and predicate.';
COMMENT ON COLUMN annals.observation_versions.observation IS 'The observation as one sentence.';
COMMENT ON COLUMN annals.observation_versions.reader IS 'Its author: offline (counting rules) or a model.';
COMMENT ON COLUMN annals.observation_versions.proof IS 'Number of episodes and hand-made facts that show it.';
COMMENT ON COLUMN annals.observation_versions.against IS 'Number of episodes and hand-made facts that contradict it.';
COMMENT ON COLUMN annals.observation_versions.first_seen IS 'Time of the first evidence for it.';
COMMENT ON COLUMN annals.observation_versions.last_seen IS 'Time of the last evidence for it.';
COMMENT ON COLUMN annals.observation_versions.valid IS 'Time range in which it holds in the world.';
COMMENT ON COLUMN annals.observation_versions.recorded IS 'Time range in which this version was believed, half-open; without an upper bound it still is.';
COMMENT ON COLUMN annals.observation_versions.created_at IS 'Time it was first recorded.';
COMMENT ON COLUMN annals.observation_versions.evidence IS 'The facts that showed it when the version ended, or show it now.';
COMMENT ON COLUMN annals.observation_versions.shown_from IS
    'For each proof, the time from which it counts: it was said, and the fact had begun or happened.';
COMMENT ON COLUMN annals.observation_versions.said_at IS 'For each proof, in the order of shown_from, the time it was said; NULL: told by hand.';
COMMENT ON COLUMN annals.observation_versions.opposed_from IS 'Like shown_from, for evidence against it.';

-- Returns the predicates that contradict a predicate between the same two
-- entities.
CREATE FUNCTION annals_internal.opposite_predicates(predicate text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN predicate IN ('LIKES', 'LOVES', 'ENJOYS', 'PREFERS') THEN '{DISLIKES,HATES,AVOIDS}'::text[]
    WHEN predicate IN ('DISLIKES', 'HATES', 'AVOIDS') THEN '{LIKES,LOVES,ENJOYS,PREFERS}'::text[]
    ELSE '{}'::text[] || ('NOT_' || predicate) || ('DOES_NOT_' || predicate) || ('NO_LONGER_' || predicate)
    END;
COMMENT ON FUNCTION annals_internal.opposite_predicates(text) IS 'Returns the predicates that contradict a predicate between the same two entities.';

-- Tells whether an episode counts as evidence through a fact. A withheld episode counts
-- only if the fact was confirmed by hand.
CREATE FUNCTION annals_internal.episode_is_evidence(of_group text, fact uuid, episode uuid) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN annals_internal.fact_confirmed(of_group, fact) OR NOT EXISTS (
    SELECT FROM annals.episodes e WHERE e.group_id = of_group AND e.id = episode AND annals_internal.episode_held(of_group, e.id, e.authority, e.thread_id));
COMMENT ON FUNCTION annals_internal.episode_is_evidence(text, uuid, uuid) IS 'Tells whether an episode counts as evidence through a fact. Withheld episodes do not.';

-- Rules may count facts that are believed and held for some time. Plans show
-- nothing until somebody confirms that they came about.
CREATE FUNCTION annals_internal.fact_is_evidence(trust annals.trust, valid tstzrange, from_basis annals.basis) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN trust = 'believed' AND NOT isempty(valid) AND from_basis <> 'planned';
COMMENT ON FUNCTION annals_internal.fact_is_evidence(annals.trust, tstzrange, annals.basis) IS
    'Tells whether a fact counts for observations: it is believed, not just planned, and its valid range is not empty.';

-- An event without a known start had happened when it was over, or when it was said. A
-- model may conclude something from plans; these count from when they were said.
CREATE FUNCTION annals_internal.evidence_from(kind annals.fact_kind, valid tstzrange, from_basis annals.basis, said_at timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(greatest(said_at, CASE WHEN from_basis <> 'planned' THEN coalesce(lower(valid), CASE WHEN kind = 'event' THEN upper(valid) END) END), '-infinity');
COMMENT ON FUNCTION annals_internal.evidence_from(annals.fact_kind, tstzrange, annals.basis, timestamptz) IS
    'Returns the time from which a fact is evidence: it was said, and had begun or happened.';

-- Computes observations from their linked facts and episodes. A fact without a
-- stating episode is a proof of its own.
CREATE FUNCTION annals_internal.observed_from_facts(of_group text, which uuid[]) RETURNS TABLE (id uuid, proof integer, against integer, first_seen timestamptz,
    last_seen timestamptz, valid tstzrange, latest text, evidence uuid[], shown_from timestamptz[], said_at timestamptz[], opposed_from timestamptz[])
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT o.id, coalesce(p.proof, 0), coalesce(p.against, 0), coalesce(p.first_seen, t.told_first, 'epoch'), coalesce(p.last_seen, t.told_last, 'epoch'),
        coalesce(t.valid, '(,)'), coalesce(t.latest, ''), coalesce(t.evidence, '{}'), coalesce(p.shown_from, '{}'), coalesce(p.said_at, '{}'), coalesce(p.opposed_from, '{}')
    FROM annals.observations o
    LEFT JOIN LATERAL (
        SELECT (count(*) FILTER (WHERE NOT r.opposes))::integer AS proof, (count(*) FILTER (WHERE r.opposes))::integer AS against,
            min(r.said) FILTER (WHERE NOT r.opposes) AS first_seen, max(r.said) FILTER (WHERE NOT r.opposes) AS last_seen,
            array_agg(r.since ORDER BY r.since, r.said) FILTER (WHERE NOT r.opposes) AS shown_from,
            array_agg(r.said ORDER BY r.since, r.said) FILTER (WHERE NOT r.opposes) AS said_at,
            array_agg(r.since ORDER BY r.since) FILTER (WHERE r.opposes) AS opposed_from
        FROM (
            SELECT e.opposes, said.occurred_at AS said, greatest(said.occurred_at, (
                SELECT min(CASE c.role WHEN 'ends' THEN upper(f.valid) ELSE annals_internal.evidence_from(f.kind, f.valid, f.from_basis, f.said_at) END)
                FROM annals_internal.observation_facts a
                JOIN annals.fact_episodes c ON c.group_id = of_group AND c.fact_id = a.fact_id AND c.episode_id = e.episode_id AND c.role IN ('states', 'ends')
                JOIN annals.facts f ON f.group_id = of_group AND f.id = a.fact_id
                WHERE a.group_id = of_group AND a.observation_id = o.id AND (a.opposes = (c.role = 'states')) = e.opposes)) AS since
            FROM annals_internal.observation_episodes e
            JOIN annals.episodes said ON said.group_id = of_group AND said.id = e.episode_id
            WHERE e.group_id = of_group AND e.observation_id = o.id
            UNION ALL
            SELECT a.opposes, NULL, annals_internal.evidence_from(f.kind, f.valid, f.from_basis, f.said_at)
            FROM annals_internal.observation_facts a
            JOIN annals.facts f ON f.group_id = of_group AND f.id = a.fact_id
            WHERE a.group_id = of_group AND a.observation_id = o.id
                AND NOT EXISTS (SELECT FROM annals.fact_episodes c WHERE c.group_id = of_group AND c.fact_id = a.fact_id AND c.role = 'states')
        ) r
    ) p ON true
    LEFT JOIN LATERAL (
        SELECT min(f.created_at) AS told_first, max(f.created_at) AS told_last,
            tstzrange(CASE WHEN bool_or(lower_inf(f.valid)) THEN NULL ELSE min(lower(f.valid)) END,
                CASE WHEN bool_or(upper_inf(f.valid) OR f.kind = 'event') THEN NULL ELSE max(upper(f.valid)) END) AS valid,
            (array_agg(f.told ORDER BY f.said_at DESC NULLS LAST, f.id DESC))[1] AS latest, array_agg(f.id ORDER BY f.id) AS evidence
        FROM annals_internal.observation_facts a
        JOIN annals.facts f ON f.group_id = of_group AND f.id = a.fact_id
        WHERE a.group_id = of_group AND a.observation_id = o.id AND NOT a.opposes
    ) t ON true
    WHERE o.group_id = of_group AND o.id = ANY (which);
END;
COMMENT ON FUNCTION annals_internal.observed_from_facts(text, uuid[]) IS 'Computes observations from their linked facts and episodes.';

-- Recomputes observations from their facts. Those with fewer than two proofs
-- (episodes or hand-made facts) are removed. So are those of models with evidence
-- that is to expire: their words may tell it. Reads only rows about these
-- observations.
CREATE FUNCTION annals_internal.update_observations(of_group text, which uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    before text := coalesce(current_setting('annals.observing', true), '');
    withheld CONSTANT boolean := annals_internal.withholds(of_group);
    passing_facts uuid[]; -- expiring facts are no evidence: observations would outlive them
    passing_episodes uuid[];
BEGIN
    IF NOT EXISTS (SELECT FROM annals.observations o WHERE o.group_id = of_group AND o.id = ANY (which)) THEN
        RETURN;
    END IF;
    PERFORM annals_internal.set_local('annals.observing', 'on');
    passing_facts := ARRAY(SELECT annals_internal.expiring(of_group, 'fact', 'infinity'));
    passing_episodes := ARRAY(SELECT annals_internal.expiring(of_group, 'episode', 'infinity'));
    DELETE FROM annals.observations o
    WHERE o.group_id = of_group AND o.id = ANY (which) AND o.reader <> 'offline' AND (
        EXISTS (SELECT FROM annals_internal.observation_facts l
            WHERE l.group_id = of_group AND l.observation_id = o.id AND NOT l.opposes AND l.fact_id = ANY (passing_facts))
        OR EXISTS (SELECT FROM annals_internal.observation_episodes l
            WHERE l.group_id = of_group AND l.observation_id = o.id AND NOT l.opposes AND l.episode_id = ANY (passing_episodes)));
    DELETE FROM annals_internal.observation_facts l
    WHERE l.group_id = of_group AND l.observation_id = ANY (which) AND l.fact_id = ANY (passing_facts);
    DELETE FROM annals_internal.observation_facts l
    USING annals.observations o, annals.facts f
    WHERE l.group_id = of_group AND o.group_id = of_group AND f.group_id = of_group AND o.id = l.observation_id AND f.id = l.fact_id
        AND l.observation_id = ANY (which) AND (o.reader = 'offline' AND f.target_id::text <> o.meaning
            OR o.reader = 'offline' AND f.source_id <> o.subject_id OR f.ends AND NOT l.opposes OR f.trust <> 'believed'
            OR o.reader = 'offline' AND NOT annals_internal.fact_is_evidence(f.trust, f.valid, f.from_basis)
            OR o.reader = 'offline' AND CASE WHEN l.opposes THEN NOT f.predicate = ANY (annals_internal.opposite_predicates(o.predicate)) ELSE f.predicate <> o.predicate END);
    INSERT INTO annals_internal.observation_facts (group_id, observation_id, fact_id, opposes)
    SELECT of_group, o.id, f.id, f.predicate <> o.predicate
    FROM annals.observations o
    JOIN annals.facts f ON f.group_id = of_group AND f.source_id = o.subject_id
        AND f.target_id = CASE WHEN o.reader = 'offline' THEN o.meaning::uuid END
        AND annals_internal.fact_is_evidence(f.trust, f.valid, f.from_basis) AND (f.predicate = o.predicate AND NOT f.ends OR f.predicate = ANY (annals_internal.opposite_predicates(o.predicate)))
    WHERE o.group_id = of_group AND o.reader = 'offline' AND o.id = ANY (which) AND NOT f.id = ANY (passing_facts)
    ON CONFLICT DO NOTHING;
    DELETE FROM annals_internal.observation_episodes l
    WHERE l.group_id = of_group AND l.observation_id = ANY (which) AND (l.episode_id = ANY (passing_episodes) OR NOT EXISTS (
        SELECT FROM annals_internal.observation_facts a
        JOIN annals.fact_episodes c ON c.group_id = of_group AND c.fact_id = a.fact_id
        WHERE a.group_id = of_group AND a.observation_id = l.observation_id AND c.episode_id = l.episode_id AND c.role IN ('states', 'ends')
            AND (NOT withheld OR annals_internal.episode_is_evidence(of_group, a.fact_id, c.episode_id))));
    INSERT INTO annals_internal.observation_episodes AS e (group_id, observation_id, episode_id, opposes)
    SELECT of_group, a.observation_id, c.episode_id, bool_and(a.opposes = (c.role = 'states'))
    FROM annals_internal.observation_facts a
    JOIN annals.fact_episodes c ON c.group_id = of_group AND c.fact_id = a.fact_id AND c.role IN ('states', 'ends')
    WHERE a.group_id = of_group AND a.observation_id = ANY (which)
        AND (NOT withheld OR annals_internal.episode_is_evidence(of_group, a.fact_id, c.episode_id)) AND NOT c.episode_id = ANY (passing_episodes)
    GROUP BY a.observation_id, c.episode_id
    ON CONFLICT (group_id, observation_id, episode_id) DO UPDATE SET opposes = excluded.opposes WHERE e.opposes <> excluded.opposes;
    UPDATE annals.observations o
    SET proof = n.proof, against = n.against, first_seen = n.first_seen, last_seen = n.last_seen, valid = n.valid, evidence = n.evidence,
        shown_from = n.shown_from, said_at = n.said_at, opposed_from = n.opposed_from,
        observation = CASE WHEN o.reader = 'offline' THEN n.latest ELSE o.observation END
    FROM annals_internal.observed_from_facts(of_group, which) n
    WHERE o.group_id = of_group AND o.id = n.id
        AND (o.proof, o.against, o.first_seen, o.last_seen, o.valid, o.evidence, o.shown_from, o.said_at, o.opposed_from,
            CASE WHEN o.reader = 'offline' THEN o.observation ELSE n.latest END)
            IS DISTINCT FROM (n.proof, n.against, n.first_seen, n.last_seen, n.valid, n.evidence, n.shown_from, n.said_at, n.opposed_from, n.latest);
    DELETE FROM annals.observations o
    WHERE o.group_id = of_group AND o.id = ANY (which) AND (o.proof < 2 OR o.evidence = '{}');
    PERFORM annals_internal.set_local('annals.observing', before);
END
$$;
COMMENT ON FUNCTION annals_internal.update_observations(text, uuid[]) IS
    'Recomputes observations from their facts, and removes those with fewer than two proofs (episodes or hand-made facts).';

-- Finds repeated statements between the entities of some facts, and recomputes
-- their observations. Its cost grows with the statements between these entities,
-- not with the group. A second call changes nothing.
CREATE FUNCTION annals_internal.count_observations_of(of_group text, touched uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    withheld CONSTANT boolean := annals_internal.withholds(of_group);
BEGIN
    INSERT INTO annals.observations (group_id, id, subject_id, predicate, meaning, observation, reader)
    SELECT of_group, md5(n.source_id::text || n.predicate || n.target_id::text)::uuid, n.source_id, n.predicate, n.target_id::text, '', 'offline'
    FROM (
        SELECT f.source_id, f.predicate, f.target_id
        FROM (SELECT DISTINCT t.source_id, t.predicate, t.target_id FROM annals.facts t WHERE t.group_id = of_group AND t.id = ANY (touched)) p
        JOIN annals.facts f ON f.group_id = of_group AND f.source_id = p.source_id AND f.target_id = p.target_id
            AND f.predicate || '' = p.predicate -- an index of targets and predicates would read everyone in a town
        LEFT JOIN annals.fact_episodes c ON c.group_id = of_group AND c.fact_id = f.id AND c.role = 'states'
            AND (NOT withheld OR annals_internal.episode_is_evidence(of_group, f.id, c.episode_id))
        WHERE NOT f.ends AND annals_internal.fact_is_evidence(f.trust, f.valid, f.from_basis)
            AND f.id NOT IN (SELECT annals_internal.expiring(of_group, 'fact', 'infinity'))
            AND (c.episode_id IS NULL OR c.episode_id NOT IN (SELECT annals_internal.expiring(of_group, 'episode', 'infinity')))
        GROUP BY f.source_id, f.predicate, f.target_id
        HAVING count(DISTINCT coalesce(c.episode_id, f.id)) >= 2
    ) n
    WHERE NOT EXISTS (
        SELECT FROM annals.observations o
        WHERE o.group_id = of_group AND o.subject_id = n.source_id AND o.predicate = n.predicate AND o.meaning = n.target_id::text)
    ON CONFLICT DO NOTHING;
    PERFORM annals_internal.update_observations(of_group, ARRAY(
        SELECT o.id
        FROM annals.facts t
        JOIN annals.observations o ON o.group_id = of_group AND o.subject_id = t.source_id AND o.meaning = t.target_id::text
        WHERE t.group_id = of_group AND t.id = ANY (touched)
        UNION
        SELECT l.observation_id FROM annals_internal.observation_facts l WHERE l.group_id = of_group AND l.fact_id = ANY (touched)));
END
$$;
COMMENT ON FUNCTION annals_internal.count_observations_of(text, uuid[]) IS
    'Counts repeated statements between the entities of some facts, and recomputes their observations.';

-- Counts statements that reached the graph since the last count or, with anew, all.
-- Does nothing if the group keeps no observations.
CREATE FUNCTION annals_internal.count_observations(of_group text, anew boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    since timestamptz;
    latest timestamptz;
BEGIN
    SELECT r.counted INTO since FROM annals_internal.observation_runs r WHERE r.group_id = of_group FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT coalesce(max(p.processed_at), '-infinity') INTO latest FROM annals.episodes p WHERE p.group_id = of_group;
    IF anew OR since = '-infinity' THEN
        PERFORM annals_internal.count_observations_of(of_group, ARRAY(SELECT f.id FROM annals.facts f WHERE f.group_id = of_group));
        PERFORM annals_internal.update_observations(of_group, ARRAY(SELECT o.id FROM annals.observations o WHERE o.group_id = of_group));
    ELSE
        PERFORM annals_internal.count_observations_of(of_group, ARRAY(
            SELECT DISTINCT c.fact_id
            FROM annals.episodes p
            JOIN annals.fact_episodes c ON c.group_id = of_group AND c.episode_id = p.id
            WHERE p.group_id = of_group AND p.processed_at > since));
    END IF;
    UPDATE annals_internal.observation_runs r SET counted = latest WHERE r.group_id = of_group AND r.counted < latest;
END
$$;
COMMENT ON FUNCTION annals_internal.count_observations(text, boolean) IS
    'Counts repeated statements between the same two entities: those that reached the graph since the last count, or all.';

-- Counts the facts of an edit once, at commit: the first row counts all, and the
-- others find it done. Later edits in the transaction reset that.
CREATE FUNCTION annals_internal.observe_after_edit() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    this_edit text := NEW.group_id || ' ' || extract(epoch FROM NEW.edited_at);
BEGIN
    IF current_setting('annals.observed', true) = this_edit OR annals_internal.write_origin()->>'action' = 'import'
        OR NOT EXISTS (SELECT FROM annals_internal.observation_runs r WHERE r.group_id = NEW.group_id) THEN
        RETURN NULL;
    END IF;
    IF NEW.kind IS DISTINCT FROM 'fact' THEN -- policy or release: any fact may become believed, or cease to be
        PERFORM annals_internal.count_observations(NEW.group_id, true);
    ELSE
        PERFORM annals_internal.count_observations_of(NEW.group_id, ARRAY(
            SELECT DISTINCT d.subject_id FROM annals.edits d
            WHERE d.group_id = NEW.group_id AND d.edited_at = NEW.edited_at AND d.kind = 'fact'));
    END IF;
    PERFORM annals_internal.set_local('annals.observed', this_edit);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.observe_after_edit() IS 'Trigger: recomputes the observations of edited facts, or all of a group after a policy, release or hold.';

-- Named to run before triggers that wait for locks at commit.
CREATE CONSTRAINT TRIGGER add_observations AFTER INSERT ON annals.edits DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.kind = 'fact' OR NEW.action IN ('policy', 'release', 'hold')) EXECUTE FUNCTION annals_internal.observe_after_edit();
COMMENT ON TRIGGER add_observations ON annals.edits IS 'Recomputes the observations of edited facts, once per edit.';

CREATE FUNCTION annals_internal.observe_later() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF current_setting('annals.observed', true) <> '' THEN
        PERFORM annals_internal.set_local('annals.observed', '');
    END IF;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION annals_internal.observe_later() IS 'Trigger: makes add_observations run again after a later edit.';
CREATE TRIGGER observe_later BEFORE INSERT ON annals.edits
    FOR EACH ROW WHEN (NEW.kind = 'fact' OR NEW.action IN ('policy', 'release', 'hold')) EXECUTE FUNCTION annals_internal.observe_later();
COMMENT ON TRIGGER observe_later ON annals.edits IS 'Makes add_observations run again after a later edit.';

-- Updates an observation that lost a fact or an episode. A model's observation is
-- removed, because its words may tell the lost evidence. A counted one is counted
-- again.
CREATE FUNCTION annals_internal.follow_lost_evidence() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF current_setting('annals.observing', true) = 'on' OR NOT EXISTS (SELECT FROM annals.groups g WHERE g.group_id = OLD.group_id) THEN
        RETURN NULL;
    END IF;
    DELETE FROM annals.observations o
    WHERE o.group_id = OLD.group_id AND o.id = OLD.observation_id AND o.reader <> 'offline' AND (TG_ARGV[0] = 'fact' OR NOT OLD.opposes);
    PERFORM annals_internal.update_observations(OLD.group_id, ARRAY[OLD.observation_id]);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.follow_lost_evidence() IS 'Trigger: updates or removes an observation that lost a fact or an episode.';
CREATE TRIGGER follow AFTER DELETE ON annals_internal.observation_facts
    FOR EACH ROW EXECUTE FUNCTION annals_internal.follow_lost_evidence('fact');
COMMENT ON TRIGGER follow ON annals_internal.observation_facts IS 'Updates or removes an observation that lost a fact.';
CREATE TRIGGER follow AFTER DELETE ON annals_internal.observation_episodes
    FOR EACH ROW EXECUTE FUNCTION annals_internal.follow_lost_evidence('episode');
COMMENT ON TRIGGER follow ON annals_internal.observation_episodes IS 'Updates or removes an observation that lost an episode.';

CREATE FUNCTION annals_internal.follow_changed_fact() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    resting uuid[] := ARRAY(SELECT l.observation_id FROM annals_internal.observation_facts l WHERE l.group_id = NEW.group_id AND l.fact_id = NEW.id);
BEGIN
    IF cardinality(resting) > 0 THEN
        DELETE FROM annals.observations o
        WHERE o.group_id = NEW.group_id AND o.id = ANY (resting) AND o.reader <> 'offline'
            AND ((OLD.fact, OLD.told, OLD.source_id, OLD.target_id, OLD.predicate) IS DISTINCT FROM (NEW.fact, NEW.told, NEW.source_id, NEW.target_id, NEW.predicate)
                OR NEW.trust <> 'believed');
        PERFORM annals_internal.update_observations(NEW.group_id, resting);
    END IF;
    IF annals_internal.fact_is_evidence(NEW.trust, NEW.valid, NEW.from_basis) AND (OLD.trust = 'disputed' OR isempty(OLD.valid) OR OLD.from_basis = 'planned')
        AND EXISTS (SELECT FROM annals_internal.observation_runs r WHERE r.group_id = NEW.group_id) THEN
        PERFORM annals_internal.count_observations_of(NEW.group_id, ARRAY[NEW.id]);
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION annals_internal.follow_changed_fact() IS 'Trigger: recomputes the observations of a changed fact, and counts a fact that has become evidence.';
CREATE TRIGGER follow AFTER UPDATE ON annals.facts
    FOR EACH ROW WHEN ((OLD.source_id, OLD.target_id, OLD.predicate, OLD.fact, OLD.told, OLD.ends, OLD.valid, OLD.kind, OLD.from_basis, OLD.said_at, OLD.trust)
        IS DISTINCT FROM (NEW.source_id, NEW.target_id, NEW.predicate, NEW.fact, NEW.told, NEW.ends, NEW.valid, NEW.kind, NEW.from_basis, NEW.said_at, NEW.trust))
    EXECUTE FUNCTION annals_internal.follow_changed_fact();
COMMENT ON TRIGGER follow ON annals.facts IS 'Recomputes the observations of the fact.';

DO $$
BEGIN
    PERFORM annals_internal.protect_tenants();
END
$$;

CALL annals_internal.end_migration(16, 'observations');

-- +goose StatementEnd
-- +goose Down

DROP TRIGGER follow ON annals_internal.observation_episodes;
DROP TRIGGER follow ON annals.facts;
DROP FUNCTION annals_internal.follow_changed_fact;
DROP TRIGGER follow ON annals_internal.observation_facts;
DROP TRIGGER observe_later ON annals.edits;
DROP TRIGGER add_observations ON annals.edits;
DROP FUNCTION annals_internal.observe_later, annals_internal.observe_after_edit, annals_internal.follow_lost_evidence, annals_internal.count_observations, annals_internal.count_observations_of, annals_internal.update_observations, annals_internal.observed_from_facts, annals_internal.evidence_from, annals_internal.fact_is_evidence, annals_internal.episode_is_evidence, annals_internal.opposite_predicates;
DROP VIEW annals.observation_versions;
DROP TRIGGER history_delete ON annals.observations;
DROP TRIGGER history_update ON annals.observations;
DROP TABLE annals_internal.observation_runs, annals_internal.observations_history, annals_internal.observation_episodes, annals_internal.observation_facts, annals.observations;
DELETE FROM annals.migrations WHERE version = 16;
