package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Config says what to download, from where and to where. Name and Folder are
// required.
type Config struct {
	// Name is OWNER/NAME, or a short name; see [FullName].
	Name string

	// Folder is the folder that holds the models.
	Folder string

	// From is the URL of a hub or a mirror, or a folder. Defaults to
	// https://huggingface.co.
	From string

	// File is the network's file, for models with several: "onnx/model_O2.onnx".
	// Defaults to model.onnx or onnx/model.onnx, else to model.safetensors.
	File string

	// ONNX excludes tables of tokens: only networks in ONNX form are downloaded.
	ONNX bool

	// Revision is a branch, tag or commit. Defaults to "main".
	Revision string

	// Token authorises the download of models that are not public.
	Token string

	// Client makes the requests. Defaults to [http.DefaultClient].
	Client *http.Client

	// Unchecked accepts files for which the source states neither size nor
	// checksum.
	Unchecked bool

	// Quiet is how long a server may send nothing before the download of a file is
	// retried. Defaults to a minute.
	Quiet time.Duration

	// Progress is called with the number of bytes of a file that are there.
	// Defaults to nothing.
	Progress func(file string, bytes, of int64)
}

// source is the origin of models.
type source interface {
	// list returns the revision and the files of a model.
	list(ctx context.Context) (revision string, files []remote, err error)

	// fetch writes a file to the path part, and resumes if a part of it is there.
	fetch(ctx context.Context, file remote, part string) error
}

// remote is a file at its source. A checksum is empty if the source does not state
// it.
type remote struct {
	name   string
	bytes  int64
	sha256 string
	git    string // the SHA-1 of git's blob
}

// checkable reports whether the source states a size or checksum.
func (r remote) checkable() bool { return r.bytes > 0 || r.sha256 != "" || r.git != "" }

// Pull downloads a model into its folder. It keeps files that have the right
// checksum, and resumes interrupted ones.
func Pull(ctx context.Context, config Config) (Model, error) {
	name, err := FullName(config.Name)
	if err != nil {
		return Model{}, err
	}
	config.Name, config.From = name, cmp.Or(config.From, "https://huggingface.co")
	if config.Client == nil {
		config.Client = http.DefaultClient
	}
	config.Quiet = cmp.Or(config.Quiet, time.Minute)
	if config.Progress == nil {
		config.Progress = func(string, int64, int64) {}
	}
	model := Model{Name: name, Source: config.From, Folder: filepath.Join(config.Folder, filepath.FromSlash(name))}
	if err := model.pull(ctx, config); err != nil {
		return Model{}, fmt.Errorf("pull %s from %s: %w", name, config.From, err)
	}
	return model, nil
}

func (m *Model) pull(ctx context.Context, config Config) error {
	from := sourceOf(config)
	revision, files, err := from.list(ctx)
	if err != nil {
		return err
	}
	wanted, use, err := choose(files, config)
	if err != nil {
		return err
	}
	for _, file := range wanted {
		kept, err := m.fetch(ctx, from, file, config.Unchecked)
		if err != nil {
			return err
		}
		m.Files, m.Bytes = append(m.Files, kept), m.Bytes+kept.Bytes
		config.Progress(file.name, kept.Bytes, kept.Bytes)
	}
	m.Use, m.Revision, m.Pulled = use+":"+m.Name, revision, time.Now().UTC().Truncate(time.Second)
	return m.keep()
}

// sourceOf returns a server if From is a URL, else a folder.
func sourceOf(config Config) source {
	if strings.HasPrefix(config.From, "http://") || strings.HasPrefix(config.From, "https://") {
		return &server{config: config, address: strings.TrimRight(config.From, "/")}
	}
	return &mirror{config: config}
}

// smallFiles are the optional files beside the network.
var smallFiles = []string{
	"config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
	"sentence_bert_config.json", "1_Pooling/config.json", "idf.json",
}

// choose returns the files that Annals uses, and the prefix of the model's name,
// onnx or static.
func choose(files []remote, config Config) (wanted []remote, use string, err error) {
	find := func(name string) *remote {
		at := slices.IndexFunc(files, func(f remote) bool { return f.name == name })
		if at < 0 {
			return nil
		}
		return &files[at]
	}
	candidates := []string{"model.onnx", "onnx/model.onnx"}
	switch {
	case config.File != "":
		candidates = []string{filepath.ToSlash(config.File)}
	case !config.ONNX:
		candidates = append(candidates, "model.safetensors")
	}
	var network *remote
	for _, name := range candidates {
		if network = find(name); network != nil {
			break
		}
	}
	if network == nil {
		return nil, "", fmt.Errorf("it has no %s: choose a model that comes in ONNX form, or a table of tokens", strings.Join(candidates, " or "))
	}
	if find("tokenizer.json") == nil {
		return nil, "", errors.New("it has no tokenizer.json: choose a model that comes with one")
	}
	use = "onnx"
	if strings.HasSuffix(network.name, ".safetensors") {
		use = "static"
	}
	wanted = append(wanted, *network)
	for _, name := range append([]string{network.name + "_data"}, smallFiles...) {
		if file := find(name); file != nil {
			wanted = append(wanted, *file)
		}
	}
	return wanted, use, nil
}

// partial is the suffix of an incomplete file.
const partial = ".part"

// fetch downloads a file to its place.
func (m *Model) fetch(ctx context.Context, from source, file remote, unchecked bool) (File, error) {
	if !filepath.IsLocal(filepath.FromSlash(file.name)) {
		return File{}, fmt.Errorf("its file %q would not be in its folder", file.name)
	}
	path := filepath.Join(m.Folder, filepath.FromSlash(file.name))
	if sum, err := checksums(path); err == nil && sum.known(file) && sum.differs(file) == nil {
		return File{file.name, sum.bytes, sum.sha256}, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return File{}, err
	}
	// The model is incomplete from now on.
	if err := os.Remove(filepath.Join(m.Folder, manifest)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return File{}, err
	}
	if !file.checkable() && !unchecked {
		return File{}, fmt.Errorf("%s: the source says neither its size nor a checksum, so that nobody could tell whether it is whole; --unchecked takes it all the same", file.name)
	}
	part := path + partial
	if err := from.fetch(ctx, file, part); err != nil {
		return File{}, fmt.Errorf("%s: %w", file.name, err)
	}
	sum, err := checksums(part)
	if err != nil {
		return File{}, err
	}
	if err := sum.differs(file); err != nil {
		return File{}, errors.Join(fmt.Errorf("%s: %w; pull again", file.name, err), os.Remove(part))
	}
	return File{file.name, sum.bytes, sum.sha256}, os.Rename(part, path)
}
