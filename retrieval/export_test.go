package retrieval

// What tests from outside hold against a reference.
var (
	OkapiOfFew     = okapiOfFew
	OkapiOfThreads = okapiOfThreads
)
