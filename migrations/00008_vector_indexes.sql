-- Which groups have an approximate index of their own over their vectors.
-- Small groups have none: reading all their vectors is as fast and misses
-- nothing.
--
-- +goose Up

-- No foreign key to the group: a group that is removed leaves its indexes
-- behind, and these lines say which, until the next run drops both.
CREATE TABLE annals.vector_indexes (
    group_id text NOT NULL,
    kind annals.kind NOT NULL,
    model text NOT NULL,
    index_name text COLLATE "C" NOT NULL CHECK (octet_length(index_name) <= 63),
    rows_at_build bigint NOT NULL CHECK (rows_at_build >= 0),
    valid boolean NOT NULL DEFAULT false, -- it was built to the end
    built_at timestamptz NOT NULL DEFAULT now(),
    checked_at timestamptz NOT NULL DEFAULT now(), -- whether it is still right for the group's size
    PRIMARY KEY (group_id, kind, model)
);

-- +goose Down

-- +goose StatementBegin
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT index_name FROM annals.vector_indexes LOOP
        EXECUTE format('DROP INDEX IF EXISTS annals.%I', name);
    END LOOP;
END
$$;
-- +goose StatementEnd
DROP TABLE annals.vector_indexes;
