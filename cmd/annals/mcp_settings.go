package main

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

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
