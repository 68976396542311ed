-- What people use from SQL: a door for programs in any language, views over
-- what was said, and comments that explain the schema to whoever looks at it.
--
-- +goose Up

-- Every mention of an entity by an episode.
CREATE VIEW annals.memory_stream WITH (security_invoker = true) AS
SELECT m.group_id, p.occurred_at, p.created_at, m.episode_id, p.source, p.thread_id, p.actor, p.role, m.entity_id,
    e.name AS entity, e.labels, p.content
FROM annals.mentions m
JOIN annals.episodes p ON p.group_id = m.group_id AND p.id = m.episode_id
JOIN annals.entities e ON e.group_id = m.group_id AND e.id = m.entity_id;

-- How much is known of each entity, and since when.
CREATE VIEW annals.entity_knowledge WITH (security_invoker = true) AS
SELECT e.group_id, e.id AS entity_id, e.name, e.labels, coalesce(s.mentions, 0) AS mentions, s.first_mentioned_at, s.last_mentioned_at,
    coalesce(f.facts, 0) AS facts, coalesce(f.holding, 0) AS facts_holding, lower(e.recorded) AS changed_at, e.summary
FROM annals.entities e
LEFT JOIN (
    SELECT m.group_id, m.entity_id, count(*) AS mentions, min(p.occurred_at) AS first_mentioned_at,
        max(p.occurred_at) AS last_mentioned_at
    FROM annals.mentions m
    JOIN annals.episodes p ON p.group_id = m.group_id AND p.id = m.episode_id
    GROUP BY m.group_id, m.entity_id
) s ON s.group_id = e.group_id AND s.entity_id = e.id
LEFT JOIN (
    SELECT o.group_id, o.entity_id, count(*) AS facts, count(*) FILTER (WHERE o.valid @> now()) AS holding
    FROM (
        SELECT a.group_id, a.source_id AS entity_id, a.valid FROM annals.facts a
        UNION ALL
        SELECT a.group_id, a.target_id, a.valid FROM annals.facts a
    ) o
    GROUP BY o.group_id, o.entity_id
) f ON f.group_id = e.group_id AND f.entity_id = e.id;

-- An id in the order of time (RFC 9562, UUIDv7). The bits after the
-- milliseconds are those of the engine's ids, so that both sort together.
-- +goose StatementBegin
CREATE FUNCTION annals.new_id() RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    SELECT (lpad(to_hex(t.micros / 1000), 12, '0') || '7' || lpad(to_hex(((t.micros % 1000) * 1000) >> 8), 3, '0')
        || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros) t
$$;

-- Refuses what the library refuses, in the same words.
CREATE FUNCTION annals.check_text(field text, value text, max_bytes integer) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF octet_length(value) > max_bytes THEN
        RAISE EXCEPTION '%: is % bytes long; the limit is %', field, octet_length(value), max_bytes
            USING ERRCODE = 'invalid_parameter_value', COLUMN = field;
    END IF;
END
$$;

CREATE FUNCTION annals.check_episode(
    group_id text, content text, occurred_at timestamptz, source text, metadata jsonb, previous integer
) RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
    field text;
    message text;
BEGIN
    PERFORM annals.check_text('group', group_id, 200), annals.check_text('content', content, 1048576),
        annals.check_text('metadata', metadata::text, 65536);
    CASE
        WHEN coalesce(group_id, '') = '' THEN
            field := 'group'; message := 'is empty; name the group the memory belongs to';
        WHEN group_id COLLATE "und-x-icu" !~ '^[[:alnum:]_.:@+-]+$' THEN
            field := 'group'; message := format('"%s" may hold only letters, digits and _ - . : @ +', group_id);
        WHEN NOT source IN ('message', 'text', 'json') THEN
            field := 'source'; message := format('"%s" is not one of message, text, json', source);
        WHEN coalesce(content, '') COLLATE "und-x-icu" !~ '\S' THEN
            field := 'content'; message := 'is empty';
        WHEN jsonb_typeof(metadata) <> 'object' THEN
            field := 'metadata'; message := 'is not a JSON object';
        WHEN NOT previous BETWEEN 0 AND 100 THEN
            field := 'previous'; message := format('is %s; it must be 0 to 100', previous);
        WHEN NOT (occurred_at >= '0001-01-01 UTC' AND occurred_at < '10000-01-01 UTC') THEN
            field := 'occurred_at'; message := format('is %s; years 1 to 9999 can be stored', occurred_at);
        ELSE
            RETURN;
    END CASE;
    RAISE EXCEPTION '%: %', field, message USING ERRCODE = 'invalid_parameter_value', COLUMN = field;
END
$$;

CREATE FUNCTION annals.add_episode(
    group_id text, content text, occurred_at timestamptz DEFAULT now(), source text DEFAULT 'message', actor text DEFAULT '',
    role text DEFAULT '', thread_id text DEFAULT '', external_id text DEFAULT NULL, name text DEFAULT '',
    source_description text DEFAULT '', metadata jsonb DEFAULT '{}', previous integer DEFAULT NULL, deferred boolean DEFAULT false
) RETURNS uuid
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_variable
DECLARE
    episode uuid;
    kind text := coalesce(source, 'message');
