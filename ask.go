package annals

import (
	"context"

	"github.com/annalsdb/annals/internal/answer"
)

// Question is what is asked, and how it is to be answered.
//
//	type Question struct {
//		Query  retrieval.Query // what is asked, of which group, as of when and as known when
//		Tokens int             // how many the passages may have that the answer is made from; zero: answer.DefaultTokens
//		Schema json.RawMessage // a JSON Schema of values that are filled in as well; empty: none
//	}
//
// See [answer.Question].
type Question = answer.Question

// Answer is what a memory has to say to a question.
//
//	type Answer struct {
//		Form      string            // answer.FormAnswer, FormPassages or FormUnknown
//		By        string            // the model that answered; "offline": none
//		Text      string            // all sentences, or "Not known."
//		Sentences []answer.Sentence // each with what it rests on
//		Data      json.RawMessage   // the values by the schema; nil without one
//		Slots     []answer.Slot     // what each value rests on
//		Missing   []string          // what the schema requires and nothing fills
//		Shown     int               // how many passages it was made from
//		Cut       int               // how many sentences and values of the model were cut
//		Why       []string          // why they were cut, each reason once
//	}
//
// See [answer.Answer].
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
