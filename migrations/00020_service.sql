-- What the service needs beside the memory: keys that open it, and what it
-- answered to requests that may be sent twice.
--
-- +goose Up

-- A key opens some groups or all, so that it stands under the group '', as
-- what holds for the whole database does. Its secret is not kept.
CREATE TABLE annals.api_keys (
    group_id text NOT NULL DEFAULT '' CHECK (group_id = ''),
    id uuid NOT NULL,
    name text NOT NULL DEFAULT '' CHECK (octet_length(name) <= 512),
    prefix text COLLATE "C" NOT NULL,
    hash bytea NOT NULL CHECK (octet_length(hash) = 32), -- SHA-256 of the secret
    admin boolean NOT NULL DEFAULT false,
    groups text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    PRIMARY KEY (group_id, id),
    CONSTRAINT api_keys_prefix UNIQUE (group_id, prefix),
    CONSTRAINT api_keys_open_something CHECK (admin <> (cardinality(groups) > 0))
);

COMMENT ON TABLE annals.api_keys IS 'What opens the servers: all groups, or some. They stand under no group, where no tenant sees them.';
COMMENT ON COLUMN annals.api_keys.group_id IS 'Empty: the whole database.';
COMMENT ON COLUMN annals.api_keys.id IS 'Its id, a UUIDv7.';
COMMENT ON COLUMN annals.api_keys.name IS 'What it is for, in words.';
COMMENT ON COLUMN annals.api_keys.prefix IS 'What its secret begins with, by which it is found.';
COMMENT ON COLUMN annals.api_keys.hash IS 'SHA-256 of its secret, which is not kept.';
COMMENT ON COLUMN annals.api_keys.admin IS 'Whether it opens all groups.';
COMMENT ON COLUMN annals.api_keys.groups IS 'The groups that it opens otherwise.';
COMMENT ON COLUMN annals.api_keys.created_at IS 'When it was made.';
COMMENT ON COLUMN annals.api_keys.expires_at IS 'Until when it works. NULL: without end.';
COMMENT ON COLUMN annals.api_keys.revoked_at IS 'When it was revoked. NULL: it was not.';
COMMENT ON COLUMN annals.api_keys.last_used_at IS 'When it was last used, to the minute. NULL: never.';

-- No foreign key to the group: a request may be the first that names it.
CREATE TABLE annals.replies (
    group_id text NOT NULL CHECK (group_id <> ''),
    caller text NOT NULL,
    key text NOT NULL CHECK (octet_length(key) <= 512),
    request_hash bytea NOT NULL CHECK (octet_length(request_hash) = 32),
    status integer, -- NULL: the request is being worked on
    header jsonb NOT NULL DEFAULT '{}',
    body bytea NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (group_id, caller, key)
);
CREATE INDEX replies_created ON annals.replies (created_at);

COMMENT ON TABLE annals.replies IS 'What was answered to requests that may be sent twice, for a day.';
COMMENT ON COLUMN annals.replies.group_id IS 'The memory, which is also the tenant, that the row belongs to.';
COMMENT ON COLUMN annals.replies.caller IS 'Whose request it is: the id of an API key, or the name of one that the operator set.';
COMMENT ON COLUMN annals.replies.key IS 'The caller''s word for the request.';
COMMENT ON COLUMN annals.replies.request_hash IS 'SHA-256 of the request, to tell it from others.';
COMMENT ON COLUMN annals.replies.status IS 'The HTTP status of the answer. NULL: the request is being worked on.';
COMMENT ON COLUMN annals.replies.header IS 'The headers of the answer that belong to it.';
COMMENT ON COLUMN annals.replies.body IS 'The answer.';
COMMENT ON COLUMN annals.replies.created_at IS 'When the request came.';

-- +goose Down

DROP TABLE annals.replies;
DROP TABLE annals.api_keys;
