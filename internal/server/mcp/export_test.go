package mcp

// ForAgents is what an error says to an agent.
var ForAgents = forAgents

// MaxBody is the most bytes of a message.
const MaxBody = maxBody
