package retrieval

// Internals that external tests compare with a reference.
var (
	OkapiOf         = okapiOf
	OkapiOfThreads  = okapiOfThreads
	ThreadsOf       = threadsOf
	WordsOfPostings = wordsOfPostings
)

// Constants of the ranking that tests from outside need.
const (
	AssistantWeight = assistantWeight
	MostOfThread    = mostOfThread
)
