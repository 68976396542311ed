package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/annalsdb/annals/model"
)

// hostedSetting is an environment variable for 'annals mcp'.
type hostedSetting struct {
	name, value string
	secret      bool
	without     string // the value without its secret, if that is useful
}

// servedOnly lists variables for other commands than mcp, or that become arguments.
var servedOnly = map[string]bool{
	"ANNALS_GROUP": true, "ANNALS_TENANT": true, "ANNALS_LISTEN": true, "ANNALS_API_KEYS": true, "ANNALS_CORS_ORIGINS": true,
	"ANNALS_RATE_LIMIT": true, "ANNALS_TLS_CERT": true, "ANNALS_TLS_KEY": true, "ANNALS_WORKERS": true, "ANNALS_AGENT_FOLDER": true,
	"ANNALS_AGENT_HOSTS": true, "ANNALS_INSECURE_WEBHOOKS": true, "ANNALS_ZEP_API_KEY": true, "ANNALS_LOG_FORMAT": true, "ANNALS_LOG_LEVEL": true,
}

// hostedSettings returns the settings of this run that the host's server needs too, by name.
func (a *app) hostedSettings() []hostedSetting {
	values := map[string]string{}
	for name, value := range a.config.environ {
		if strings.HasPrefix(name, "ANNALS_") && !servedOnly[name] || name == "XDG_DATA_HOME" {
			values[name] = value
		}
	}
	maps.Copy(values, map[string]string{
		"ANNALS_DATABASE_URL": a.config.DatabaseURL, "ANNALS_LLM": a.config.LLM, "ANNALS_EMBEDDER": a.config.Embedder,
	})
	for _, spec := range []string{"ANNALS_LLM", "ANNALS_SMALL_LLM", "ANNALS_EMBEDDER", "ANNALS_RERANKER"} {
		provider, _, _ := strings.Cut(values[spec], ":")
		if variable := model.APIKeyVariable(provider); variable != "" {
			values[variable] = a.config.environ[variable]
		}
	}
	var settings []hostedSetting
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if values[name] == "" {
			continue
		}
		s := hostedSetting{name: name, value: values[name]}
		switch {
		case strings.HasSuffix(name, "_URL"):
			s.secret, s.without = secretOf(s.value)
		case strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_TOKEN"):
			s.secret = true
		}
		settings = append(settings, s)
	}
	return settings
}

// secretParameter matches parameters of a URL that hold credentials.
var secretParameter = regexp.MustCompile(`(?i)passw|token|secret|api_?key|^key$`)

// secretOf reports whether a URL holds a password, and returns the URL without it.
func secretOf(address string) (secret bool, without string) {
	u, err := url.Parse(address)
	if err != nil {
		return true, "" // it may contain a secret
	}
	if u.Scheme == "" { // key=value form: host=… password=…
		return strings.Contains(address, "password"), ""
	}
	if _, ok := u.User.Password(); ok {
		secret = true
		u.User = url.User(u.User.Username())
	}
	parameters := u.Query()
	for name := range parameters {
		if secretParameter.MatchString(name) {
			secret = true
			parameters.Del(name)
			u.RawQuery = parameters.Encode()
		}
	}
	return secret, u.String()
}

// writeSettings writes a change. With --yes, it recomputes the change if another process has
// changed the file meanwhile.
func (a *app) writeSettings(change *settingsChange, in installation) error {
	for {
		err := change.write(time.Now())
		if _, meanwhile := errors.AsType[*meantimeError](err); !meanwhile || !in.Yes {
			return err
		}
		anew, err := a.changeSettings(change.host, in)
		if err != nil {
			return err
		}
		*change = *anew
		if !change.Changed {
			return nil
		}
	}
}

// followed returns the target of a link, even if the target does not exist yet. So a link to
// settings elsewhere stays a link.
func followed(file string) (string, error) {
	for range 40 {
		target, err := os.Readlink(file)
		if err != nil {
			return file, nil //nolint:nilerr // it is no link
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(file), target)
		}
		file = target
	}
	return "", fmt.Errorf("%s is a link that leads to itself; mend it", file)
}

// meantimeError says that settings have changed since the change was computed.
type meantimeError struct{ file, became string }

func (e *meantimeError) Error() string {
	return fmt.Sprintf("%s was %s in the meantime; nothing was written to it: run this again", e.file, e.became)
}

// write replaces the settings and keeps a copy of the former file next to them. Readers never see a
// partial file, and changes by the host in the meantime are not lost.
func (c *settingsChange) write(now time.Time) error {
	file, err := followed(c.File)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", file, err)
	}
	// Other runs of this command wait here before they compare and write.
	lock := flock.New(filepath.Join(os.TempDir(), fmt.Sprintf("annals-mcp-install-%d.lock", os.Getuid())))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("wait for others who write %s: %w", file, err)
	}
	defer func() { _ = lock.Unlock() }()
	if c.isNew {
		if exists(file) {
			return &meantimeError{file, "made"}
		}
	} else {
		about, err := os.Stat(file)
		if err != nil {
			return fmt.Errorf("read the settings: %w", err)
		}
		mode = about.Mode().Perm()
		if c.secret {
			mode &= 0o600
		}
		present, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(present, c.before) {
			return &meantimeError{file, "changed"}
		}
		c.Backup = file + ".before-annals-" + now.UTC().Format("20060102T150405.000")
		if err := os.WriteFile(c.Backup, c.before, mode); err != nil {
			return fmt.Errorf("keep the settings as they were: %w", err)
		}
	}
	err = writeWhole(file, func(w io.Writer) error {
		if f, ok := w.(*os.File); ok {
			if err := f.Chmod(mode); err != nil {
				return err
			}
		}
		_, err := w.Write(c.after)
		return err
	})
	if err != nil {
		return err
	}
	c.Written = true
	return nil
}
