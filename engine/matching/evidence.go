package matching

import (
	"math"
	"slices"
)

// evidence is the evidence that two records are of one entity, in bits: the logarithm to base 2 of
// how much likelier it is for one entity than for two.
type evidence struct {
	bits       float64
	compared   int  // attributes that both records have
	against    int  // attributes that disagree
	identified bool // an identifier agrees, or nearly does
	veto       string
}

// The evidence of full agreement, near agreement and disagreement in bits, by sort. People move,
// change their telephone and mistype, so disagreement says less than agreement.
var (
	agreeing    = [...]float64{text: 8, identifier: 12, date: 9, duration: 6, code: 5, quantity: 3}
	nearly      = [...]float64{identifier: 5, date: 4, duration: 1, code: 1.5, quantity: 0.5}
	disagreeing = [...]float64{text: -1.5, identifier: -3, date: -3, duration: -4, code: -1.5, quantity: -2.5}
)

// wordBits is the evidence of a word of a name that no other record has, nameBits that of a whole
// name at most.
const (
	wordBits = 8
	nameBits = 12
	textBits = 20 // the most evidence of all texts and codes together, as they depend on each other
)

// weigh adds up the evidence of names and attributes.
func weigh(a, b *record, k kind) evidence {
	var e evidence
	var texts float64
	for i, j := 0, 0; i < len(a.attributes) && j < len(b.attributes); {
		x, y := &a.attributes[i], &b.attributes[j]
		switch {
		case x.key < y.key:
			i++
			continue
		case x.key > y.key:
			j++
			continue
		}
		bits := compareValues(x, y)
		e.compared++
		if bits < 0 {
			e.against++
		}
		if x.sort == identifier && y.sort == identifier {
			e.bits += bits
			e.identified = e.identified || bits > 0
		} else {
			texts += bits
		}
		i, j = i+1, j+1
	}
	if e.compared > 0 {
		e.bits += min(texts, textBits)
		e.addNames(a, b, k)
	}
	return e
}

func compareValues(x, y *attribute) float64 {
	if x.text == y.text && x.sort == y.sort {
		return agreeing[x.sort] * x.rare
	}
	if x.sort != y.sort {
		return 0
	}
	switch x.sort {
	case identifier, date, code:
		if d := compareSpelling(x.text, y.text); len(x.text) >= 4 && len(y.text) >= 4 && (d == slip || d == oneEdit) {
			return nearly[x.sort]
		}
	case duration:
		if math.Abs(x.value-y.value) <= 3 {
			return nearly[duration]
		}
	case quantity:
		switch off := math.Abs(x.value-y.value) / math.Max(math.Abs(x.value), math.Abs(y.value)); {
		case off <= 0.02:
			return nearly[quantity]
		case off <= 0.1:
			return -nearly[quantity]
		}
	case text:
		return compareTexts(x, y)
	}
	return disagreeing[x.sort]
}

// compareTexts weighs the words that two texts share against those they do not share.
func compareTexts(x, y *attribute) float64 {
	if x.text > y.text {
		x, y = y, x
	}
	a := align(x.words, y.words, looks{abbreviations: true})
	shared := sharedBits(&a)
	lx, codeX := leftBits(a.x, a.usedX)
	ly, codeY := leftBits(a.y, a.usedY)
	if codeX && codeY {
		return 2 * disagreeing[text]
	}
	// One text may say more than the other, so the words of the shorter text count more.
	share := shared / (shared + min(lx, ly) + 0.25*max(lx, ly) + 1e-9)
	if share < 0.25 {
		return disagreeing[text]
	}
	return min(shared, agreeing[text]) * share
}

func sharedBits(a *alignment) float64 {
	var bits float64
	for _, p := range a.pairs {
		bits += wordBits * weight[p.bond] * wordRarity(a.x[p.x], a.y[p.y])
	}
	return bits
}

// wordRarity returns how rare a word with two spellings is.
func wordRarity(x, y word) float64 {
	if x.filler || y.filler {
		return 0.02
	}
	return min(x.rare, y.rare)
}

func leftBits(words []word, used []bool) (bits float64, codes bool) {
	for i, w := range words {
		if used[i] || w.filler {
			continue
		}
		bits += wordBits * w.rare
		codes = codes || w.code
	}
	return bits, codes
}

// addNames adds the evidence of the most similar names.
func (e *evidence) addNames(a, b *record, k kind) {
	best, veto := math.Inf(-1), ""
	for i := range a.names {
		for j := range b.names {
			if bits, v := nameEvidence(&a.names[i], &b.names[j], a, b, k); bits > best || bits == best && v == "" {
				best, veto = bits, v
			}
		}
	}
	if math.IsInf(best, -1) {
		return
	}
	e.bits += best
	e.veto = veto
}

// nameEvidence weighs the words that two names share against those they do not share. Words that
// occur in the other record's attributes are no difference: a beer may be called by its brewery. If
// both records mention such a word, it does not count twice, unless the whole names are the same.
func nameEvidence(x, y *name, a, b *record, k kind) (bits float64, veto string) {
	if y.before(x) {
		x, y, a, b = y, x, b, a
	}
	al := align(x.words, y.words, looks{people: k == person, abbreviations: k != person})
	lx := unexplained(al.x, al.usedX, b)
	ly := unexplained(al.y, al.usedY, a)
	if k != person && x.joined != y.joined {
		al.dropMentioned(a, b)
	}
	shared := min(sharedBits(&al), nameBits)
	if k == person {
		return shared - 0.5*(lx+ly), ""
	}
	if lx > 0 && ly > 0 && min(lx, ly) > 0.3*wordBits {
		veto = "each name has words of its own"
	}
	return shared - 1.5*(lx+ly), veto
}

// dropMentioned removes the pairs of words that attributes of both records hold, as they count
// there.
func (a *alignment) dropMentioned(x, y *record) {
	a.pairs = slices.DeleteFunc(a.pairs, func(p pair) bool {
		return x.mentions(a.x[p.x].text) && y.mentions(a.y[p.y].text)
	})
}

// unexplained returns the bits of the words that only one name has.
func unexplained(words []word, used []bool, other *record) float64 {
	var bits float64
	for i, w := range words {
		if !used[i] && !w.filler && !w.form && !other.mentions(w.text) {
			bits += wordBits * w.rare
		}
	}
	return bits
}

// mentions reports whether an attribute contains a word.
func (rec *record) mentions(text string) bool {
	for i := range rec.attributes {
		for _, w := range rec.attributes[i].words {
			if w.text == text {
				return true
			}
		}
	}
	return false
}
