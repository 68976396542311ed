package entity

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/internal/each"
)

// Score measures every data set in a folder. It recognises them by their file
// names: friends_character_identification_*.json, febrl_*.csv and
// magellan_NAME_{train,valid,test}.tsv, each gzipped or not. The parts of a
// Magellan set are combined. It fails if there is no such file, if a file
// cannot be read, or if ctx is done.
func Score(ctx context.Context, dir string) (Table, error) {
	t := Table{Threshold: matching.Threshold}
	sets, err := load(dir)
	if err != nil {
		return t, err
	}
	for _, s := range sets {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		t.Results = append(t.Results, s.results()...)
	}
	return t, nil
}

// dataset is a data set measured with each method.
type dataset interface{ results() []Result }

func (s *pairSet) results() []Result {
	return each.Of(methods, s.score)
}

func (s *mentionSet) results() []Result {
	return []Result{
		s.score(Matcher, &matcherLinker{}),
		s.score(ExactName, &similarityLinker{similarity: equalNames, threshold: 1}),
		s.score(JaroWinkler, &similarityLinker{similarity: jaroWinkler, threshold: jaroWinklerAt}),
	}
}

func load(dir string) ([]dataset, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read the folder of data sets: %w", err)
	}
	var sets []dataset
	magellan := map[string]*pairSet{}
	for _, f := range files {
		set, err := loadFile(filepath.Join(dir, f.Name()), magellan)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		if set != nil && !slices.Contains(sets, set) {
			sets = append(sets, set)
		}
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("%s has no data set: want friends_character_identification_*.json, febrl_*.csv or magellan_*_{train,valid,test}.tsv, gzipped or not", dir)
	}
	return sets, nil
}

// loadFile reads a file into the data set that its name denotes; nil if it
// denotes none.
func loadFile(path string, magellan map[string]*pairSet) (dataset, error) {
	name := strings.TrimSuffix(filepath.Base(path), ".gz")
	base := strings.TrimSuffix(name, filepath.Ext(name))
	switch {
	case strings.HasPrefix(name, "friends_character_identification_") && strings.HasSuffix(name, ".json"):
		label := "Friends " + strings.TrimPrefix(base, "friends_character_identification_")
		return reading(path, func(r io.Reader) (dataset, error) { return readFriends(label, r) })
	case strings.HasPrefix(name, "febrl_") && strings.HasSuffix(name, ".csv"):
		label := "FEBRL " + strings.TrimPrefix(base, "febrl_")
		return reading(path, func(r io.Reader) (dataset, error) { return readFEBRL(label, r) })
	case strings.HasPrefix(name, "magellan_") && strings.HasSuffix(name, ".tsv"):
		label, _, _ := strings.Cut(strings.TrimPrefix(base, "magellan_"), "_")
		set := magellan[label]
		if set == nil {
			set = &pairSet{name: label}
			magellan[label] = set
		}
		return reading(path, func(r io.Reader) (dataset, error) { return set, set.readMagellan(r) })
	}
	return nil, nil
}

// reading opens a file, gzipped or not.
func reading(path string, read func(io.Reader) (dataset, error)) (dataset, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // reading only
	if !strings.HasSuffix(path, ".gz") {
		return read(f)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("open gzip: %w", err)
	}
	defer func() { _ = z.Close() }()
	return read(z)
}
