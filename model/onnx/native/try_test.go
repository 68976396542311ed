package native

import (
	"testing"
	"time"
)

func TestTry(t *testing.T) {
	b := time.Now()
	l, err := Load("/tmp/models/libonnxruntime.so")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(l.Version(), time.Since(b))
	b = time.Now()
	s, err := l.Open("/tmp/models/minilm/model.onnx", 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(b), s.Inputs(), s.Outputs())
	n := 16
	ids := make([]int64, n)
	one := make([]int64, n)
	for i := range ids {
		ids[i] = int64(1000 + i)
		one[i] = 1
	}
	for range 20 {
		b = time.Now()
		o, err := s.Run(map[string][]int64{"input_ids": ids, "attention_mask": one, "token_type_ids": make([]int64, n)}, 1, n, "last_hidden_state")
		if err != nil {
			t.Fatal(err)
		}
		t.Log(time.Since(b), o.Dimensions, o.Numbers[:4])
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}
