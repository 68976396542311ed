package zep

import "net/http"

// former are the routes that only clients of version 2 call. They are answered by
// what took their place.
var former = func() []route {
	var routes []route
	for _, f := range []struct {
		instead string
		names   []string
	}{
		{"sessions are threads: thread.create, thread.add_messages and thread.get_user_context of version 3", []string{
			"POST /sessions", "GET /sessions-ordered", "POST /sessions/end", "POST /sessions/search", "GET /sessions/{session}",
			"PATCH /sessions/{session}", "POST /sessions/{session}/classify", "POST /sessions/{session}/end",
			"POST /sessions/{session}/extract", "GET /sessions/{session}/facts", "POST /sessions/{session}/facts",
			"DELETE /sessions/{session}/memory", "GET /sessions/{session}/memory", "POST /sessions/{session}/memory",
			"GET /sessions/{session}/messages", "GET /sessions/{session}/messages/{message}",
			"PATCH /sessions/{session}/messages/{message}", "POST /sessions/{session}/search", "GET /sessions/{session}/summary",
			"GET /sessions/{session}/synthesize_question", "GET /users/{user}/sessions",
		}},
		{"groups are graphs: graph.create and graph_id of version 3", []string{
			"POST /groups", "GET /groups-ordered", "GET /groups/{group}", "PATCH /groups/{group}", "DELETE /groups/{group}",
			"GET /groups/{group}/facts", "POST /graph/edge/group/{group}", "GET /graph/episodes/group/{group}", "POST /graph/node/group/{group}",
		}},
		{"facts are edges: graph.edge", []string{"GET /facts/{fact}", "DELETE /facts/{fact}", "GET /users/{user}/facts"}},
		{"documents are episodes with a document_id: graph.add of version 3", []string{
			"GET /collections", "GET /collections/{collection}", "POST /collections/{collection}", "PATCH /collections/{collection}",
			"DELETE /collections/{collection}", "POST /collections/{collection}/documents",
			"POST /collections/{collection}/documents/batchDelete", "POST /collections/{collection}/documents/batchGet",
			"PATCH /collections/{collection}/documents/batchUpdate", "GET /collections/{collection}/documents/uuid/{document}",
			"PATCH /collections/{collection}/documents/uuid/{document}", "DELETE /collections/{collection}/documents/uuid/{document}",
			"POST /collections/{collection}/search",
		}},
	} {
		for _, r := range notThere(second.root, f.names...) {
			r.answer = func(*call) (any, error) {
				return nil, refusal(http.StatusNotImplemented, "this is a call of version 2 of Zep's clients, which Annals answers only in part; "+f.instead)
			}
			routes = append(routes, r)
		}
	}
	return routes
}()
