package edit

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
)

// skillDecisions are the decisions about a skill, with the state that each gives it. Empty: the
// decision is taken back.
var skillDecisions = map[string]string{"approve": "confirmed", "reject": "rejected", "leave": ""}

// DecideSkill approves or rejects the procedure of a skill, or takes the decision back. The
// decision also applies if the same procedure is learned again later. It is on record.
func (e *Editor) DecideSkill(ctx context.Context, groupID string, id uuid.UUID, do string) error {
	state, known := skillDecisions[do]
	if !known {
		return graph.Invalid("decision", "%q is not one of approve, reject, leave", do)
	}
	if err := mayTrust(ctx); err != nil {
		return err
	}
	err := e.ByHand(ctx, groupID, "skill", func(t *change.Tx) error {
		rows, err := t.Queries.SkillList(ctx, db.SkillListParams{GroupID: groupID, ID: &id, State: "all", Ended: true, MaxRows: 1})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return change.NotFound("skill", "group %s has none with the id %s; 'annals skills' lists them", groupID, id)
		}
		skill, procedure, changed, before := rows[0].SkillID, rows[0].Procedure, int64(0), false
		if state == "" {
			if changed, err = t.Queries.SkillUndecide(ctx, db.SkillUndecideParams{GroupID: groupID, SkillID: skill, Procedure: procedure}); err == nil {
				before, err = t.Queries.SkillDecided(ctx, db.SkillDecidedParams{GroupID: groupID, SkillID: skill, Procedure: procedure})
			}
		} else {
			changed, err = t.Queries.SkillDecide(ctx, db.SkillDecideParams{GroupID: groupID, SkillID: skill, Procedure: procedure, Decision: state})
		}
		switch {
		case err != nil:
			return err
		case changed == 0 && (state != "" || before):
			return change.Forbidden("authority", "a higher authority decided about this skill")
		case changed == 0:
			return nil // there was no decision
		}
		return t.Queries.ChangeNote(ctx, db.ChangeNoteParams{
			GroupID: groupID, Action: "skill", Detail: fmt.Appendf(nil, `{"skill": %q, "procedure": %q, "decision": %q}`, skill, procedure, do),
		})
	})
	return change.Failed(err, "decide about skill %s", id)
}
