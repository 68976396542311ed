-- Users, graphs with names, and conversations that are there before anything
-- is said in them; what an application gives all its groups together; and
-- batches of episodes that are collected before they are added.
--
-- An application owns a namespace: the groups whose ids begin with its name and
-- a colon, as in acme:alice. What it gives all of them stands under its name.
--
-- +goose Up

ALTER TABLE annals.groups
    ADD name text NOT NULL DEFAULT '', ADD description text NOT NULL DEFAULT '', ADD time_zone text NOT NULL DEFAULT '',
    ADD updated_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX groups_namespace ON annals.groups (split_part(group_id, ':', 1), group_id);

COMMENT ON COLUMN annals.groups.name IS 'A title; may be empty.';
COMMENT ON COLUMN annals.groups.description IS 'What it is for, in words; may be empty.';
COMMENT ON COLUMN annals.groups.time_zone IS 'The IANA time zone of whom it is about; may be empty.';
COMMENT ON COLUMN annals.groups.updated_at IS 'When one of the three was last changed.';

CREATE TABLE annals.users (
    group_id text PRIMARY KEY REFERENCES annals.groups ON DELETE CASCADE,
    email text NOT NULL DEFAULT '' CHECK (octet_length(email) <= 512),
    first_name text NOT NULL DEFAULT '' CHECK (octet_length(first_name) <= 512),
    last_name text NOT NULL DEFAULT '' CHECK (octet_length(last_name) <= 512),
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    plain boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);

COMMENT ON TABLE annals.users IS 'Whose memory a group of the kind user is.';
COMMENT ON COLUMN annals.users.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.users.email IS 'Their address; may be empty.';
COMMENT ON COLUMN annals.users.first_name IS 'May be empty.';
COMMENT ON COLUMN annals.users.last_name IS 'May be empty.';
COMMENT ON COLUMN annals.users.metadata IS 'What the application keeps with them.';
COMMENT ON COLUMN annals.users.plain IS 'Whether the types of the application are kept from their group.';
COMMENT ON COLUMN annals.users.created_at IS 'When they were made.';
COMMENT ON COLUMN annals.users.updated_at IS 'When they were last changed.';

ALTER TABLE annals.threads
    ALTER through_at DROP NOT NULL, ALTER through_id DROP NOT NULL, ADD created_at timestamptz,
    ADD metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    ADD CONSTRAINT threads_through CHECK ((through_at IS NULL) = (through_id IS NULL));
CREATE INDEX threads_id ON annals.threads (id, group_id); -- conversations are named without their group

COMMENT ON COLUMN annals.threads.through_at IS 'When the last message was said that the summary knows. NULL: it knows none.';
COMMENT ON COLUMN annals.threads.through_id IS 'Which message that is. NULL: none.';
COMMENT ON COLUMN annals.threads.created_at IS 'When it was made. NULL: it is known by its messages alone.';
COMMENT ON COLUMN annals.threads.metadata IS 'What the application keeps with it.';

-- No foreign key to the group: what stands under a namespace is of no group.
CREATE TABLE annals.instructions (
    group_id text NOT NULL CHECK (group_id <> ''),
    purpose text NOT NULL CHECK (purpose IN ('graph', 'summary')),
    name text NOT NULL CHECK (name <> '' AND octet_length(name) <= 512),
    words text NOT NULL CHECK (words <> '' AND octet_length(words) <= 8192),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, purpose, name)
);

COMMENT ON TABLE annals.instructions IS 'What to heed when episodes are read, each by its name. Together they are the instructions of a group''s ontology.';
COMMENT ON COLUMN annals.instructions.group_id IS 'The group, or the namespace, whose groups all heed it.';
COMMENT ON COLUMN annals.instructions.purpose IS 'graph: of what is read; summary: of what is summed up about a user.';
COMMENT ON COLUMN annals.instructions.name IS 'What it is called.';
COMMENT ON COLUMN annals.instructions.words IS 'What it says.';
COMMENT ON COLUMN annals.instructions.created_at IS 'When it was given.';

CREATE TABLE annals.templates (
    group_id text NOT NULL CHECK (group_id <> ''),
    id text NOT NULL CHECK (id <> '' AND octet_length(id) <= 512),
    template text NOT NULL CHECK (template <> '' AND octet_length(template) <= 8192),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, id)
);

