package rest_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/slow"
)

// A change of a row that another request removes at the same moment gets a proper error, not an
// internal one.
func TestChangingWhatIsBeingRemoved(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	s := serve(t, server.Options{}, rest.Options{})
	for i := range 6 {
		group := fmt.Sprintf("/v1/groups/g%d", i)
		s.must(http.StatusCreated, nil, "POST", group+"/facts", `{"source": "Alice", "predicate": "LIKES", "target": "Tea", "fact": "Alice likes tea."}`)
		var list struct{ Facts []struct{ ID string } }
		s.must(http.StatusOK, &list, "GET", group+"/facts", "")
		fact := group + "/facts/" + list.Facts[0].ID
		var sending sync.WaitGroup
		try := func(method, path, body string) {
			sending.Go(func() {
				a := s.send(method, path, body)
				if !slices.Contains([]int{200, 204, 404, 409, 412}, a.status) {
					t.Errorf("%s %s: %d %s\n%s", method, path, a.status, a.body, s.log.failures())
				}
			})
		}
		for range 4 {
			try("PATCH", fact, `{"fact": "Alice likes green tea."}`)
			try("PATCH", fact, `{"fact": "Alice likes black tea."}`)
			try("PATCH", group+"/entities/Alice", `{"name": "Alicia"}`)
		}
		try("DELETE", fact, "")
		try("DELETE", group+"/entities/Tea", "")
		sending.Wait()
		user := fmt.Sprintf("u%d", i)
		s.must(http.StatusCreated, nil, "POST", "/v1/users", `{"id": "`+user+`"}`)
		for range 4 {
			try("PATCH", group, `{"description": "What Alice likes"}`)
			try("PATCH", "/v1/users/"+user, `{"first_name": "Alice"}`)
			try("PUT", group+"/ontology", `{"instructions": "Mind the tone."}`)
			try("PUT", group+"/retention", `{"max_episodes": 10}`)
		}
		try("DELETE", group, "")
		try("DELETE", "/v1/users/"+user, "")
		sending.Wait()
	}
}
