package offline

// placePrepositions are words after which a capital makes a common word a place: "I live in Nice".
var placePrepositions = set(`in to from near`)

// isPlace reports whether a common word is a place: it alone is capitalised after a preposition, at
// the end of a phrase.
func (f *nameFinder) isPlace(i int) bool {
	if i == 0 || f.words[i].first || !placePrepositions[f.words[i-1].core] || timeWords[f.words[i].lower()] || personal[f.words[i].lower()] || demonyms[f.words[i].lower()] {
		return false
	}
	return f.words[i].tail != "" || i+1 == len(f.words) || phraseStops[f.words[i+1].lower()]
}

// personal are common words that are capitalised for other reasons.
var personal = set(`i me my mine we us our you your he him his she her they them their it god lord mom dad mum mother father`)
