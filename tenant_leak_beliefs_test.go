package annals_test

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// beliefCalls returns the methods about beliefs and standing answers.
func (l *leak) beliefCalls() map[string]clientCall {
	return map[string]clientCall{
		"Ask": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Ask(ctx, annals.Question{Query: leakQuery(g)})
		}},
		"KeepAnswer": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.KeepAnswer(ctx, annals.Question{Query: annals.Query{GroupID: g, Text: "Who is Bob?"}})
		}},
		"StandingAnswers": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.StandingAnswers(ctx, annals.StandingFilter{GroupID: g, EveryVersion: true})
		}},
		"DropAnswer": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, c.DropAnswer(ctx, g, l.answer)
		}},
		"ObservationHistory": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.ObservationHistory(ctx, g, l.observation)
		}},
		"Observations": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Observations(ctx, annals.ObservationFilter{GroupID: g, Ended: true})
		}},
		"Observe": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) { return nil, c.Observe(ctx, g) }},
		"Skills": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return c.Skills(ctx, annals.SkillFilter{GroupID: g, State: "all", Ended: true})
		}},
		"SkillHistory": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).SkillHistory(ctx, g, l.skill)
		}},
		"DecideSkill": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).DecideSkill(ctx, g, l.skill, "approve")
		}},
		"Mark": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Mark(ctx, g, service.MarkChange{IDs: []uuid.UUID{l.fact, l.episode}, Mark: graph.MarkUseful})
		}},
		"Marks": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Marks(ctx, service.MarkFilter{GroupID: g})
		}},
		"Confirm": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Confirm(ctx, g, []uuid.UUID{l.fact}, true)
		}},
		"Release": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Release(ctx, g, service.Release{All: true})
		}},
		"TrustPolicy": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).TrustPolicy(ctx, g)
		}},
		"SetTrustPolicy": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return nil, service.New(c).SetTrustPolicy(ctx, g, service.TrustPolicy{})
		}},
		"Review": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Review(ctx, service.ReviewFilter{GroupID: g, Limit: 10})
		}},
		"Added": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Added(ctx, service.ReviewFilter{GroupID: g, Brought: service.Brought{Until: time.Now()}, Limit: 10})
		}},
		"Decide": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Decide(ctx, service.ReviewDecision{GroupID: g, Do: "approve", FactIDs: []uuid.UUID{l.fact}})
		}},
		"TakeBack": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).TakeBack(ctx, service.TakingBack{GroupID: g, Brought: service.Brought{Until: time.Now()}, DryRun: true})
		}},
		"Rejections": {true, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Rejections(ctx, service.RejectionFilter{GroupID: g, Lifted: true, Limit: 10})
		}},
		"Audit": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).Audit(ctx, service.AuditFilter{GroupID: g})
		}},
		"AuditHead": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).AuditHead(ctx, g)
		}},
		"VerifyAudit": {false, func(ctx context.Context, c *annals.Client, g string) (any, error) {
			return service.New(c).VerifyAudit(ctx, g, "")
		}},
	}
}
