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

-- No foreign key to the group: a request may be the first that names it.
CREATE TABLE annals.replies (
    group_id text NOT NULL, -- '': the request is about no group
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

-- +goose Down

DROP TABLE annals.replies;
DROP TABLE annals.api_keys;
