package matching

// difference is the distance between two spellings.
type difference int

const (
	none    difference = iota
	slip               // two neighbours swapped, or a letter doubled: typing slips
	oneEdit            // one letter added, missing or replaced
	twoEdits
	more
)

// compareSpelling counts the edits between two words, up to two. It is the restricted distance of
// Damerau and Levenshtein (Boytsov, "Indexing methods for approximate dictionary searching", 2011,
// §2.2), in which swapping neighbours costs one edit.
func compareSpelling(a, b string) difference {
	if a == b {
		return none
	}
	if len(a)-len(b) > 8 || len(b)-len(a) > 8 {
		return more
	}
	var bufA, bufB [32]rune
	x, y := runes(a, bufA[:0]), runes(b, bufB[:0])
	before := 0
	for before < len(x) && before < len(y) && x[before] == y[before] {
		before++
	}
	after := 0
	for after < len(x)-before && after < len(y)-before && x[len(x)-1-after] == y[len(y)-1-after] {
		after++
	}
	mx, my := x[before:len(x)-after], y[before:len(y)-after]
	switch {
	case len(mx) == 2 && len(my) == 2 && mx[0] == my[1] && mx[1] == my[0]:
		return slip
	case len(mx)+len(my) == 1:
		odd, whole := mx, x
		if len(my) == 1 {
			odd, whole = my, y
		}
		if before > 0 && whole[before-1] == odd[0] {
			return slip
		}
		return oneEdit
	case len(mx) == 1 && len(my) == 1:
		return oneEdit
	}
	if edits(mx, my) == 2 {
		return twoEdits
	}
	return more
}

func runes(s string, into []rune) []rune {
	for _, r := range s {
		into = append(into, r)
	}
	return into
}

// edits returns the distance of two short strings that differ at both ends.
func edits(x, y []rune) int {
	const longest = 24
	if abs(len(x)-len(y)) > 2 || len(x) > longest || len(y) > longest {
		return 3
	}
	var rows [3][longest + 1]int
	prev, cur, older := &rows[0], &rows[1], &rows[2]
	for j := range len(y) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				cur[j] = min(cur[j], older[j-2]+1)
			}
		}
		older, prev, cur = prev, cur, older
	}
	return prev[len(y)]
}

func abs(n int) int { return max(n, -n) }

// abbreviates reports whether the letters of the shorter word occur in the longer one in this
// order, with the same first letter: "blvd" of "boulevard".
func abbreviates(short, long string) bool {
	if len(short) < 2 || len(short) >= len(long) || short[0] != long[0] {
		return false
	}
	i := 0
	for j := 0; j < len(long) && i < len(short); j++ {
		if short[i] == long[j] {
			i++
		}
	}
	return i == len(short)
}
