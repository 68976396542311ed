package server

import (
	"crypto/sha256"
	"errors"
	"strings"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/service"
)

// Key is an API key that the operator configured, in addition to those in the database.
type Key struct {
	Name      string          // identifies it in the log
	Groups    []string        // the groups and namespaces, as in acme:*, that it opens; empty: all
	Rights    service.Rights  // what it may do there
	Authority graph.Authority // the highest authority with which it can write
	hash      [sha256.Size]byte
}

// The limits on the length of a configured secret, in bytes.
const (
	MinSecret = 16
	MaxSecret = 512
)

// ParseKeys parses the format of ANNALS_API_KEYS: secrets separated by commas, each of 16 to 512
// letters, digits and - . _ ~ + /. Before a secret stand the groups that it opens, as in
// alice|bob=SECRET or acme:*=SECRET; without them it opens all. Behind it stand its rights and its
// highest authority, as in SECRET;read or SECRET;write;document. Without them it may do everything,
// with the authority of a person.
func ParseKeys(text string) ([]Key, error) {
	var keys []Key
	for i, entry := range strings.Split(text, ",") {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		groups, secret, scoped := strings.Cut(entry, "=")
		if !scoped {
			groups, secret = "", entry
		}
		secret, limits, _ := strings.Cut(secret, ";")
		if !isSecret(secret) { // the secret must not appear in the error
			return nil, graph.Invalid("ANNALS_API_KEYS", "its key number %d is not %d to %d letters, digits and - . _ ~ + /; "+
				"'openssl rand -hex 32' makes one", i+1, MinSecret, MaxSecret)
		}
		key := Key{Name: "static-" + fingerprint(secret), hash: sha256.Sum256([]byte(secret))}
		may, word, _ := strings.Cut(limits, ";")
		var wrong, unknown error
		key.Rights, wrong = service.ParseRights(may)
		key.Authority, unknown = service.ParseAuthority(word)
		if errors.Join(wrong, unknown) != nil { // the wrong part may be a secret
			return nil, graph.Invalid("ANNALS_API_KEYS", "its key number %d has rights that are none of read, write and erase, "+
				"or an authority that is none of assistant, document, user and person; keys are separated by commas", i+1)
		}
		if scoped {
			key.Groups = strings.Split(groups, "|")
			for _, g := range key.Groups {
				if err := graph.ValidateGroupPattern(g); err != nil {
					return nil, graph.Invalid("ANNALS_API_KEYS", "its key number %d names a group that cannot be: %v", i+1, err)
				}
			}
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func isSecret(s string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/"
	return len(s) >= MinSecret && len(s) <= MaxSecret && strings.Trim(s, allowed) == ""
}
