package v4_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/server"
	v4 "github.com/annalsdb/annals/internal/server/zep/v4"
)

// A mistake of the caller is not reported as an error of the service, whatever its status.
func TestARequestAtFaultIsNoInternalError(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		http.StatusUnsupportedMediaType: "invalid_request", http.StatusUnprocessableEntity: "invalid_request", http.StatusConflict: "conflict",
		http.StatusInternalServerError: "internal_error", http.StatusServiceUnavailable: "service_unavailable",
	} {
		body, err := json.Marshal(v4.Problem(httptest.NewRequest(http.MethodGet, "/", nil), server.NewProblem(status, "x")))
		if err != nil || !strings.Contains(string(body), `"`+want+`"`) {
			t.Errorf("%d is %s (%v), want %s", status, body, err, want)
		}
	}
}
