package service

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
)

// APIKey authorises a program to use the servers, with all groups or with some. Its secret is shown
// once and not stored.
type APIKey struct {
	ID         uuid.UUID
	Name       string          // for people; may be empty
	Prefix     string          // the beginning of the secret
	Admin      bool            // whether it opens every group
	Groups     []string        // the groups and namespaces, as in acme:*, that it opens; empty if Admin
	Rights     Rights          // what it may do there
	Authority  graph.Authority // the highest authority with which it can write
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero: never
	RevokedAt  time.Time // zero: it is not revoked
	LastUsedAt time.Time // to the minute; zero: never used
}

// Usable reports whether the key is neither revoked nor expired.
func (k APIKey) Usable(now time.Time) bool {
	return k.RevokedAt.IsZero() && (k.ExpiresAt.IsZero() || now.Before(k.ExpiresAt))
}

// Opens reports whether the key opens a group.
func (k APIKey) Opens(groupID string) bool {
	return k.Admin || slices.ContainsFunc(k.Groups, func(opened string) bool {
		namespace, ok := graph.NamespaceOf(opened)
		return opened == groupID || ok && graph.InNamespace(groupID, namespace)
	})
}

// KeySpec describes a new key. It sets either Admin or Groups.
type KeySpec struct {
	Name      string          // at most graph.MaxName bytes
	Admin     bool            // whether it opens every group
	Groups    []string        // the groups it opens, at most MaxKeyGroups; acme:* stands for the namespace and for acme itself
	Rights    Rights          // empty: all of them
	Authority graph.Authority // the highest authority with which it can write; empty: that of a person
	ExpiresAt time.Time       // zero: never
}

// MaxKeyGroups is how many groups a key may list.
const MaxKeyGroups = 1000

// ErrNoAPIKey is returned by [Service.Authenticate] for a secret that belongs to no usable key. It
// does not reveal whether the key never existed, was revoked or has expired.
var ErrNoAPIKey = errors.New("no such key")

const (
	keyMark      = "annals_" // makes a leaked secret recognisable
	prefixLength = len(keyMark) + 8
	secretLength = prefixLength + len("_") + 43 // 32 bytes in base64
)

// CreateAPIKey creates a key and returns its secret, 256 random bits. Only their SHA-256 is stored,
// so the secret cannot be read again.
func (s *Service) CreateAPIKey(ctx context.Context, spec KeySpec) (secret string, key APIKey, err error) {
	if err := errors.Join(s.unbound(), spec.validate()); err != nil {
		return "", APIKey{}, err
	}
	err = db.InTxBy(ctx, s.pool, func(q *db.Queries) error {
		secret, key, err = createKey(ctx, q, spec)
		return err
	})
	return secret, key, err
}

func createKey(ctx context.Context, q *db.Queries, spec KeySpec) (string, APIKey, error) {
	secret := newSecret()
	hash := sha256.Sum256([]byte(secret))
	rights, wrong := ParseRights(string(spec.Rights))
	authority, unknown := ParseAuthority(string(spec.Authority))
	if err := errors.Join(wrong, unknown); err != nil {
		return "", APIKey{}, err
	}
	row, err := q.APIKeyInsert(ctx, db.APIKeyInsertParams{
		ID: uuid.Must(uuid.NewV7()), Name: spec.Name, Prefix: secret[:prefixLength], Hash: hash[:], Admin: spec.Admin,
		Groups: append([]string{}, spec.Groups...), Rights: string(rights), Authority: authority, ExpiresAt: db.Nullable(spec.ExpiresAt),
	})
	if err != nil {
		return "", APIKey{}, fmt.Errorf("store a key: %w", err)
	}
	return secret, apiKey(row), nil
}

func newSecret() string {
	random := make([]byte, 6+32) // for the prefix, and for the secret part
	_, _ = rand.Read(random)     // it never fails
	text := base64.RawURLEncoding.EncodeToString
	return keyMark + text(random[:6]) + "_" + text(random[6:])
}

func (s KeySpec) validate() error {
	switch {
	case s.Admin == (len(s.Groups) > 0):
		return graph.Invalid("groups", "a key opens either all groups, as admin, or those it lists")
	case len(s.Groups) > MaxKeyGroups:
		return graph.Invalid("groups", "are %d; the limit is %d", len(s.Groups), MaxKeyGroups)
	case !s.ExpiresAt.IsZero() && s.ExpiresAt.Before(time.Now()):
		return graph.Invalid("expires_at", "has passed")
	}
	for _, g := range s.Groups {
		if err := graph.ValidateGroupPattern(g); err != nil {
			return err
		}
	}
	return graph.ValidateText("name", s.Name, graph.MaxName)
}

