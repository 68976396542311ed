package main

import (
	"strings"
	"testing"
)

// An unusable setting is reported by its name, before anything is done.
func TestBadSettings(t *testing.T) {
	t.Parallel()
	files := &memory{t: t}
	noPrices := files.file("prices.json", `{"openai:x": "cheap"}`)
	for want, environ := range map[string]string{
		`ANNALS_WINDOW: "many" is not a number`:                                              "ANNALS_WINDOW=many",
		`ANNALS_PREVIOUS: "-" is not a number`:                                               "ANNALS_PREVIOUS=-",
		`ANNALS_LLM_RPM: "1.5" is not a number in plain digits`:                              "ANNALS_LLM_RPM=1.5",
		`ANNALS_LLM_TPM: "1e6" is not a number`:                                              "ANNALS_LLM_TPM=1e6",
		`ANNALS_LLM_CONCURRENCY: "99999999999999999999" is not a number`:                     "ANNALS_LLM_CONCURRENCY=99999999999999999999",
		`ANNALS_COMMUNITIES: "perhaps" is not true or false`:                                 "ANNALS_COMMUNITIES=perhaps",
		`ANNALS_REFLEXION: "2" is not true or false`:                                         "ANNALS_REFLEXION=2",
		`ANNALS_READ_WAIT: "soon" is not a length of time`:                                   "ANNALS_READ_WAIT=soon",
		"ANNALS_READ_DATABASE_URL: is set but ANNALS_DATABASE_URL is not":                    "ANNALS_READ_DATABASE_URL=postgres://nowhere",
		`ANNALS_LLM_TIMEOUT: "90" is not a length of time; set it to one such as 90s`:        "ANNALS_LLM_TIMEOUT=90",
		`ANNALS_LLM_STRUCTURED: "maybe" is not one of auto, schema, json, prompt`:            "ANNALS_LLM=openai:x ANNALS_LLM_STRUCTURED=maybe",
		"ANNALS_LLM: the limits":                                                             "ANNALS_LLM=openai:x ANNALS_LLM_RPM=-1",
		"ANNALS_LLM: a timeout":                                                              "ANNALS_LLM=openai:x ANNALS_LLM_TIMEOUT=-1s",
		"ANNALS_LLM: the base URL must be a whole address":                                   "ANNALS_LLM=openai:x ANNALS_LLM_BASE_URL=localhost:8000",
		`ANNALS_LLM: "openai:" is not a model: write provider:model`:                         "ANNALS_LLM=openai:",
		`ANNALS_LLM: "skynet:x" is not a model: write provider:model`:                        "ANNALS_LLM=skynet:x",
		`ANNALS_SMALL_LLM: "x" is not a model`:                                               "ANNALS_LLM=openai:x OPENAI_API_KEY=k ANNALS_SMALL_LLM=x",
		"ANNALS_SMALL_LLM: is set but ANNALS_LLM is not":                                     "ANNALS_LLM=offline ANNALS_SMALL_LLM=openai:x",
		"ANNALS_PRICES: " + noPrices + " is no price list":                                   "ANNALS_LLM=openai:x ANNALS_PRICES=" + noPrices,
		"read the prices that ANNALS_PRICES names: open nowhere.json":                        "ANNALS_LLM=openai:x ANNALS_PRICES=nowhere.json",
		"neither XDG_DATA_HOME nor HOME says where to keep the embedded database; set one, ": "",
	} {
		m := &memory{t: t, environ: map[string]string{}}
		for _, setting := range strings.Fields(environ) {
			name, value, _ := strings.Cut(setting, "=")
			m.environ[name] = value
		}
		if o := m.run("", "facts"); o.code == exitOK || !strings.HasPrefix(o.stderr, "annals: "+want) || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q; want %q on one line", environ, o.code, o.stderr, want)
		}
	}
}

func TestBadEmbedderSettings(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.makeGroup("default")
	m.environ["HOME"] = t.TempDir()
	for spec, want := range map[string]string{
		"hal9000":                `ANNALS_EMBEDDER: "hal9000" is not a model`,
		"anthropic:claude":       "ANNALS_EMBEDDER: anthropic offers no embedding models",
		"onnx:/nowhere/to/be/so": "there is no folder /nowhere/to/be/so to read a model from",
	} {
		m.environ["ANNALS_EMBEDDER"] = spec
		m.run("", "facts").failsWith(t, want)
		// A flag overrides a setting, even an unusable one.
		m.must("facts", "--embedder", "offline")
	}
}
