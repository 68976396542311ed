package answer

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
)

// The limits on standing questions.
const (
	MaxStanding = 32   // questions of one group
	MaxQuestion = 1000 // bytes of a question
)

// StandingAnswer is a question that a group keeps answered, with its answer.
type StandingAnswer struct {
	GroupID  string          `json:"group_id"`
	ID       uuid.UUID       `json:"id" format:"uuid"`
	Question string          `json:"question"`
	Schema   json.RawMessage `json:"schema,omitempty" doc:"The JSON Schema of the values that are filled in as well"`
	Tokens   int             `json:"tokens" doc:"The most tokens of what it is answered from"`

	// Answer is nil while the question waits to be asked: it was never asked, or what the answer
	// rests on has changed or gone.
	Answer *Answer `json:"answer,omitempty" doc:"Left out while the question waits to be asked: what the answer was made from changed or went"`

	AnsweredAt *time.Time `json:"answered_at" doc:"When it was asked last; null: never"`
	KnownFrom  time.Time  `json:"known_from" doc:"Since when this is what it says"`
	KnownUntil *time.Time `json:"known_until" doc:"Until when it was; null: it still is"`
	CreatedAt  time.Time  `json:"created_at" doc:"Since when the question is kept"`
}

// Text returns the answer with its values; "" while the question waits to be asked.
func (s StandingAnswer) Text() string {
	switch {
	case s.Answer == nil:
		return ""
	case len(s.Answer.Data) > 2 && s.Answer.Form == FormUnknown:
		return string(s.Answer.Data)
	case len(s.Answer.Data) > 2:
		return s.Answer.Text + "\n" + string(s.Answer.Data)
	}
	return s.Answer.Text
}

// ReadStanding converts a version of a standing answer. The answer is as of now, or as of validAt
// if that is not zero. knownAt is the time of reading; zero: now.
func ReadStanding(groupID string, row db.AnswerListRow, validAt, knownAt time.Time) (StandingAnswer, error) {
	recorded := db.Interval(row.Recorded)
	s := StandingAnswer{
		GroupID: groupID, ID: row.ID, Question: row.Question, Tokens: int(row.Tokens), AnsweredAt: utc(row.AnsweredAt),
		KnownFrom: recorded.Start, KnownUntil: db.Nullable(recorded.End), CreatedAt: row.CreatedAt.UTC(),
	}
	if row.Schema != "" {
		s.Schema = json.RawMessage(row.Schema)
	}
	if knownAt.IsZero() {
		knownAt = time.Now()
	}
	if row.Stale || row.GoodUntil != nil && !row.GoodUntil.After(knownAt) {
		return s, nil
	}
	slots, err := readSchema(s.Schema)
	if err != nil {
		return s, err
	}
	var kept body
	if err := json.Unmarshal(row.Body, &kept); err != nil {
		return s, &graph.Error{Code: graph.CodeInternal, Field: "answer", Message: "cannot be read as it is stored", Err: err}
	}
	says := kept.answer(groupID, row.Question, slots, validAt)
	s.Answer = &says
	return s, nil
}

func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(t.UTC())
}

// toKeep validates a standing question. It is asked repeatedly, of one group and as of the time of
// asking, so it may set no other fields.
func (q Question) toKeep() (Question, error) {
	q.Text = strings.Join(strings.Fields(q.Text), " ")
	if err := graph.ValidateText("query", q.Text, MaxQuestion); err != nil {
		return q, err
	}
	set := reflect.ValueOf(q.Query)
	for i := range set.NumField() {
		if name := set.Type().Field(i).Name; name != "GroupID" && name != "Text" && !set.Field(i).IsZero() {
			return q, graph.Invalid("query", "sets %s, which a question that is kept answered cannot: it is asked of one group, as things are then", name)
		}
	}
	q.Query = retrieval.Query{GroupID: q.GroupID, Text: q.Text}
	asked, err := q.prepared()
	if err == nil {
		_, err = readSchema(q.Schema)
	}
	q.Tokens = asked.Tokens
	return q, err
}
