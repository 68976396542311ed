package webhook

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
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

// The reason of a failed delivery is told to the user who chose the URL, and
// names no address of the operator's network.
func TestErrorsNameNoAddress(t *testing.T) {
	t.Parallel()
	resolver := &net.DNSError{Err: "no such host", Name: "hook.example", Server: "10.0.0.2:53"}
	dial := func(err error) error {
		return &url.Error{Op: "Post", URL: "https://hook.example/?key=s3cret", Err: &net.OpError{
			Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 443}, Err: err,
		}}
	}
	for _, err := range []error{dial(resolver), dial(errPrivate), dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), dial(errors.New("10.0.0.7 is odd")), dial(os.ErrDeadlineExceeded)} {
		if said := whyNot(err); strings.Contains(said, "10.0.0") || strings.Contains(said, "s3cret") || said == "" {
			t.Errorf("%q says %q", err, said)
		}
	}
	if said := whyNot(dial(os.NewSyscallError("connect", syscall.ECONNREFUSED))); said != "connection refused" {
		t.Errorf("a refused connection is %q", said)
	}
	sender := NewSender(false)
	defer sender.Close()
	_, err := sender.Send(t.Context(), Message{ID: "1", URL: "https://localhost/hook", Secret: []byte("secret"), Payload: []byte("{}")})
	if err == nil || !strings.Contains(err.Error(), "private network") || strings.Contains(err.Error(), "127.0.0.1") || strings.Contains(err.Error(), "::1") {
		t.Errorf("to this machine: %v", err)
	}
}
