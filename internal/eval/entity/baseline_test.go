package entity

import (
	"math"
	"testing"
)

// The examples of Winkler's paper.
func TestJaroWinkler(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want float64
	}{
		{"MARTHA", "MARHTA", 0.961},
		{"DIXON", "DICKSONX", 0.813},
		{"DWAYNE", "DUANE", 0.840},
		{"same", "same", 1},
		{"abc", "xyz", 0},
		{"", "", 0},
		{"", "a", 0},
	}
	for _, tt := range tests {
		if got := jaroWinkler(tt.a, tt.b); math.Abs(got-tt.want) > 0.0005 {
			t.Errorf("%s, %s: %.4f, want %.3f", tt.a, tt.b, got, tt.want)
		}
	}
}

// The example of Bagga and Baldwin: of 12 mentions of three persons, those of
// two persons are put into one entity.
func TestBCubed(t *testing.T) {
	t.Parallel()
	s := &mentionSet{}
	for _, p := range "aaaaabbccccc" {
		s.mentions = append(s.mentions, mention{person: string(p)})
	}
	got := s.bCubed([]int{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2})
	if math.Abs(got.Precision-0.762) > 0.0005 || got.Recall != 1 {
		t.Errorf("%+v", got)
	}
}

func TestUndoExport(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{" ` masa \\ 's ' ", "masa 's"},
		{"' 8638 w. third st. '", "8638 w. third st."},
		{"Driftwood Brewery &#40; Canada &#41;", "Driftwood Brewery ( Canada )"},
		{"Cape Ann Fisherman_s Tea Party", "Cape Ann Fisherman's Tea Party"},
	}
	for _, tt := range tests {
		if got := undoExport(tt.in); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}
