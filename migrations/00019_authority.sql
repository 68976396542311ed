-- Authority over settings. Settings that act later, or on the words of others, need
-- a minimum authority. A lower authority than the one that set them cannot change
-- them.
--
-- +goose Up
-- +goose StatementBegin

CALL annals_internal.begin_migration(19);

CREATE INDEX changes_action ON annals.changes (group_id, action, changed_at);
COMMENT ON INDEX annals.changes_action IS 'Finds the last change of a setting.';

-- Returns the authority that last set a setting: a row, found by its columns, or
-- some of its columns. Without a record it is that of the last import. NULL: nobody
-- set it.
CREATE FUNCTION annals_internal.setting_owner(of_group text, setting text, of_row jsonb, of_columns text[]) RETURNS annals.authority
LANGUAGE sql STABLE
RETURN coalesce(
    (SELECT o.authority
    FROM (
        SELECT c.authority, c.changed_at FROM annals.changes c
        WHERE c.group_id = of_group AND c.action = setting AND c.detail @> of_row
            AND (c.detail->>'did' <> 'update' OR of_columns = '{}' OR c.detail->'columns' ?| of_columns)
        UNION ALL
        SELECT e.authority, e.edited_at FROM annals.edits e
        WHERE e.group_id = of_group AND e.action = setting
    ) o
    ORDER BY o.changed_at DESC LIMIT 1),
    (SELECT c.authority FROM annals.changes c WHERE c.group_id = of_group AND c.action = 'import' ORDER BY c.changed_at DESC LIMIT 1));
COMMENT ON FUNCTION annals_internal.setting_owner(text, text, jsonb, text[]) IS 'Returns the authority that last set a setting of a group; NULL: nobody set it.';

