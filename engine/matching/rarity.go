package matching

import "math"

// rarity counts how many records of a collection have each word and value.
type rarity struct {
	records float64
	seen    map[string]float64 // by field and text
}

// nameField is the field of names. Other fields are attributes.
const nameField = ""

// fewRecords is the number of records below which rarity cannot be told.
const fewRecords = 20

// guessRarity guesses how rare a word is: long words are rarer.
func guessRarity(text string) float64 {
	switch n := len(text); {
	case n <= 2:
		return 0.3
	case n <= 4:
		return 0.6
	}
	return 0.8
}

// of returns the share of the full evidence that agreement in a text gives. It is near 1 if no
// other record has the text, and near 0 if all have (inverse document frequency, scaled to the size
// of the collection; Spärck Jones, "A statistical interpretation of term specificity", 1972).
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

// tell stores in a record how rare its words and values are.
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

// keys returns the words and values of a record, with their fields.
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