// APIKeys lists all keys, the newest first.
func (s *Service) APIKeys(ctx context.Context) ([]APIKey, error) {
	if err := s.unbound(); err != nil {
		return nil, err
	}
	rows, err := db.New(s.pool).APIKeyList(ctx)
	return listed(rows, err, apiKey, "list keys")
}

// RevokeAPIKey revokes a key for good, by its id or prefix.
func (s *Service) RevokeAPIKey(ctx context.Context, idOrPrefix string) (APIKey, error) {
	if err := s.unbound(); err != nil {
		return APIKey{}, err
	}
	row, err := by(ctx, s, func(q *db.Queries) (db.APIKeyRow, error) {
		return q.APIKeyRevoke(ctx, idOrPrefix)
	})
	return found(row, err, apiKey, noKey(idOrPrefix), "revoke a key")
}

// RotateAPIKey creates a key with the groups, rights and authority of one in use. The old key keeps
// working for the grace period. The new one expires at expiresAt; zero: never.
func (s *Service) RotateAPIKey(ctx context.Context, idOrPrefix string, grace time.Duration, expiresAt time.Time) (secret string, key APIKey, err error) {
	if err := s.unbound(); err != nil {
		return "", APIKey{}, err
	}
	if grace < 0 {
		return "", APIKey{}, graph.Invalid("grace", "is negative; give how long the old key goes on working, or 0")
	}
	err = db.InTxBy(ctx, s.pool, func(q *db.Queries) error {
		row, err := q.APIKeySetExpiry(ctx, db.APIKeySetExpiryParams{ExpiresAt: time.Now().Add(grace), IDOrPrefix: idOrPrefix})
		old, err := found(row, err, apiKey, noKey(idOrPrefix), "rotate a key")
		if err != nil {
			return err
		}
		spec := KeySpec{Name: old.Name, Admin: old.Admin, Groups: old.Groups, Rights: old.Rights, Authority: old.Authority, ExpiresAt: expiresAt}
		if err := spec.validate(); err != nil {
			return err
		}
		secret, key, err = createKey(ctx, q, spec)
		return err
	})
	return secret, key, err
}

func noKey(idOrPrefix string) error {
	return change.NotFound("key", "there is none in use with the id or prefix %q; 'annals keys list' lists them", idOrPrefix)
}

// Authenticate returns the key that a secret belongs to, or [ErrNoAPIKey]. The time that it takes
// reveals nothing about the secret. If the Client is bound to a group, there are no keys.
func (s *Service) Authenticate(ctx context.Context, secret string) (APIKey, error) {
	if s.client.Tenant() != "" || !strings.HasPrefix(secret, keyMark) || len(secret) != secretLength {
		return APIKey{}, ErrNoAPIKey
	}
	q := db.New(s.pool)
	row, err := q.APIKeyByPrefix(ctx, secret[:prefixLength])
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return APIKey{}, &annals.Error{Code: annals.CodeUnavailable, Field: "database", Message: "cannot be asked for the key", Err: err}
	}
	hash := sha256.Sum256([]byte(secret))
	key := apiKey(row)
	if subtle.ConstantTimeCompare(hash[:], row.Hash) != 1 || !key.Usable(time.Now()) {
		return APIKey{}, ErrNoAPIKey
	}
	if time.Since(key.LastUsedAt) > time.Minute {
		if err := q.APIKeyUsed(ctx, key.ID); err != nil && !db.Unavailable(err) { // a database with a full disk still authenticates
			return APIKey{}, fmt.Errorf("note that a key was used: %w", err)
		}
	}
	return key, nil
}

func apiKey(row db.APIKeyRow) APIKey {
	return APIKey{
		ID: row.ID, Name: row.Name, Prefix: row.Prefix, Admin: row.Admin, Groups: row.Groups,
		Rights: Rights(row.Rights), Authority: row.Authority, CreatedAt: row.CreatedAt.UTC(),
		ExpiresAt: change.Value(row.ExpiresAt).UTC(), RevokedAt: change.Value(row.RevokedAt).UTC(), LastUsedAt: change.Value(row.LastUsedAt).UTC(),
	}
}