CREATE FUNCTION annals_internal.refuse_beneath(field text, message text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION '%', message USING ERRCODE = 'AN003', COLUMN = field, HINT = 'Use a way in or a key with more authority or rights.';
END
$$;
COMMENT ON FUNCTION annals_internal.refuse_beneath(text, text) IS 'Raises an error about a writer with too little authority or too few rights.';

-- Guards a setting of a group. Arguments: the setting, the minimum authority,
-- 'erase' if that right is needed, a column that identifies the row, and the
-- guarded columns.
CREATE FUNCTION annals_internal.guard_setting() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    origin constant jsonb := annals_internal.write_origin();
    own constant annals.authority := origin->>'authority';
    least_authority constant annals.authority := TG_ARGV[1];
    was constant jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
    is_now constant jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
    row_is constant jsonb := coalesce(is_now, was);
    owner annals.authority;
BEGIN
    IF coalesce(origin->>'action', '') NOT IN ('import', 'inherit', 'undo', 'withdraw') THEN
        IF own < least_authority THEN
            PERFORM annals_internal.refuse_beneath(TG_ARGV[0], format('is set with the authority of a %s or more, and this is the word of a%s', least_authority,
                CASE own WHEN 'assistant' THEN 'n assistant' ELSE ' ' || own END));
        ELSIF TG_ARGV[2] = 'erase' AND origin->>'erases' = 'false' THEN
            PERFORM annals_internal.refuse_beneath(TG_ARGV[0], 'decides about what others said, which takes the right to erase');
        END IF;
        owner := annals_internal.setting_owner(row_is->>'group_id', TG_ARGV[0],
            CASE WHEN TG_ARGV[3] = '' THEN '{}' ELSE jsonb_build_object(TG_ARGV[3], row_is->TG_ARGV[3]) END,
            ARRAY(SELECT c.name FROM unnest(TG_ARGV[4]::text[]) AS c(name) WHERE TG_OP <> 'UPDATE' OR was->c.name IS DISTINCT FROM is_now->c.name));
        IF own < owner THEN
            PERFORM annals_internal.refuse_beneath(TG_ARGV[0], format('was set with the authority of a %s, which a%s does not change', owner,
                CASE own WHEN 'assistant' THEN 'n assistant' ELSE ' ' || own END));
        END IF;
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END
$$;
COMMENT ON FUNCTION annals_internal.guard_setting() IS 'Trigger: refuses a change of a setting without the minimum authority, the right to erase where needed, or the authority that last set it. Its arguments name these and the columns.';

-- Guards expiries and pins: a lower authority than the one that set a mark cannot
-- end it.
CREATE FUNCTION annals_internal.guard_mark() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    origin constant jsonb := annals_internal.write_origin();
    own constant annals.authority := origin->>'authority';
BEGIN
    IF origin->>'action' = 'mark' AND OLD.until IS NULL AND OLD.mark IN ('expires', 'pinned') AND own < OLD.authority THEN
        PERFORM annals_internal.refuse_beneath('mark', format('was set with the authority of a %s, which a%s does not end', OLD.authority,
            CASE own WHEN 'assistant' THEN 'n assistant' ELSE ' ' || own END));
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END
$$;
COMMENT ON FUNCTION annals_internal.guard_mark() IS 'Trigger: refuses to end an expiry or a pin with a lower authority than it was set with.';

CREATE TRIGGER guarded BEFORE INSERT OR DELETE OR UPDATE OF max_age, max_episodes ON annals.retention
    FOR EACH ROW EXECUTE FUNCTION annals_internal.guard_setting('retention', 'user', 'erase', '', '{max_age,max_episodes}');
COMMENT ON TRIGGER guarded ON annals.retention IS 'Requires the authority of a user and the right to erase.';
CREATE TRIGGER guarded_policy BEFORE UPDATE OF hold_assistants, hold_documents, hold_threads, records_succeed, proof_of_skills, hold_doors, hold_roles, hold_sources, hold_relations ON annals.groups
    FOR EACH ROW WHEN ((OLD.hold_assistants, OLD.hold_documents, OLD.hold_threads, OLD.records_succeed, OLD.proof_of_skills, OLD.hold_doors, OLD.hold_roles, OLD.hold_sources, OLD.hold_relations)
        IS DISTINCT FROM (NEW.hold_assistants, NEW.hold_documents, NEW.hold_threads, NEW.records_succeed, NEW.proof_of_skills, NEW.hold_doors, NEW.hold_roles, NEW.hold_sources, NEW.hold_relations))
    EXECUTE FUNCTION annals_internal.guard_setting('policy', 'user', 'erase', '', '{}');
COMMENT ON TRIGGER guarded_policy ON annals.groups IS 'Requires the authority of a user and the right to erase, to change the policy.';
CREATE TRIGGER guarded_reading BEFORE UPDATE OF ontology, time_zone ON annals.groups
    FOR EACH ROW WHEN ((OLD.ontology, OLD.time_zone) IS DISTINCT FROM (NEW.ontology, NEW.time_zone))
    EXECUTE FUNCTION annals_internal.guard_setting('settings', 'user', '', '', '{ontology,time_zone}');
COMMENT ON TRIGGER guarded_reading ON annals.groups IS 'Requires the authority of a user, to change how messages are read.';
CREATE TRIGGER guarded_names BEFORE UPDATE OF name, description ON annals.groups
    FOR EACH ROW WHEN ((OLD.name, OLD.description) IS DISTINCT FROM (NEW.name, NEW.description))
    EXECUTE FUNCTION annals_internal.guard_setting('settings', 'assistant', '', '', '{name,description}');
COMMENT ON TRIGGER guarded_names ON annals.groups IS 'Protects names set by a higher authority.';
CREATE TRIGGER guarded BEFORE INSERT OR UPDATE OR DELETE ON annals_internal.instructions
    FOR EACH ROW EXECUTE FUNCTION annals_internal.guard_setting('instructions', 'user', '', 'purpose', '{}');
COMMENT ON TRIGGER guarded ON annals_internal.instructions IS 'Requires the authority of a user, to change how messages are read.';
CREATE TRIGGER guarded BEFORE INSERT OR UPDATE OR DELETE ON annals_internal.templates
    FOR EACH ROW EXECUTE FUNCTION annals_internal.guard_setting('template', 'user', '', '', '{}');
COMMENT ON TRIGGER guarded ON annals_internal.templates IS 'Requires the authority of a user, to change what contexts show.';
CREATE TRIGGER guarded BEFORE UPDATE OF url, events OR DELETE ON annals.webhooks
    FOR EACH ROW EXECUTE FUNCTION annals_internal.guard_setting('webhook', 'assistant', '', 'id', '{url,events}');
COMMENT ON TRIGGER guarded ON annals.webhooks IS 'Protects webhooks set by a higher authority.';
CREATE TRIGGER guarded BEFORE UPDATE OF name, instructions, settings OR DELETE ON annals.agents
    FOR EACH ROW EXECUTE FUNCTION annals_internal.guard_setting('agent', 'assistant', '', 'id', '{name,instructions,settings}');
COMMENT ON TRIGGER guarded ON annals.agents IS 'Protects agents set by a higher authority.';
CREATE TRIGGER guarded_delete BEFORE DELETE ON annals.blocks
    FOR EACH ROW EXECUTE FUNCTION annals_internal.guard_setting('block', 'assistant', '', 'id', '{label,description,char_limit,read_only}');
COMMENT ON TRIGGER guarded_delete ON annals.blocks IS 'Protects blocks made by a higher authority.';
CREATE TRIGGER guarded BEFORE UPDATE OF label, description, value, char_limit, read_only ON annals.blocks
    FOR EACH ROW WHEN ((OLD.label, OLD.description, OLD.char_limit, OLD.read_only) IS DISTINCT FROM (NEW.label, NEW.description, NEW.char_limit, NEW.read_only)
        OR OLD.read_only AND OLD.value <> NEW.value)
    EXECUTE FUNCTION annals_internal.guard_setting('block', 'assistant', '', 'id', '{label,description,char_limit,read_only}');
COMMENT ON TRIGGER guarded ON annals.blocks IS 'Protects blocks set by a higher authority, except the text, which agents edit unless it is read-only.';
CREATE TRIGGER guarded BEFORE UPDATE OF email, first_name, last_name, metadata, plain ON annals.users
    FOR EACH ROW WHEN ((OLD.email, OLD.first_name, OLD.last_name, OLD.metadata, OLD.plain) IS DISTINCT FROM (NEW.email, NEW.first_name, NEW.last_name, NEW.metadata, NEW.plain))
    EXECUTE FUNCTION annals_internal.guard_setting('user', 'assistant', '', '', '{email,first_name,last_name,metadata,plain}');
COMMENT ON TRIGGER guarded ON annals.users IS 'Protects user data set by a higher authority.';
CREATE TRIGGER guarded_delete BEFORE DELETE ON annals.answers
    FOR EACH ROW EXECUTE FUNCTION annals_internal.guard_setting('answer', 'assistant', '', 'id', '{schema,tokens}');
COMMENT ON TRIGGER guarded_delete ON annals.answers IS 'Protects questions kept by a higher authority.';
CREATE TRIGGER guarded BEFORE UPDATE OF schema, tokens ON annals.answers
    FOR EACH ROW WHEN ((OLD.schema, OLD.tokens) IS DISTINCT FROM (NEW.schema, NEW.tokens))
    EXECUTE FUNCTION annals_internal.guard_setting('answer', 'assistant', '', 'id', '{schema,tokens}');
COMMENT ON TRIGGER guarded ON annals.answers IS 'Protects the options of questions kept by a higher authority.';
CREATE TRIGGER guarded BEFORE DELETE OR UPDATE OF until ON annals.marks
    FOR EACH ROW EXECUTE FUNCTION annals_internal.guard_mark();
COMMENT ON TRIGGER guarded ON annals.marks IS 'Protects expiries and pins set by a higher authority.';

CREATE TRIGGER noted_new AFTER INSERT ON annals.groups
    FOR EACH ROW WHEN ((NEW.name, NEW.description, NEW.time_zone) <> ('', '', '') OR NEW.ontology <> '{}')
    EXECUTE FUNCTION annals_internal.note_change('settings', '{}');
COMMENT ON TRIGGER noted_new ON annals.groups IS 'Records the name, description, time zone and ontology of a new group.';
CREATE TRIGGER noted AFTER INSERT OR UPDATE OF email, first_name, last_name, metadata, plain ON annals.users
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_change('user', '{}');
COMMENT ON TRIGGER noted ON annals.users IS 'Records changes of user data.';
CREATE TRIGGER noted AFTER INSERT OR DELETE OR UPDATE OF schema, tokens ON annals.answers
    FOR EACH ROW EXECUTE FUNCTION annals_internal.note_change('answer', '{id}');
COMMENT ON TRIGGER noted ON annals.answers IS 'Records which questions are kept answered.';

DO $$
BEGIN
    PERFORM annals_internal.protect_tenants();
END
$$;

CALL annals_internal.end_migration(19, 'authority');

-- +goose StatementEnd
-- +goose Down

DROP TRIGGER noted ON annals.answers;
DROP TRIGGER noted ON annals.users;
DROP TRIGGER noted_new ON annals.groups;
DROP TRIGGER guarded ON annals.marks;
DROP TRIGGER guarded ON annals.answers;
DROP TRIGGER guarded_delete ON annals.answers;
DROP TRIGGER guarded ON annals.users;
DROP TRIGGER guarded ON annals.blocks;
DROP TRIGGER guarded_delete ON annals.blocks;
DROP TRIGGER guarded ON annals.agents;
DROP TRIGGER guarded ON annals.webhooks;
DROP TRIGGER guarded ON annals_internal.templates;
DROP TRIGGER guarded ON annals_internal.instructions;
DROP TRIGGER guarded_names ON annals.groups;
DROP TRIGGER guarded_reading ON annals.groups;
DROP TRIGGER guarded_policy ON annals.groups;
DROP TRIGGER guarded ON annals.retention;
DROP FUNCTION annals_internal.guard_mark, annals_internal.guard_setting, annals_internal.refuse_beneath, annals_internal.setting_owner;
DROP INDEX annals.changes_action;
DELETE FROM annals.migrations WHERE version = 19;