COMMENT ON TABLE annals.templates IS 'Forms of context strings that an application keeps.';
COMMENT ON COLUMN annals.templates.group_id IS 'The namespace of the application.';
COMMENT ON COLUMN annals.templates.id IS 'What it is called.';
COMMENT ON COLUMN annals.templates.template IS 'The form, as the application wrote it.';
COMMENT ON COLUMN annals.templates.created_at IS 'When it was made.';
COMMENT ON COLUMN annals.templates.updated_at IS 'When it was last changed.';

CREATE TABLE annals.batches (
    group_id text NOT NULL CHECK (group_id <> ''),
    id uuid NOT NULL,
    metadata jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    ignored_roles text[] NOT NULL DEFAULT '{}',
    groups text[] NOT NULL DEFAULT '{}',
    items integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    processed_at timestamptz,
    PRIMARY KEY (group_id, id)
);

COMMENT ON TABLE annals.batches IS 'Episodes that are collected, for several groups of an application, before they are added.';
COMMENT ON COLUMN annals.batches.group_id IS 'The namespace of the application.';
COMMENT ON COLUMN annals.batches.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.batches.metadata IS 'What the application keeps with it.';
COMMENT ON COLUMN annals.batches.ignored_roles IS 'Whose messages are stored but not read into the graph.';
COMMENT ON COLUMN annals.batches.groups IS 'The groups that its items are for.';
COMMENT ON COLUMN annals.batches.items IS 'How many there are.';
COMMENT ON COLUMN annals.batches.created_at IS 'When it was made.';
COMMENT ON COLUMN annals.batches.updated_at IS 'When something was last added.';
COMMENT ON COLUMN annals.batches.processed_at IS 'When its items were added to their groups. NULL: they were not yet.';

-- An item lies with the group that it is for, and goes with it.
CREATE TABLE annals.batch_items (
    group_id text NOT NULL REFERENCES annals.groups ON DELETE CASCADE,
    batch_id uuid NOT NULL,
    place integer NOT NULL,
    episode_id uuid NOT NULL,
    item jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, batch_id, place)
);

COMMENT ON TABLE annals.batch_items IS 'What was collected in batches, each item with the group that it is for.';
COMMENT ON COLUMN annals.batch_items.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.batch_items.batch_id IS 'The batch.';
COMMENT ON COLUMN annals.batch_items.place IS 'Which of its items it is, from 0.';
COMMENT ON COLUMN annals.batch_items.episode_id IS 'The episode that it is, or will be.';
COMMENT ON COLUMN annals.batch_items.item IS 'The episode, until it is added; then what is left to say of it.';
COMMENT ON COLUMN annals.batch_items.created_at IS 'When it was collected.';

-- A group that goes leaves no name behind.
-- +goose StatementBegin
CREATE FUNCTION annals.leave_batches() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
    PERFORM annals.check_tenant(OLD.group_id);
    UPDATE annals.batches SET groups = array_remove(groups, OLD.group_id) WHERE OLD.group_id = ANY (groups);
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER leave_batches AFTER DELETE ON annals.groups FOR EACH ROW EXECUTE FUNCTION annals.leave_batches();
REVOKE EXECUTE ON FUNCTION annals.leave_batches() FROM PUBLIC;
COMMENT ON FUNCTION annals.leave_batches() IS 'Takes a group that is removed off the lists of batches.';

-- +goose Down

DROP TRIGGER leave_batches ON annals.groups;
DROP FUNCTION annals.leave_batches;
DROP TABLE annals.batch_items, annals.batches, annals.templates, annals.instructions, annals.users;
DROP INDEX annals.threads_id;
DELETE FROM annals.threads WHERE through_id IS NULL;
ALTER TABLE annals.threads DROP CONSTRAINT threads_through, DROP created_at, DROP metadata, ALTER through_at SET NOT NULL,
    ALTER through_id SET NOT NULL;
DROP INDEX annals.groups_namespace;
ALTER TABLE annals.groups DROP name, DROP description, DROP time_zone, DROP updated_at;
