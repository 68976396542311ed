package main

import (
	"errors"
	"log/slog"
	"path/filepath"
	"reflect"
	"strconv"
	"time"

	"github.com/caarlos0/env/v11"
	"go.opentelemetry.io/otel/trace"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/model"
)

// config holds the settings from the environment. Flags override them.
type config struct {
	DatabaseURL  string `env:"ANNALS_DATABASE_URL"`
	ReadURL      string `env:"ANNALS_READ_DATABASE_URL"`
	Tenant       string `env:"ANNALS_TENANT"`
	Group        string `env:"ANNALS_GROUP" envDefault:"default"` // defaultGroup
	EmbeddingDim int    `env:"ANNALS_EMBEDDING_DIM"`
	PostgresBin  string `env:"ANNALS_POSTGRES_BIN"`
	DataHome     string `env:"XDG_DATA_HOME"`
	CacheHome    string `env:"XDG_CACHE_HOME"`
	Home         string `env:"HOME"`

	LLM         string        `env:"ANNALS_LLM"`
	SmallLLM    string        `env:"ANNALS_SMALL_LLM"`
	LLMBaseURL  string        `env:"ANNALS_LLM_BASE_URL"`
	LLMKey      string        `env:"ANNALS_LLM_API_KEY"`
	Concurrency int           `env:"ANNALS_LLM_CONCURRENCY"`
	RPM         int           `env:"ANNALS_LLM_RPM"`
	TPM         int           `env:"ANNALS_LLM_TPM"`
	Timeout     time.Duration `env:"ANNALS_LLM_TIMEOUT"`
	Structured  string        `env:"ANNALS_LLM_STRUCTURED"`
	Prices      string        `env:"ANNALS_PRICES"`

	Embedder        string `env:"ANNALS_EMBEDDER"`
	EmbedderBaseURL string `env:"ANNALS_EMBEDDER_BASE_URL"`
	EmbedderKey     string `env:"ANNALS_EMBEDDER_API_KEY"`

	ONNXRuntime string `env:"ANNALS_ONNXRUNTIME"`
	HubEndpoint string `env:"HF_ENDPOINT"`
	HubToken    string `env:"HF_TOKEN"`

	Reranker        string `env:"ANNALS_RERANKER"`
	RerankerBaseURL string `env:"ANNALS_RERANKER_BASE_URL"`
	RerankerKey     string `env:"ANNALS_RERANKER_API_KEY"`

	Communities bool `env:"ANNALS_COMMUNITIES"`
	// Observations keeps observations in every group. That costs at most a quarter of a model call
	// for each message.
	Observations bool `env:"ANNALS_OBSERVATIONS"`
	Previous     int  `env:"ANNALS_PREVIOUS"`
	Reflexion    bool `env:"ANNALS_REFLEXION"`
	Window       int  `env:"ANNALS_WINDOW"`

	ReadWait time.Duration `env:"ANNALS_READ_WAIT"`

	Listen      string   `env:"ANNALS_LISTEN" envDefault:"127.0.0.1:8080"`
	APIKeys     string   `env:"ANNALS_API_KEYS"`
	CORSOrigins []string `env:"ANNALS_CORS_ORIGINS"`
	RateLimit   float64  `env:"ANNALS_RATE_LIMIT" envDefault:"100"`
	TLSCert     string   `env:"ANNALS_TLS_CERT"`
	TLSKey      string   `env:"ANNALS_TLS_KEY"`
	Workers     int      `env:"ANNALS_WORKERS" envDefault:"4"`

	AgentFolder string   `env:"ANNALS_AGENT_FOLDER"`
	AgentHosts  []string `env:"ANNALS_AGENT_HOSTS"`

	LogFormat string `env:"ANNALS_LOG_FORMAT" envDefault:"json"`
	LogLevel  string `env:"ANNALS_LOG_LEVEL"`

	ZepKey string `env:"ANNALS_ZEP_API_KEY"`

	InsecureWebhooks bool `env:"ANNALS_INSECURE_WEBHOOKS"`

	environ map[string]string
	log     *slog.Logger // the log for operators; nil: none
	traces  trace.TracerProvider
	calls   func(model.Call) // called for each call of a model; nil: not called
}

// readConfig reads the environment. It fails if a number, a duration or a boolean cannot be parsed.
func readConfig(environ map[string]string) (config, error) {
	c := config{environ: environ}
	err := env.ParseWithOptions(&c, env.Options{Environment: environ})
	var parse env.ParseError
	if errors.As(err, &parse) {
		field, _ := reflect.TypeFor[config]().FieldByName(parse.Name)
		name := field.Tag.Get("env")
		return c, &annals.Error{
			Code: annals.CodeInvalid, Field: name,
			Message: strconv.Quote(environ[name]) + " is not " + kinds[field.Type.Kind()] + ", or unset it",
		}
	}
	return c, err
}

// kinds describes the values of a variable, by the kind of its field.
var kinds = map[reflect.Kind]string{
	reflect.Int:   "a number in plain digits; set it to one such as 8",
	reflect.Int64: "a length of time; set it to one such as 90s",
	reflect.Bool:  "true or false; set it to one of them",

	reflect.Float64: "a number; set it to one such as 2.5",
}

// previous returns how many earlier messages are shown with one.
func (c config) previous() int { return orNone(c.Previous, c.environ["ANNALS_PREVIOUS"]) }

// readWait returns how long a read waits for the replica.
func (c config) readWait() time.Duration { return orNone(c.ReadWait, c.environ["ANNALS_READ_WAIT"]) }

// orNone returns a number as the library expects it: 0 is the default, negative means none. written
// is the variable, which tells a 0 from nothing.
func orNone[N int | time.Duration](n N, written string) N {
	if n == 0 && written != "" {
		return -1
	}
	return n
}

// dataDir returns the folder of the embedded cluster.
func (c config) dataDir() (string, error) {
	return c.folder(c.DataHome, ".local/share", "neither XDG_DATA_HOME nor HOME says where to keep the embedded database; set one, or set ANNALS_DATABASE_URL")
}

// modelsDir returns the folder in which 'annals models pull' stores models.
func (c config) modelsDir() (string, error) {
	folder, err := c.folder(c.DataHome, ".local/share", "neither XDG_DATA_HOME nor HOME says where to keep models; set one")
	return filepath.Join(folder, "models"), err
}

// cacheDir returns the folder of downloaded models.
func (c config) cacheDir() (string, error) {
	return c.folder(c.CacheHome, ".cache", "neither XDG_CACHE_HOME nor HOME says where to keep downloaded models; set one")
}

// folder returns the folder of Annals in one that a variable names, or in its usual place below HOME.
func (c config) folder(named, usual, missing string) (string, error) {
	switch {
	case named != "":
		return filepath.Join(named, "annals"), nil
	case c.Home != "":
		return filepath.Join(c.Home, usual, "annals"), nil
	}
	return "", errors.New(missing)
}
