-- What sqlc has to know of the tables that River makes itself, in a schema of
-- their own: the columns that queries/queue.sql names.
CREATE SCHEMA annals_queue;

CREATE TYPE annals_queue.river_job_state AS ENUM (
    'available', 'cancelled', 'completed', 'discarded', 'pending', 'retryable', 'running', 'scheduled'
);

CREATE TABLE annals_queue.river_job (
    id bigint PRIMARY KEY,
    state annals_queue.river_job_state NOT NULL,
    attempted_at timestamptz,
    scheduled_at timestamptz NOT NULL,
    max_attempts smallint NOT NULL,
    args jsonb NOT NULL,
    kind text NOT NULL,
    metadata jsonb NOT NULL,
    queue text NOT NULL,
    unique_key bytea,
    unique_states bit(8)
);
