package server

import "net/http"

// KnownRoutes answers with a problem if the multiplexer has no route for the path, or not for the
// method.
func KnownRoutes(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		said := headers{}
		handler.ServeHTTP(said, r)
		if allow := said.Header().Get("Allow"); allow != "" {
			w.Header().Set("Allow", allow)
			WriteProblem(w, http.StatusMethodNotAllowed, "this path takes "+allow)
			return
		}
		WriteProblem(w, http.StatusNotFound, "there is no such path; /docs lists them")
	})
}

// headers is a ResponseWriter that keeps only the headers.
type headers http.Header

func (h headers) Header() http.Header          { return http.Header(h) }
func (headers) Write(body []byte) (int, error) { return len(body), nil }
func (headers) WriteHeader(int)                {}
