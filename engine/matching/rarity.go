package matching

import "math"

// rarity counts in how many records of a collection each word and value is.
type rarity struct {
	records float64
	seen    map[string]float64 // by field and text
}

// nameField is the field of names among those of attributes.
const nameField = ""

// fewRecords are too few to tell what is rare.
const fewRecords = 20

// guessRarity is how rare a word probably is: the rarer, the longer.
func guessRarity(text string) float64 {
	switch n := len(text); {
	case n <= 2:
		return 0.3
	case n <= 4:
		return 0.6
	}
	return 0.8
}

// of is how much of the full evidence a text gives that two records agree in:
// near 1 if no other record has it, 0 if all have (inverse document frequency,
// scaled to the size of the collection; Spärck Jones, "A statistical
// interpretation of term specificity", 1972).
func (r *rarity) of(field, text string) float64 {
	n := max(r.seen[field+"\x00"+text], 1)
	return max(math.Log(r.records/n)/math.Log(r.records), 0.02)
}

// count adds the words and values of a record, each once.
func (r *rarity) count(rec *record) {
	r.records++
	for key := range rec.keys() {
		r.seen[key]++
	}
}

// tell writes into a record how rare its words and values are.
func (r *rarity) tell(rec *record) {
	if r.records < fewRecords {
		return
	}
	for i := range rec.names {
		for j := range rec.names[i].words {
			w := &rec.names[i].words[j]
			w.rare = r.of(nameField, w.text)
		}
	}
	for i := range rec.attributes {
		a := &rec.attributes[i]
		a.rare = r.of(a.key, a.text)
		for j := range a.words {
			a.words[j].rare = r.of(a.key, a.words[j].text)
		}
	}
}

// keys are the words and values of a record, with their fields.
func (rec *record) keys() map[string]bool {
	keys := map[string]bool{}
	for i := range rec.names {
		for _, w := range rec.names[i].words {
			keys[nameField+"\x00"+w.text] = true
		}
	}
	for i := range rec.attributes {
		a := &rec.attributes[i]
		keys[a.key+"\x00"+a.text] = true
		for _, w := range a.words {
			keys[a.key+"\x00"+w.text] = true
		}
	}
	return keys
}
