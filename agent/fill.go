package agent

import "context"

// Fill is how full an agent's context is, in tokens as o200k_base counts them.
type Fill struct {
	Tokens int `json:"tokens" doc:"Of all that the model would read"`
	Fixed  int `json:"fixed" doc:"Of what cannot leave it: instructions, blocks, functions, open documents and the summary"`
	Room   int `json:"room" doc:"That the window leaves beside the answer. Where tokens are more, the oldest messages leave at the next step"`
}

// Fill counts what the model would read if the agent took a step now. What the
// group's graph would add to a turn, [Settings].ContextTokens at the most, is not
// counted, as it depends on what is said.
func (a *Agent) Fill(ctx context.Context) (Fill, error) {
	s, err := a.load(ctx)
	if err != nil {
		return Fill{}, err
	}
	p := a.compose(s, a.agents.functionsFor(a, s), "")
	return Fill{Tokens: p.tokens, Fixed: p.fixed, Room: a.Settings.withDefaults().room()}, nil
}
