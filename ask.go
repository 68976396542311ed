package annals

import (
	"context"

	"github.com/annalsdb/annals/internal/answer"
)

// Question is what is asked, and how it is to be answered.
// [answer.Question] has its fields and methods.
type Question = answer.Question

// Answer is what a memory has to say to a question.
// [answer.Answer] has its fields and methods.
type Answer = answer.Answer

// Ask answers a question from what the memory has, and from nothing else. It
// searches as [Client.ContextAs] does and has [Config.LLM] answer in at most
// answer.MaxCalls calls; each sentence names the facts, episodes, entities and
// communities that it rests on, and those whose words do not stand in what they
// name are cut. Without a model the answer is the facts that answer by their relation, at
// the time that is asked about; where none does, the best passages
// (answer.FormPassages). Where nothing bears on the question it is not known, and no
// model is asked.
func (c *Client) Ask(ctx context.Context, q Question) (Answer, error) {
	main, _ := c.LLMs()
	return answer.New(c.Search, main).Answer(ctx, q)
}
