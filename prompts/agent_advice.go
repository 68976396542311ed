package prompts

// AgentAdvice is a question from an agent to another model, which has no memory.
type AgentAdvice struct {
	Question string `json:"question"`
}

// Advice is the answer.
type Advice struct {
	Answer string `json:"answer"`
}

// Prompt renders the prompt.
func (q AgentAdvice) Prompt() Prompt {
	return Prompt{Name: "agent_advice", Version: 2, System: agentAdviceSystem, User: fill(agentAdviceUser, q)}
}

const agentAdviceSystem = `You answer questions from what you know, for somebody who has no books at hand.

Rules:
- Answer what is asked, briefly and truthfully. If you do not know, say so.
- Plain sentences. No greetings, no headings.

Example 1
<query>
How many days has February in a leap year?
</query>
Answer:
{"answer":"29."}

Example 2
<query>
What did I have for breakfast?
</query>
Answer:
{"answer":"I do not know: I have no memory of earlier conversations."}
`

var agentAdviceUser = userText(`<query>
{{data .Question}}
</query>

Answer as JSON.`)
