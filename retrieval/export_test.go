package retrieval

// What tests from outside hold against a reference.
var OkapiOfThreads = okapiOfThreads