BEGIN
    PERFORM annals.check_episode(group_id, content, occurred_at, kind, metadata, previous),
        annals.check_text('actor', actor, 512), annals.check_text('role', role, 512), annals.check_text('name', name, 512),
        annals.check_text('source_description', source_description, 512), annals.check_text('thread_id', thread_id, 512),
        annals.check_text('external_id', external_id, 512);
    IF kind = 'json' THEN
        BEGIN
            PERFORM content::json;
        EXCEPTION WHEN data_exception THEN
            RAISE EXCEPTION 'content: is not valid JSON although source is json'
                USING ERRCODE = 'invalid_parameter_value', COLUMN = 'content';
        END;
    END IF;
    INSERT INTO annals.groups AS g (group_id) VALUES (group_id) ON CONFLICT DO NOTHING;
    LOOP
        INSERT INTO annals.episodes AS e (group_id, id, source, content, actor, role, name, source_description, thread_id,
            occurred_at, metadata, external_id, previous, deferred)
        VALUES (group_id, annals.new_id(), kind::annals.episode_source, content, coalesce(actor, ''), coalesce(role, ''),
            coalesce(name, ''), coalesce(source_description, ''), coalesce(thread_id, ''), coalesce(occurred_at, now()),
            coalesce(metadata, '{}'), nullif(external_id, ''), previous, coalesce(deferred, false))
        ON CONFLICT ON CONSTRAINT episodes_external_id DO NOTHING
        RETURNING e.id INTO episode;
        EXIT WHEN FOUND;
        SELECT e.id INTO episode FROM annals.episodes e
        WHERE e.group_id = add_episode.group_id AND e.external_id = add_episode.external_id;
        EXIT WHEN FOUND; -- else it was removed at this moment
    END LOOP;
    RETURN episode;
END
$$;
-- +goose StatementEnd

-- So that psql's \d+ and \df+ teach the schema.

COMMENT ON SCHEMA annals IS 'Long-term memory for AI agents: episodes, the entities and facts read from them, and every version these were in.';
COMMENT ON TEXT SEARCH CONFIGURATION annals.english IS 'English words without their accents and endings.';

COMMENT ON TYPE annals.episode_role IS 'What an episode does to a fact.';
COMMENT ON TYPE annals.episode_source IS 'The form an episode came in.';
COMMENT ON TYPE annals.episode_state IS 'How far an episode has come into the graph.';
COMMENT ON TYPE annals.group_kind IS 'What a memory is of.';
COMMENT ON TYPE annals.kind IS 'The sorts of rows that are searched.';

