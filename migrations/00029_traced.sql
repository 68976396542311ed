-- Whose request an episode was stored in, as OpenTelemetry names it, so that
-- reading it stands in the same trace, whichever process does it.
--
-- +goose Up

ALTER TABLE annals.episodes ADD trace_context jsonb CHECK (jsonb_typeof(trace_context) = 'object');
COMMENT ON COLUMN annals.episodes.trace_context IS
    'The traceparent, and tracestate, of the request that stored it (W3C Trace Context). NULL: it was not traced.';

-- +goose Down

ALTER TABLE annals.episodes DROP trace_context;
