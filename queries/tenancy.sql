-- Binds the rest of the transaction to one group: it sees no other, whatever it
-- asks. The settings end with the transaction, so that the next one on this
-- connection, which may be somebody else's, has none of them.
-- name: TenantBind :exec
SELECT set_config('role', 'annals_tenant', true), annals_internal.set_local('annals.group_id', @group_id::text);

-- Returns which role the transaction acts as, and for which group.
-- name: TenantState :one
SELECT current_setting('role')::text AS role, coalesce(current_setting('annals.group_id', true), '')::text AS group_id;

-- Undoes TenantBind before the transaction ends.
-- name: TenantRestore :exec
SELECT set_config('role', @role::text, true), annals_internal.set_local('annals.group_id', @group_id::text);