COMMENT ON TABLE annals.settings IS 'What holds for the whole database, under the group '''', such as the dimension of vectors.';
COMMENT ON COLUMN annals.settings.group_id IS 'Empty: the whole database.';
COMMENT ON COLUMN annals.settings.name IS 'Which setting.';
COMMENT ON COLUMN annals.settings.value IS 'Its value.';

COMMENT ON TABLE annals.groups IS 'One row per memory: of a user, a team, an agent. Made by the first episode that names it.';
COMMENT ON COLUMN annals.groups.group_id IS 'What the memory is called.';
COMMENT ON COLUMN annals.groups.kind IS 'Whether it is of a user or any other graph.';
COMMENT ON COLUMN annals.groups.text_search IS 'How its texts are read into words.';
COMMENT ON COLUMN annals.groups.created_at IS 'When it was made.';
COMMENT ON COLUMN annals.groups.ontology IS 'Which kinds of entities and facts it looks for.';

COMMENT ON TABLE annals.episodes IS 'What was taken in, word for word. Everything derived points back to it.';
COMMENT ON COLUMN annals.episodes.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.episodes.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.episodes.source IS 'The form it came in: message, text or json.';
COMMENT ON COLUMN annals.episodes.content IS 'What was said or written.';
COMMENT ON COLUMN annals.episodes.actor IS 'Who said or wrote it; may be empty.';
COMMENT ON COLUMN annals.episodes.role IS 'user, assistant, system, tool …; may be empty.';
COMMENT ON COLUMN annals.episodes.name IS 'A title; may be empty.';
COMMENT ON COLUMN annals.episodes.source_description IS 'Where it comes from, in words; may be empty.';
COMMENT ON COLUMN annals.episodes.thread_id IS 'The conversation it belongs to; may be empty.';
COMMENT ON COLUMN annals.episodes.occurred_at IS 'When it was said: relative dates in it are read against this.';
COMMENT ON COLUMN annals.episodes.created_at IS 'When it was taken in.';
COMMENT ON COLUMN annals.episodes.metadata IS 'The caller''s own JSON object, returned untouched.';
COMMENT ON COLUMN annals.episodes.external_id IS 'The caller''s own name for it, unique in the group: adding it again changes nothing.';
COMMENT ON COLUMN annals.episodes.content_hash IS 'SHA-256 of the content, kept by trigger.';
COMMENT ON COLUMN annals.episodes.state IS 'How far it has come into the graph.';
COMMENT ON COLUMN annals.episodes.attempts IS 'How often its processing was begun.';
COMMENT ON COLUMN annals.episodes.error IS 'Why it failed; NULL unless it did.';
COMMENT ON COLUMN annals.episodes.terms IS 'Its words as text search reads them, from which BM25 ranks.';
COMMENT ON COLUMN annals.episodes.length IS 'How many terms it has.';
COMMENT ON COLUMN annals.episodes.deferred IS 'Kept from the model until a retry asks for it; searchable all the same.';
COMMENT ON COLUMN annals.episodes.previous IS 'How many earlier messages of its thread are shown with it; NULL: as many as the engine is set to.';

COMMENT ON TABLE annals.entities IS 'Who or what the episodes speak of, as known now. An UPDATE or DELETE leaves the old version in entities_history.';
COMMENT ON COLUMN annals.entities.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entities.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.entities.name IS 'The most complete name known.';
COMMENT ON COLUMN annals.entities.aliases IS 'Other names it goes by.';
COMMENT ON COLUMN annals.entities.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals.entities.summary IS 'What is known of it, in a few sentences.';
COMMENT ON COLUMN annals.entities.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.entities.created_at IS 'When it was first recorded.';
COMMENT ON COLUMN annals.entities.recorded IS 'When this version was what we believed, half-open; without an end: it still is.';
COMMENT ON COLUMN annals.entities.terms IS 'Its words as text search reads them, from which BM25 ranks.';
COMMENT ON COLUMN annals.entities.length IS 'How many terms it has.';
COMMENT ON COLUMN annals.entities.caused_by IS 'The episodes whose processing made this version; none: a hand edit, or not noted.';

COMMENT ON TABLE annals.entity_names IS 'Every name an entity goes by, folded. Kept by trigger.';
COMMENT ON COLUMN annals.entity_names.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entity_names.name_key IS 'The name without regard to case, accents, width and spacing.';
COMMENT ON COLUMN annals.entity_names.entity_id IS 'The entity.';

COMMENT ON TABLE annals.facts IS 'What holds between two entities, as believed now. An UPDATE or DELETE leaves the old version in facts_history.';
COMMENT ON COLUMN annals.facts.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.facts.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.facts.source_id IS 'The entity it starts from.';
COMMENT ON COLUMN annals.facts.target_id IS 'The entity it leads to.';
COMMENT ON COLUMN annals.facts.predicate IS 'The relation, in capitals: LIVES_IN.';
COMMENT ON COLUMN annals.facts.fact IS 'One sentence that stands on its own.';
COMMENT ON COLUMN annals.facts.ends IS 'It says that something stopped holding.';
COMMENT ON COLUMN annals.facts.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.facts.valid IS 'When it held in the world, half-open; an open side is unknown or ongoing.';
COMMENT ON COLUMN annals.facts.recorded IS 'When this version was what we believed, half-open; without an end: it still is.';
COMMENT ON COLUMN annals.facts.created_at IS 'When it was first recorded.';
COMMENT ON COLUMN annals.facts.expired_at IS 'When we learned that it had ended; NULL: never.';
COMMENT ON COLUMN annals.facts.statement_id IS 'Shared by the facts that one statement gave for several pairs of entities.';
COMMENT ON COLUMN annals.facts.terms IS 'Its words as text search reads them, from which BM25 ranks.';
COMMENT ON COLUMN annals.facts.length IS 'How many terms it has.';
COMMENT ON COLUMN annals.facts.caused_by IS 'The episodes whose processing made this version; none: a hand edit, or not noted.';

COMMENT ON TABLE annals.mentions IS 'Which episode mentions which entity.';
COMMENT ON COLUMN annals.mentions.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.mentions.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.mentions.entity_id IS 'The entity.';

COMMENT ON TABLE annals.fact_episodes IS 'Which episode states or ends which fact.';
COMMENT ON COLUMN annals.fact_episodes.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.fact_episodes.fact_id IS 'The fact.';
COMMENT ON COLUMN annals.fact_episodes.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.fact_episodes.role IS 'Whether it states the fact or ends it.';

COMMENT ON TABLE annals.communities IS 'Clusters of entities that many current facts connect, as they are now.';
COMMENT ON COLUMN annals.communities.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.communities.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.communities.name IS 'Its key terms and topics.';
COMMENT ON COLUMN annals.communities.summary IS 'What its members are about.';
COMMENT ON COLUMN annals.communities.created_at IS 'When it was first recorded.';
COMMENT ON COLUMN annals.communities.recorded IS 'When this version was what we believed, half-open; without an end: it still is.';
COMMENT ON COLUMN annals.communities.terms IS 'Its words as text search reads them, from which BM25 ranks.';
COMMENT ON COLUMN annals.communities.length IS 'How many terms it has.';
COMMENT ON COLUMN annals.communities.digest IS 'Hash of what the summary was made from; empty: that has changed since.';

COMMENT ON TABLE annals.community_members IS 'Which entity belongs to which community.';
COMMENT ON COLUMN annals.community_members.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.community_members.community_id IS 'The community.';
COMMENT ON COLUMN annals.community_members.entity_id IS 'The entity.';

COMMENT ON TABLE annals.entities_history IS 'The versions of entities that are no longer what we know, written by trigger.';
COMMENT ON COLUMN annals.entities_history.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entities_history.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.entities_history.name IS 'What it is called.';
COMMENT ON COLUMN annals.entities_history.aliases IS 'Other names it goes by.';
COMMENT ON COLUMN annals.entities_history.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals.entities_history.summary IS 'What is known of it, in a few sentences.';
COMMENT ON COLUMN annals.entities_history.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.entities_history.created_at IS 'When it was first recorded.';
COMMENT ON COLUMN annals.entities_history.recorded IS 'When this version was what we believed, half-open; without an end: it still is.';
COMMENT ON COLUMN annals.entities_history.evidence IS 'The episodes that it rested on as the version ended.';
COMMENT ON COLUMN annals.entities_history.terms IS 'Its words as text search reads them, from which BM25 ranks.';
COMMENT ON COLUMN annals.entities_history.length IS 'How many terms it has.';
COMMENT ON COLUMN annals.entities_history.caused_by IS 'The episodes whose processing made this version; none: a hand edit, or not noted.';
COMMENT ON COLUMN annals.entities_history.ended_by IS 'The episodes whose processing ended this version; none: a hand edit, or not noted.';

COMMENT ON TABLE annals.facts_history IS 'The versions of facts that are no longer believed, written by trigger.';
COMMENT ON COLUMN annals.facts_history.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.facts_history.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.facts_history.source_id IS 'The entity it starts from.';
COMMENT ON COLUMN annals.facts_history.target_id IS 'The entity it leads to.';
COMMENT ON COLUMN annals.facts_history.predicate IS 'The relation, in capitals: LIVES_IN.';
COMMENT ON COLUMN annals.facts_history.fact IS 'One sentence that stands on its own.';
COMMENT ON COLUMN annals.facts_history.ends IS 'It says that something stopped holding.';
COMMENT ON COLUMN annals.facts_history.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.facts_history.valid IS 'When it held in the world, half-open; an open side is unknown or ongoing.';
COMMENT ON COLUMN annals.facts_history.recorded IS 'When this version was what we believed, half-open; without an end: it still is.';
COMMENT ON COLUMN annals.facts_history.created_at IS 'When it was first recorded.';
COMMENT ON COLUMN annals.facts_history.expired_at IS 'When we learned that it had ended; NULL: never.';
COMMENT ON COLUMN annals.facts_history.statement_id IS 'Shared by the facts that one statement gave for several pairs of entities.';
COMMENT ON COLUMN annals.facts_history.evidence IS 'The episodes that it rested on as the version ended.';
COMMENT ON COLUMN annals.facts_history.terms IS 'Its words as text search reads them, from which BM25 ranks.';
COMMENT ON COLUMN annals.facts_history.length IS 'How many terms it has.';
COMMENT ON COLUMN annals.facts_history.caused_by IS 'The episodes whose processing made this version; none: a hand edit, or not noted.';
COMMENT ON COLUMN annals.facts_history.ended_by IS 'The episodes whose processing ended this version; none: a hand edit, or not noted.';

COMMENT ON TABLE annals.communities_history IS 'The communities as they were, written by trigger.';
COMMENT ON COLUMN annals.communities_history.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.communities_history.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.communities_history.name IS 'Its key terms and topics.';
COMMENT ON COLUMN annals.communities_history.summary IS 'What is known of it, in a few sentences.';
COMMENT ON COLUMN annals.communities_history.created_at IS 'When it was first recorded.';
COMMENT ON COLUMN annals.communities_history.recorded IS 'When this version was what we believed, half-open; without an end: it still is.';
COMMENT ON COLUMN annals.communities_history.evidence IS 'The entities that belonged to it.';
COMMENT ON COLUMN annals.communities_history.terms IS 'Its words as text search reads them, from which BM25 ranks.';
COMMENT ON COLUMN annals.communities_history.length IS 'How many terms it has.';

COMMENT ON TABLE annals.embeddings_history IS 'Vectors of rows that left the graph, or whose text was replaced: search in the past needs them. Written by trigger.';
COMMENT ON COLUMN annals.embeddings_history.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.embeddings_history.kind IS 'What sort of row it is of: episode, entity, fact or community.';
COMMENT ON COLUMN annals.embeddings_history.model IS 'The embedder that made the vector, as provider:model.';
COMMENT ON COLUMN annals.embeddings_history.id IS 'The row it stood for.';
COMMENT ON COLUMN annals.embeddings_history.until IS 'The end of the time for which it stood.';
COMMENT ON COLUMN annals.embeddings_history.embedding IS 'The vector.';

COMMENT ON TABLE annals.postings IS 'One row per term of a document, from which Okapi BM25 ranks. Kept by trigger.';
COMMENT ON COLUMN annals.postings.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.postings.kind IS 'What sort of row it is of: episode, entity, fact or community.';
COMMENT ON COLUMN annals.postings.term IS 'The word, stemmed.';
COMMENT ON COLUMN annals.postings.document_id IS 'The row that holds the term.';
COMMENT ON COLUMN annals.postings.tf IS 'How often it holds the term.';
COMMENT ON COLUMN annals.postings.length IS 'How many terms the row has.';

COMMENT ON TABLE annals.search_statistics IS 'How many documents a group has of each kind, and their terms in all. Refreshed as episodes are processed.';
COMMENT ON COLUMN annals.search_statistics.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.search_statistics.kind IS 'What sort of row it is of: episode, entity, fact or community.';
COMMENT ON COLUMN annals.search_statistics.documents IS 'How many rows.';
COMMENT ON COLUMN annals.search_statistics.terms IS 'Their terms, added up.';
COMMENT ON COLUMN annals.search_statistics.refreshed_at IS 'When they were counted.';
COMMENT ON COLUMN annals.search_statistics.counted IS 'How many rows there were when frequent terms were counted.';

COMMENT ON TABLE annals.frequent_terms IS 'Terms that thousands of documents of a group hold.';
COMMENT ON COLUMN annals.frequent_terms.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.frequent_terms.kind IS 'What sort of row it is of: episode, entity, fact or community.';
COMMENT ON COLUMN annals.frequent_terms.term IS 'The word, stemmed.';
COMMENT ON COLUMN annals.frequent_terms.documents IS 'How many hold it.';

COMMENT ON TABLE annals.episode_embeddings IS 'One vector per episode and embedder.';
COMMENT ON COLUMN annals.episode_embeddings.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.episode_embeddings.model IS 'The embedder that made the vector, as provider:model.';
COMMENT ON COLUMN annals.episode_embeddings.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.episode_embeddings.embedding IS 'The vector.';

COMMENT ON TABLE annals.entity_embeddings IS 'One vector per entity and embedder, of its name.';
COMMENT ON COLUMN annals.entity_embeddings.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entity_embeddings.model IS 'The embedder that made the vector, as provider:model.';
COMMENT ON COLUMN annals.entity_embeddings.entity_id IS 'The entity.';
COMMENT ON COLUMN annals.entity_embeddings.embedding IS 'The vector.';

COMMENT ON TABLE annals.fact_embeddings IS 'One vector per fact and embedder.';
COMMENT ON COLUMN annals.fact_embeddings.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.fact_embeddings.model IS 'The embedder that made the vector, as provider:model.';
COMMENT ON COLUMN annals.fact_embeddings.fact_id IS 'The fact.';
COMMENT ON COLUMN annals.fact_embeddings.embedding IS 'The vector.';

COMMENT ON TABLE annals.community_embeddings IS 'One vector per community and embedder.';
COMMENT ON COLUMN annals.community_embeddings.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.community_embeddings.model IS 'The embedder that made the vector, as provider:model.';
COMMENT ON COLUMN annals.community_embeddings.community_id IS 'The community.';
COMMENT ON COLUMN annals.community_embeddings.embedding IS 'The vector.';

COMMENT ON TABLE annals.model_calls IS 'The ledger: every call to a model, and the answer that serves the same question again.';
COMMENT ON COLUMN annals.model_calls.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.model_calls.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.model_calls.episode_id IS 'The episode it was made for; NULL: none.';
COMMENT ON COLUMN annals.model_calls.kind IS 'chat, embedding or rerank.';
COMMENT ON COLUMN annals.model_calls.prompt IS 'Which prompt was used.';
COMMENT ON COLUMN annals.model_calls.version IS 'Of the prompt.';
COMMENT ON COLUMN annals.model_calls.model IS 'Who was asked, as provider:model.';
COMMENT ON COLUMN annals.model_calls.key IS 'Hash of all that was asked.';
COMMENT ON COLUMN annals.model_calls.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN annals.model_calls.cached_tokens IS 'Of these, answered from the provider''s own cache.';
COMMENT ON COLUMN annals.model_calls.output_tokens IS 'Tokens received.';
COMMENT ON COLUMN annals.model_calls.latency IS 'How long it took.';
COMMENT ON COLUMN annals.model_calls.cost IS 'US dollars by list price; NULL: not known.';
COMMENT ON COLUMN annals.model_calls.from_cache IS 'Answered from this table, at no cost.';
COMMENT ON COLUMN annals.model_calls.repair IS 'It asks to mend the answer before.';
COMMENT ON COLUMN annals.model_calls.answer IS 'What was answered; NULL unless it passed its checks.';
COMMENT ON COLUMN annals.model_calls.error IS 'Why it failed; NULL unless it did.';
COMMENT ON COLUMN annals.model_calls.called_at IS 'When.';

COMMENT ON TABLE annals.traces IS 'Why the graph has of an episode what it has, decision by decision.';
COMMENT ON COLUMN annals.traces.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.traces.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.traces.place IS 'The order in which it was decided.';
COMMENT ON COLUMN annals.traces.step IS 'Such as resolve entities.';
COMMENT ON COLUMN annals.traces.decision IS 'extracted, dropped, mended, matched, created, repeated, closed, expired, shortened or failed.';
COMMENT ON COLUMN annals.traces.subject IS 'The name or sentence it is about.';
COMMENT ON COLUMN annals.traces.reason IS 'Why, in words.';
COMMENT ON COLUMN annals.traces.entity_id IS 'The entity it is about; NULL: none.';
COMMENT ON COLUMN annals.traces.fact_id IS 'The fact it is about; NULL: none.';

COMMENT ON TABLE annals.threads IS 'A conversation and what was said in it, in short.';
COMMENT ON COLUMN annals.threads.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.threads.id IS 'What the conversation is called.';
COMMENT ON COLUMN annals.threads.summary IS 'What was said, as far as the message that is named.';
COMMENT ON COLUMN annals.threads.through_at IS 'When the last message was said that the summary knows.';
COMMENT ON COLUMN annals.threads.through_id IS 'Which message that is.';
COMMENT ON COLUMN annals.threads.updated_at IS 'When it was last summarised.';

COMMENT ON TABLE annals.entity_merges IS 'An id that once stood for an entity, and the entity it was merged into.';
COMMENT ON COLUMN annals.entity_merges.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entity_merges.id IS 'The id that is gone.';
COMMENT ON COLUMN annals.entity_merges.merged_into IS 'The entity it stands for now.';
COMMENT ON COLUMN annals.entity_merges.merged_at IS 'When they were merged.';

COMMENT ON TABLE annals.community_builds IS 'When a group''s communities were worked out.';
COMMENT ON COLUMN annals.community_builds.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.community_builds.built_at IS 'When; NULL: never.';
COMMENT ON COLUMN annals.community_builds.entities IS 'How many entities the group had then.';
COMMENT ON COLUMN annals.community_builds.arrived IS 'How many came since.';

COMMENT ON TABLE annals.vector_indexes IS 'Which groups have an approximate index of their own over their vectors.';
COMMENT ON COLUMN annals.vector_indexes.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.vector_indexes.kind IS 'What sort of row it is of: episode, entity, fact or community.';
COMMENT ON COLUMN annals.vector_indexes.model IS 'Of which embedder''s vectors.';
COMMENT ON COLUMN annals.vector_indexes.index_name IS 'What the index is called.';
COMMENT ON COLUMN annals.vector_indexes.rows_at_build IS 'How many vectors it was built from.';
COMMENT ON COLUMN annals.vector_indexes.valid IS 'It was built to the end.';
COMMENT ON COLUMN annals.vector_indexes.built_at IS 'When it was built.';
COMMENT ON COLUMN annals.vector_indexes.checked_at IS 'When it was last seen whether it is still right for the group''s size.';

COMMENT ON VIEW annals.timeline IS 'What began and ended to hold when, in words, as believed now.';
COMMENT ON COLUMN annals.timeline.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.timeline.at IS 'When, in the world.';
COMMENT ON COLUMN annals.timeline.event IS 'began or ended.';
COMMENT ON COLUMN annals.timeline.fact_id IS 'The fact, or the first of those of one statement.';
COMMENT ON COLUMN annals.timeline.words IS 'In words.';
COMMENT ON COLUMN annals.timeline.recorded_at IS 'When we learned of it.';
COMMENT ON COLUMN annals.timeline.statement_id IS 'Shared by the facts that one statement gave for several pairs of entities.';

COMMENT ON VIEW annals.model_usage IS 'What a group cost, by day, prompt and model.';
COMMENT ON COLUMN annals.model_usage.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.model_usage.day IS 'In UTC.';
COMMENT ON COLUMN annals.model_usage.kind IS 'chat, embedding or rerank.';
COMMENT ON COLUMN annals.model_usage.prompt IS 'Which prompt was used.';
COMMENT ON COLUMN annals.model_usage.model IS 'Who was asked, as provider:model.';
COMMENT ON COLUMN annals.model_usage.calls IS 'That reached the model.';
COMMENT ON COLUMN annals.model_usage.cached IS 'Answered from the ledger at no cost.';
COMMENT ON COLUMN annals.model_usage.repairs IS 'That asked to mend the answer before.';
COMMENT ON COLUMN annals.model_usage.failed IS 'That gave no usable answer.';
COMMENT ON COLUMN annals.model_usage.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN annals.model_usage.output_tokens IS 'Tokens received.';
COMMENT ON COLUMN annals.model_usage.cost IS 'US dollars, of the calls whose price is known.';
COMMENT ON COLUMN annals.model_usage.unpriced IS 'Calls whose price is not known.';
COMMENT ON COLUMN annals.model_usage.mean_latency IS 'How long a call took on average.';

COMMENT ON VIEW annals.entity_versions IS 'Every version of every entity, the past ones and those that stand.';
COMMENT ON COLUMN annals.entity_versions.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entity_versions.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.entity_versions.name IS 'What it was called.';
COMMENT ON COLUMN annals.entity_versions.aliases IS 'Other names it goes by.';
COMMENT ON COLUMN annals.entity_versions.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals.entity_versions.summary IS 'What was known of it.';
COMMENT ON COLUMN annals.entity_versions.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.entity_versions.recorded IS 'When this version was what we believed, half-open; without an end: it still is.';
COMMENT ON COLUMN annals.entity_versions.created_at IS 'When it was first recorded.';
COMMENT ON COLUMN annals.entity_versions.episodes IS 'The episodes that it rested on as the version ended, or rests on.';
COMMENT ON COLUMN annals.entity_versions.caused_by IS 'The episodes whose processing made this version; none: a hand edit, or not noted.';
COMMENT ON COLUMN annals.entity_versions.ended_by IS 'The episodes whose processing ended this version; none: a hand edit, or not noted.';

COMMENT ON VIEW annals.fact_versions IS 'Every version of every fact, the past ones and those that stand, with the names its entities had when it began.';
COMMENT ON COLUMN annals.fact_versions.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.fact_versions.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.fact_versions.source_id IS 'The entity it starts from.';
COMMENT ON COLUMN annals.fact_versions.source IS 'The name of the entity it starts from, at that time.';
COMMENT ON COLUMN annals.fact_versions.predicate IS 'The relation, in capitals: LIVES_IN.';
COMMENT ON COLUMN annals.fact_versions.target_id IS 'The entity it leads to.';
COMMENT ON COLUMN annals.fact_versions.target IS 'The name of the entity it leads to, at that time.';
COMMENT ON COLUMN annals.fact_versions.fact IS 'One sentence that stands on its own.';
COMMENT ON COLUMN annals.fact_versions.ends IS 'It says that something stopped holding.';
COMMENT ON COLUMN annals.fact_versions.attributes IS 'Further values, as a JSON object.';
COMMENT ON COLUMN annals.fact_versions.valid IS 'When it held in the world, half-open; an open side is unknown or ongoing.';
COMMENT ON COLUMN annals.fact_versions.recorded IS 'When this version was what we believed, half-open; without an end: it still is.';
COMMENT ON COLUMN annals.fact_versions.created_at IS 'When it was first recorded.';
COMMENT ON COLUMN annals.fact_versions.expired_at IS 'When we learned that it had ended; NULL: never.';
COMMENT ON COLUMN annals.fact_versions.statement_id IS 'Shared by the facts that one statement gave for several pairs of entities.';
COMMENT ON COLUMN annals.fact_versions.episodes IS 'The episodes that it rested on as the version ended, or rests on.';
COMMENT ON COLUMN annals.fact_versions.caused_by IS 'The episodes whose processing made this version; none: a hand edit, or not noted.';
COMMENT ON COLUMN annals.fact_versions.ended_by IS 'The episodes whose processing ended this version; none: a hand edit, or not noted.';

COMMENT ON VIEW annals.community_versions IS 'Every version of every community, the past ones and those that stand.';
COMMENT ON COLUMN annals.community_versions.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.community_versions.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.community_versions.name IS 'Its key terms and topics.';
COMMENT ON COLUMN annals.community_versions.summary IS 'What is known of it, in a few sentences.';
COMMENT ON COLUMN annals.community_versions.recorded IS 'When this version was what we believed, half-open; without an end: it still is.';
COMMENT ON COLUMN annals.community_versions.created_at IS 'When it was first recorded.';
COMMENT ON COLUMN annals.community_versions.members IS 'The ids of its entities.';

COMMENT ON VIEW annals.memory_stream IS 'Every mention of an entity by an episode, with what was said.';
COMMENT ON COLUMN annals.memory_stream.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.memory_stream.occurred_at IS 'When it was said.';
COMMENT ON COLUMN annals.memory_stream.created_at IS 'When it was taken in.';
COMMENT ON COLUMN annals.memory_stream.episode_id IS 'The episode.';
COMMENT ON COLUMN annals.memory_stream.source IS 'The form it came in: message, text or json.';
COMMENT ON COLUMN annals.memory_stream.thread_id IS 'The conversation it belongs to; may be empty.';
COMMENT ON COLUMN annals.memory_stream.actor IS 'Who said it; may be empty.';
COMMENT ON COLUMN annals.memory_stream.role IS 'user, assistant …; may be empty.';
COMMENT ON COLUMN annals.memory_stream.entity_id IS 'The entity.';
COMMENT ON COLUMN annals.memory_stream.entity IS 'What the entity is called.';
COMMENT ON COLUMN annals.memory_stream.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals.memory_stream.content IS 'What was said.';

COMMENT ON VIEW annals.entity_knowledge IS 'How much is known of each entity, and since when.';
COMMENT ON COLUMN annals.entity_knowledge.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.entity_knowledge.entity_id IS 'The entity.';
COMMENT ON COLUMN annals.entity_knowledge.name IS 'What it is called.';
COMMENT ON COLUMN annals.entity_knowledge.labels IS 'Its types, such as Person.';
COMMENT ON COLUMN annals.entity_knowledge.mentions IS 'How many episodes mention it.';
COMMENT ON COLUMN annals.entity_knowledge.first_mentioned_at IS 'When the earliest of these was said.';
COMMENT ON COLUMN annals.entity_knowledge.last_mentioned_at IS 'When the latest of these was said.';
COMMENT ON COLUMN annals.entity_knowledge.facts IS 'How many facts it has, of all times.';
COMMENT ON COLUMN annals.entity_knowledge.facts_holding IS 'How many of these hold now.';
COMMENT ON COLUMN annals.entity_knowledge.changed_at IS 'Since when it has been known as it is.';
COMMENT ON COLUMN annals.entity_knowledge.summary IS 'What is known of it, in a few sentences.';

COMMENT ON FUNCTION annals.add_episode(text, text, timestamptz, text, text, text, text, text, text, text, jsonb, integer, boolean)
    IS 'Takes an episode in, within the transaction of the caller, and returns its id; a worker reads it into the graph once that is committed. An external id that is there already gives the id it has.';
COMMENT ON FUNCTION annals.add_postings() IS 'Trigger: writes the postings of new rows.';
COMMENT ON FUNCTION annals.causes()
    IS 'The episodes whose processing is being written, as the engine sets them for its transaction.';
COMMENT ON FUNCTION annals.check_episode(text, text, timestamptz, text, jsonb, integer)
    IS 'Refuses an episode that the library would refuse.';
COMMENT ON FUNCTION annals.check_text(text, text, integer) IS 'Refuses a text that is too long.';
COMMENT ON FUNCTION annals.clock() IS 'The time of this transaction on the recorded axis: as the engine set it, else now().';
COMMENT ON FUNCTION annals.communities_at(text, timestamptz)
    IS 'The communities as they were at known_at; NULL: as they are now.';
COMMENT ON FUNCTION annals.community_evidence(text, uuid) IS 'The entities of a community.';
COMMENT ON FUNCTION annals.entities_at(text, timestamptz)
    IS 'The entities as they were known at known_at; NULL: as they are known now.';
COMMENT ON FUNCTION annals.entities_matching(text, jsonb) IS 'The entities that a filter of a search lets pass.';
COMMENT ON FUNCTION annals.entity_changes(text, timestamptz, timestamptz)
    IS 'What was known of entities otherwise at one time than at another: added, renamed, summary, changed, merged or removed.';
COMMENT ON FUNCTION annals.entity_evidence(text, uuid) IS 'The latest hundred episodes that mention an entity.';
COMMENT ON FUNCTION annals.entity_history(text, uuid)
    IS 'Every version of an entity, the oldest first, with the episodes that caused it.';
COMMENT ON FUNCTION annals.episodes_matching(text, jsonb) IS 'The episodes that a filter of a search lets pass.';
COMMENT ON FUNCTION annals.fact_changes(text, timestamptz, timestamptz)
    IS 'What was believed of facts otherwise at one time than at another: added, ended, changed or withdrawn.';
COMMENT ON FUNCTION annals.fact_evidence(text, uuid) IS 'The episodes that state a fact.';
COMMENT ON FUNCTION annals.fact_history(text, uuid)
    IS 'Every version of a fact, the oldest first, with the episodes that caused it.';
COMMENT ON FUNCTION annals.facts_at(text, timestamptz, timestamptz)
    IS 'The world at valid_at as believed at known_at; NULL: now.';
COMMENT ON FUNCTION annals.facts_known(text, timestamptz) IS 'The facts of all times as believed at known_at; NULL: now.';
COMMENT ON FUNCTION annals.facts_matching(text, jsonb, timestamptz, timestamptz, boolean)
    IS 'The facts that a filter of a search lets pass.';
COMMENT ON FUNCTION annals.filter_parts(jsonb) IS 'A filter of a search, taken apart.';
COMMENT ON FUNCTION annals.fix_embedding_dimension(integer)
    IS 'Fixes how many dimensions the vectors of this database have, once.';
COMMENT ON FUNCTION annals.former_name(text, uuid) IS 'What an entity was called that is gone.';
COMMENT ON FUNCTION annals.keep_embeddings(text, text, uuid, timestamptz) IS 'Keeps the vectors of a row that leaves the graph.';
COMMENT ON FUNCTION annals.keep_entity_names() IS 'Trigger: keeps entity_names.';
COMMENT ON FUNCTION annals.keep_history() IS 'Trigger: keeps the old version of a row that is changed or removed.';
COMMENT ON FUNCTION annals.keep_replaced_embedding() IS 'Trigger: keeps a vector that gives way to that of another text.';
COMMENT ON FUNCTION annals.matching_known(text, annals.kind, jsonb, timestamptz, timestamptz, boolean)
    IS 'The rows of one kind that were believed at a time and that a filter of a search lets pass.';
COMMENT ON FUNCTION annals.name_at(text, uuid, timestamptz) IS 'What an entity was called at a time.';
COMMENT ON FUNCTION annals.name_key(text) IS 'A name without regard to case, accents, width and spacing.';
COMMENT ON FUNCTION annals.neighborhood(text, uuid[], integer, timestamptz, timestamptz, integer)
    IS 'The entities within so many hops of the seeds, along the facts that hold at valid_at as believed at known_at, with their distance.';
COMMENT ON FUNCTION annals.new_id() IS 'A UUIDv7, in the order of time.';
COMMENT ON FUNCTION annals.none_passes(jsonb) IS 'Whether a condition lets pass what has no such time.';
COMMENT ON FUNCTION annals.replace_postings() IS 'Trigger: replaces the postings of a row that is changed or removed.';
COMMENT ON FUNCTION annals.segmented(text, boolean)
    IS 'A text as it is taken apart into words: of scripts without spaces, every two neighbouring letters.';
COMMENT ON FUNCTION annals.set_content_hash() IS 'Trigger: hashes the content of an episode.';
COMMENT ON FUNCTION annals.set_terms() IS 'Trigger: reads the words of a row.';
COMMENT ON FUNCTION annals.texts(jsonb) IS 'The texts of a JSON list.';
COMMENT ON FUNCTION annals.timeline_at(text, timestamptz) IS 'The timeline as believed at known_at; NULL: now.';
COMMENT ON FUNCTION annals.times_passing(jsonb) IS 'The times that pass a condition.';
COMMENT ON FUNCTION annals.version_end(timestamptz) IS 'When a version ends that began then; NULL: nobody ever saw it.';

-- +goose Down

DROP FUNCTION annals.add_episode(text, text, timestamptz, text, text, text, text, text, text, text, jsonb, integer, boolean),
    annals.check_episode(text, text, timestamptz, text, jsonb, integer), annals.check_text(text, text, integer), annals.new_id();
DROP VIEW annals.entity_knowledge, annals.memory_stream;
