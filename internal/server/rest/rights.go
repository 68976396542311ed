package rest

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// needs has the operations that need other rights than their method says: what
// is posted and only reads, and what is deleted and stays in the history.
var needs = map[string]service.Rights{
	"search":         service.RightsRead,
	"get-context":    service.RightsRead,
	"ask":            service.RightsRead,
	"explain-search": service.RightsRead,

	"withdraw-fact":   service.RightsWrite,
	"unconfirm-fact":  service.RightsWrite,
	"delete-webhook":  service.RightsWrite,
	"drop-answer":     service.RightsWrite,
	"set-retention":   service.RightsErase, // it removes from then on
	"set-trust":       service.RightsErase, // it decides about what others said
	"delete-agent":    service.RightsErase,
	"detach-document": service.RightsErase,
	"undo-episode":    service.RightsWrite, // with erase=true it erases
	"take-back":       service.RightsWrite,
}

// needed returns the rights that a request needs.
func needed(ctx huma.Context) service.Rights {
	op := ctx.Operation()
	if op.OperationID == "undo-episode" && ctx.Query("erase") != "" && ctx.Query("erase") != "false" {
		return service.RightsErase
	}
	if rights, ok := needs[op.OperationID]; ok {
		return rights
	}
	return server.NeededFor(op.Method)
}
