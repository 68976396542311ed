package main

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/annalsdb/annals/internal/fetched"
	"github.com/annalsdb/annals/model/hub"
)

// staticModel writes a table of a few tokens to a folder, in the form of a mirror.
func staticModel(t *testing.T, mirror, name string, dimensions int) {
	t.Helper()
	tokens := map[string]int{"[UNK]": 0, "paris": 1, "lives": 2, "france": 3}
	tokeniser, err := json.Marshal(map[string]any{
		"normalizer":    map[string]any{"type": "BertNormalizer", "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "vocab": tokens},
	})
	if err != nil {
		t.Fatal(err)
	}
	var numbers []byte
	for token := range len(tokens) {
		for i := range dimensions {
			numbers = binary.LittleEndian.AppendUint32(numbers, math.Float32bits(float32((token*7+i*token)%5)-1.5))
		}
	}
	header, err := json.Marshal(map[string]any{"embeddings": map[string]any{
		"dtype": "F32", "shape": []int{len(tokens), dimensions}, "data_offsets": []int{0, len(numbers)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	table := append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), numbers...)
	for file, content := range map[string][]byte{"tokenizer.json": tokeniser, "model.safetensors": table} {
		path := filepath.Join(mirror, name, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestModelsArePulledAndUsed(t *testing.T) {
	t.Parallel()
	m, mirror := newMemory(t), t.TempDir()
	m.environ["XDG_DATA_HOME"] = t.TempDir()
	if o := m.run("", "models", "list"); o.code != exitOK || !strings.Contains(o.stderr, "annals models pull NAME") {
		t.Errorf("without models: %+v", o)
	}
	staticModel(t, mirror, "annals-tests/tiny", 384)
	m.must("models", "pull", "annals-tests/tiny", "--from", mirror)
	var list struct{ Models []hub.Model }
	m.read(&list, "models", "list", "--verify")
	if len(list.Models) != 1 || list.Models[0].Use != "static:annals-tests/tiny" {
		t.Fatalf("%+v", list)
	}

	// The name that is shown can be used.
	m.environ["ANNALS_EMBEDDER"] = list.Models[0].Use
	m.must("add", "-g", "t", "--actor", "Alice", "I live in Paris.")
	var report doctorJSON
	m.read(&report, "doctor")
	if report.Embedder != "static:tiny" {
		t.Errorf("the embedder is %s", report.Embedder)
	}
	if out := m.must("-g", "t", "search", "Paris"); !strings.Contains(out, "Paris") {
		t.Errorf("search finds %s", out)
	}

	table := filepath.Join(list.Models[0].Folder, "model.safetensors")
	if err := os.Truncate(table, 100); err != nil {
		t.Fatal(err)
	}
	m.run("", "models", "list", "--verify").failsWith(t, "damaged: annals-tests/tiny: model.safetensors is not what was pulled")
	m.run("", "-g", "t", "search", "Paris").failsWith(t, "read model.safetensors: embeddings is cut off")
	m.run("", "models", "pull", "tiny").failsWith(t, `name: "tiny" is no name of a model`)
	m.run("", "models", "pull", "a/b", "--from", mirror+"/nowhere").failsWith(t, "there is no such folder")
}

func TestDoctorSaysWhatRunsModels(t *testing.T) {
	t.Parallel()
	m := newMemory(t)
	m.makeGroup("default")
	m.environ["HOME"] = t.TempDir()
	check := func(want checkJSON) {
		t.Helper()
		var report doctorJSON
		m.read(&report, "doctor")
		for _, c := range report.Checks {
			if c.Name == "onnx" {
				if c.State != want.State || !strings.Contains(c.Found, want.Found) {
					t.Errorf("%+v, want %+v", c, want)
				}
				return
			}
		}
		t.Errorf("nothing is said: %+v", report.Checks)
	}
	m.environ["ANNALS_ONNXRUNTIME"] = "/nowhere/at/all"
	check(checkJSON{State: checkWarning, Found: "there is no /nowhere/at/all"})
	m.environ["ANNALS_ONNXRUNTIME"] = fetched.ONNXRuntime(t)
	check(checkJSON{State: checkFine, Found: "ONNX Runtime 1."})
}
