package rest

import (
	"context"

	"github.com/annalsdb/annals/internal/paging"
	"github.com/annalsdb/annals/internal/service"
)

type auditPage struct {
	Audit      []service.AuditEntry `json:"audit"`
	NextCursor string               `json:"next_cursor,omitempty" doc:"For the next page; left out: this is the last"`
}

func (a *api) audit() {
	tags := []string{"audit"}
	add(a, op("list-audit", "GET", "/v1/groups/{group}/audit", tags, "List who changed, undid and erased, the first first",
		"Each entry has the hash of the one before it. The manual says how to check them without Annals."), a.listAudit)
	add(a, op("get-audit-head", "GET", "/v1/groups/{group}/audit/head", tags, "Read the hash of the last entry of the audit, to be kept elsewhere"),
		func(ctx context.Context, in *InGroup) (*body[service.AuditHead], error) {
			return answer(a.service(ctx).AuditHead(ctx, in.Group))
		})
	add(a, op("verify-audit", "GET", "/v1/groups/{group}/audit/verification", tags, "Check that nothing of the audit was changed or taken out",
		"It reads all of it."),
		func(ctx context.Context, in *struct {
			InGroup
			Head string `query:"head" maxLength:"64" doc:"The hash of an entry that was the last once: also check that it is there"`
		},
		) (*body[service.AuditVerification], error) {
			return answer(a.service(ctx).VerifyAudit(ctx, in.Group, in.Head))
		})
}

var auditList = paging.List[service.AuditEntry]{
	Name: "audit",
	Mark: func(e service.AuditEntry) cursor { return cursor{ID: new(e.RowID), Count: int(e.Position)} },
	Row:  func(c cursor) service.AuditEntry { return service.AuditEntry{Position: int64(c.Count)} },
}

func (a *api) listAudit(ctx context.Context, in *ListInput) (*body[auditPage], error) {
	filter, after := service.AuditFilter{GroupID: in.Group}, &service.AuditEntry{}
	entries, next, err := pageOf(auditList, itself, in.Page, &after, &filter.Limit, func() ([]service.AuditEntry, error) {
		filter.After = after.Position
		return a.service(ctx).Audit(ctx, filter)
	})
	return answer(auditPage{entries, next}, err)
}
