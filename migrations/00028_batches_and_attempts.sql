-- A group that goes leaves no name behind on the lists of batches, also where
-- migration 23 was applied before it saw to that; its function finds names in no
-- schema of the caller's. And how often an episode is tried once it is retried.
--
-- +goose Up

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION annals.leave_batches() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM annals.check_tenant(OLD.group_id);
    UPDATE annals.batches SET groups = array_remove(groups, OLD.group_id) WHERE OLD.group_id = ANY (groups);
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER leave_batches AFTER DELETE ON annals.groups FOR EACH ROW EXECUTE FUNCTION annals.leave_batches();
REVOKE EXECUTE ON FUNCTION annals.leave_batches() FROM PUBLIC;
COMMENT ON FUNCTION annals.leave_batches() IS 'Takes a group that is removed off the lists of batches.';

COMMENT ON COLUMN annals.episodes.attempts IS 'How often its processing was begun since it came, or since it was last retried.';

-- +goose Down

COMMENT ON COLUMN annals.episodes.attempts IS 'How often its processing was begun.';
