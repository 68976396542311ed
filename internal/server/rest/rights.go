package rest

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/service"
)

// needs lists the operations whose rights differ from those of their method: POST that only reads,
// and DELETE that the history keeps.
var needs = map[string]service.Rights{
	"search":         service.RightsRead,
	"get-context":    service.RightsRead,
	"ask":            service.RightsRead,
	"explain-search": service.RightsRead,

	"withdraw-fact":   service.RightsWrite,
	"unconfirm-fact":  service.RightsWrite,
	"delete-webhook":  service.RightsWrite,
	"drop-answer":     service.RightsWrite,
	"set-retention":   service.RightsErase, // it removes episodes from then on
	"set-trust":       service.RightsErase, // it decides whether statements of others are believed
	"delete-agent":    service.RightsErase,
	"detach-document": service.RightsErase,
	"undo-episode":    service.RightsWrite, // with erase=true it needs RightsErase
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
