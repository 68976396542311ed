-- Binds the rest of the transaction to one group: it sees no other. The settings end with the
-- transaction, so that the next one on this connection, which may be another tenant's, has none of
-- them.
-- name: TenantBind :exec
SELECT set_config('role', 'annals_tenant', true), annals_internal.set_local('annals.group_id', @group_id::text);

-- Returns the role and the group of the transaction.
-- name: TenantState :one
SELECT current_setting('role')::text AS role, coalesce(current_setting('annals.group_id', true), '')::text AS group_id;

-- Undoes TenantBind before the transaction ends.
-- name: TenantRestore :exec
SELECT set_config('role', @role::text, true), annals_internal.set_local('annals.group_id', @group_id::text);
