package model

import "testing"

func TestKeysTellQuestionsApart(t *testing.T) {
	t.Parallel()
	base := Question{Name: "n", Version: 1, System: "ab", User: "cd"}
	seen := map[[32]byte]string{keyOf("m", base, []byte("{}")): "the question"}
	for name, key := range map[string][32]byte{
		"another model":    keyOf("m2", base, []byte("{}")),
		"another name":     keyOf("m", Question{"n2", 1, "ab", "cd"}, []byte("{}")),
		"another version":  keyOf("m", Question{"n", 2, "ab", "cd"}, []byte("{}")),
		"another schema":   keyOf("m", base, []byte(`{"type":"object"}`)),
		"another boundary": keyOf("m", Question{"n", 1, "abc", "d"}, []byte("{}")),
		"no system prompt": keyOf("m", Question{"n", 1, "", "abcd"}, []byte("{}")),
	} {
		if other, known := seen[key]; known {
			t.Errorf("%s has the key of %s", name, other)
		}
		seen[key] = name
	}
	again := keyOf("m", Question{"n", 1, "a" + "b", "cd"}, []byte("{}"))
	if seen[again] != "the question" {
		t.Error("the same question has another key")
	}
}
