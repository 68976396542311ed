package webhook

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/annalsdb/annals/graph"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestURLs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		url                  string
		secure, evenInsecure bool
	}{
		{"https://example.com/hook?key=1", true, true},
		{"http://example.com/hook", false, true},
		{"https://192.168.1.1/", false, true},
		{"https://[::1]:8443/", false, true},
		{"https://user@example.com/", false, false},
		{"https://example.com/#part", false, false},
		{"https:///hook", false, false},
		{"file:///etc/passwd", false, false},
		{"https://example.com/" + strings.Repeat("x", MaxURL), false, false},
		{"", false, false},
	} {
		for insecure, want := range map[bool]bool{false: tt.secure, true: tt.evenInsecure} {
			if err := CheckURL(tt.url, insecure); (err == nil) != want || err != nil && graph.CodeOf(err) != graph.CodeInvalid {
				t.Errorf("%.40s, insecure %t: %v", tt.url, insecure, err)
			}
		}
	}
}

// A redirect could lead anywhere, and is not followed.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	followed := false
	mux := http.NewServeMux()
	mux.Handle("/hook", http.RedirectHandler("/inside", http.StatusTemporaryRedirect))
	mux.HandleFunc("/inside", func(http.ResponseWriter, *http.Request) { followed = true })
	receiver := httptest.NewServer(mux)
	defer receiver.Close()
	sender := NewSender(true)
	defer sender.Close()
	status, err := sender.Send(t.Context(), Message{ID: "1", URL: receiver.URL + "/hook", Secret: []byte("secret"), Payload: []byte("{}")})
	if status != http.StatusTemporaryRedirect || err == nil || followed {
		t.Errorf("answered with %d (%v), followed: %t", status, err, followed)
	}
}
