-- What mentions weigh is worked out in double precision: with numeric, a power takes twenty times as long.
--
-- +goose Up

-- What a mention weighs at a time. What is said later than that weighs 1.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.decayed(said_at timestamptz, half_life interval, at timestamptz) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN at <= said_at THEN 1
        ELSE 0.5::double precision ^ least(date_part('epoch', at - said_at) / date_part('epoch', half_life), 1000) END
$$;
-- +goose StatementEnd

-- +goose Down

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.decayed(said_at timestamptz, half_life interval, at timestamptz) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN at <= said_at THEN 1
        ELSE 0.5 ^ least(extract(epoch FROM at - said_at) / extract(epoch FROM half_life), 1000) END::double precision
$$;
-- +goose StatementEnd
