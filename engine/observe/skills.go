package observe

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/analyst"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/prompts"
)

// mostWorded is how many skills of a group are worded at a time, with one call each.
const mostWorded = 5

// WordSkills asks a model to word skills whose runs changed since. If the answer is unusable or the
// model declines, the skill keeps the words of its runs, and the next one follows. It stops if the
// model does not answer at all.
func (o *Observer) WordSkills(ctx context.Context, groupID string) error {
	teacher, ok := o.Analyst.(analyst.Teacher)
	if !ok {
		return nil
	}
	rows, err := db.New(o.Pool).SkillsToWord(ctx, db.SkillsToWordParams{GroupID: groupID, MaxRows: mostWorded})
	if err != nil {
		return err
	}
	ctx = model.WithSubject(ctx, model.Subject{GroupID: groupID})
	var failed error
	for _, row := range rows {
		said, err := teacher.WordSkill(ctx, prompts.WordSkill{Tasks: row.Asked, Steps: row.Steps, Pitfalls: row.Errors, Preconditions: row.Preconditions})
		failed = errors.Join(failed, err)
		if err != nil && !answered(err) {
			break
		}
		if err := o.wordSkill(ctx, groupID, row, said); err != nil {
			return errors.Join(err, failed)
		}
	}
	return analyst.Failed(ctx, "word a skill", failed)
}

// answered reports whether an error of a model concerns the question itself, so that asking again
// would give the same error.
func answered(err error) bool {
	if _, ok := errors.AsType[*model.CallError](err); ok {
		return !analyst.Outage(err)
	}
	_, ok := errors.AsType[*model.AnswerError](err)
	return ok
}

// wordSkill stores the model's words for a skill, or that there are none.
func (o *Observer) wordSkill(ctx context.Context, groupID string, row db.SkillsToWordRow, said prompts.WordedSkill) error {
	return change.Locked(ctx, o.Pool, groupID, func(q *db.Queries) error {
		if err := q.BeginWrite(ctx, groupID); err != nil {
			return err
		}
		words, ok := worded(row, said)
		if !ok {
			return q.SkillUnworded(ctx, db.SkillUnwordedParams{GroupID: groupID, ID: row.ID, Basis: row.Basis})
		}
		words.GroupID, words.Reader = groupID, o.Analyst.Name()
		return q.SkillWord(ctx, words)
	})
}

// worded validates the words of a model. Pitfalls that it omits or words too long stay as they are;
// all keep their times.
func worded(row db.SkillsToWordRow, said prompts.WordedSkill) (db.SkillWordParams, bool) {
	fits := func(text string, most int) bool {
		return strings.TrimSpace(text) != "" && graph.ValidateText("skill", text, most) == nil
	}
	if !fits(said.Name, prompts.MaxSkillName) || !fits(said.When, prompts.MaxSkillText) {
		return db.SkillWordParams{}, false
	}
	w := db.SkillWordParams{ID: row.ID, Basis: row.Basis, Name: said.Name, Preconditions: row.Preconditions, Pitfalls: slices.Clone(row.Pitfalls)}
	w.Tasks = append([]string{said.When}, row.Tasks[:min(len(row.Tasks), 4)]...)
	for _, p := range said.Pitfalls {
		if p.ID < 1 || p.ID > len(w.Pitfalls) || !fits(p.Says, prompts.MaxSkillText) {
			continue
		}
		times := strings.TrimPrefix(row.Pitfalls[p.ID-1], row.Errors[p.ID-1])
		w.Pitfalls[p.ID-1] = strings.TrimRight(p.Says, ". ") + times
	}
	unfit := func(text string) bool { return !fits(text, prompts.MaxSkillText) }
	if n := len(said.Preconditions); n > 0 && n <= len(row.Preconditions) && !slices.ContainsFunc(said.Preconditions, unfit) {
		w.Preconditions = said.Preconditions
	}
	return w, true
}
