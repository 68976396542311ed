package mcp

// ForAgents rewrites an error for an agent.
var ForAgents = forAgents

// MaxBody is the maximum size of a message in bytes.
const MaxBody = maxBody
