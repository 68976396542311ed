package annals

import (
	"context"

	"github.com/annalsdb/annals/internal/answer"
)

// Question is a question to a memory, with the time it is about and the form of its answer.
// [answer.Question] has its fields and methods.
type Question = answer.Question

// Answer is the answer to a [Question], with its sources. [answer.Answer] has its fields and
// methods.
type Answer = answer.Answer

// Ask answers a question from what the memory holds, and from nothing else. It searches as
// [Client.ContextAs] does and has [Config.LLM] answer, in at most answer.MaxCalls calls. Each
// sentence names the facts, episodes, entities and communities it rests on. A sentence whose words
// do not occur in its sources is cut.
//
// Without a model the answer consists of the facts whose relation answers the question, at the time
// it asks about; failing those, of the best passages (answer.FormPassages). If the memory holds
// nothing on the question, the answer is that it is not known, and no model is called.
func (c *Client) Ask(ctx context.Context, q Question) (Answer, error) {
	main, _ := c.LLMs()
	return answer.New(c.Search, main).Answer(ctx, q)
}
