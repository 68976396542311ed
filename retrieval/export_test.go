package retrieval

// What tests from outside hold against a reference.
var (
	OkapiOfFew     = okapiOfFew
	OkapiOfThreads = okapiOfThreads
	ThreadsOf      = threadsOf
)

// Constants of the ranking that tests from outside need.
const (
	AssistantWeight = assistantWeight
	MostOfThread    = mostOfThread
)
