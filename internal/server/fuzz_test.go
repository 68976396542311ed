package server

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/annalsdb/annals/graph"
)

// Keys are refused, without appearing in the error, or give access to exactly the groups written
// before them.
func FuzzParseKeys(f *testing.F) {
	for _, text := range []string{"0123456789abcdef", "alice|bob=0123456789abcdef,0123456789abcdeg", "acme:*=0123456789abcdef", "=0123456789abcdef", "*=0123456789abcdef", "a=b=0123456789abcdef", ",,"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		keys, err := ParseKeys(text)
		if err != nil {
			for entry := range strings.SplitSeq(text, ",") {
				if _, secret, ok := strings.Cut(entry, "="); ok && len(secret) >= MinSecret && strings.Contains(err.Error(), secret) && !strings.Contains(entry[:len(entry)-len(secret)], secret) {
					t.Fatalf("the error for %q shows a secret: %v", text, err)
				}
			}
			return
		}
		entries := slices.DeleteFunc(strings.Split(text, ","), func(e string) bool { return strings.TrimSpace(e) == "" })
		if len(keys) != len(entries) {
			t.Fatalf("%q gives %d keys of %d", text, len(keys), len(entries))
		}
		for i, key := range keys {
			if scoped := strings.Contains(entries[i], "="); scoped != (len(key.Groups) > 0) {
				t.Fatalf("%q opens %q", entries[i], key.Groups)
			}
		}
	})
}

// The group of a request with an idempotency key is a valid one, whatever the path.
func FuzzGroupOf(f *testing.F) {
	for _, path := range []string{"/v1/groups/alice/episodes", "/v1/groups/a%2Fb/x", "/v1/groups//x", "/v1/groups/%00/x", "/v1/groups/%zz/x", "/v1/groups/..%2f../x"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		u, err := url.Parse("http://localhost" + path)
		if err != nil {
			return
		}
		if group := groupOf(u); group != "" && graph.ValidateGroupID(group) != nil {
			t.Fatalf("%q is of the group %q", path, group)
		}
	})
}
