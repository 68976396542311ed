package entity

// jaroWinkler returns Jaro's similarity with Winkler's bonus for a common prefix
// of up to four letters (Winkler, "String Comparator Metrics and Enhanced
// Decision Rules in the Fellegi-Sunter Model of Record Linkage", 1990).
func jaroWinkler(a, b string) float64 {
	var bufX, bufY [64]rune
	x, y := runes(a, bufX[:0]), runes(b, bufY[:0])
	j := jaro(x, y)
	prefix := 0
	for prefix < min(len(x), len(y), 4) && x[prefix] == y[prefix] {
		prefix++
	}
	return j + 0.1*float64(prefix)*(1-j)
}

func jaro(x, y []rune) float64 {
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	window := max(max(len(x), len(y))/2-1, 0)
	var bufX, bufY [64]bool // avoids allocations for most names
	inX, inY := append(bufX[:0], make([]bool, len(x))...), append(bufY[:0], make([]bool, len(y))...)
	common := 0
	for i, r := range x {
		for j := max(0, i-window); j < min(len(y), i+window+1); j++ {
			if !inY[j] && y[j] == r {
				inX[i], inY[j] = true, true
				common++
				break
			}
		}
	}
	if common == 0 {
		return 0
	}
	swapped, j := 0, 0
	for i, r := range x {
		if !inX[i] {
			continue
		}
		for !inY[j] {
			j++
		}
		if r != y[j] {
			swapped++
		}
		j++
	}
	m := float64(common)
	return (m/float64(len(x)) + m/float64(len(y)) + (m-float64(swapped)/2)/m) / 3
}

func runes(s string, into []rune) []rune {
	for _, r := range s {
		into = append(into, r)
	}
	return into
}
