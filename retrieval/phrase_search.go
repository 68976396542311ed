package retrieval

import (
	"slices"
	"strings"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/pattern"
)

const (
	maxPhrases    = 5   // of a query; later ones count as plain words
	phraseMatches = 500 // of a scope
)

// Straight and typographic double quotation marks, in pairs: one without its
// partner means nothing.
var quotationMarks = pattern.New(`[` + openingMarks + `]([^"“”„]+)["”“]`)

const openingMarks = `"“„`

// phrasesIn are the phrases that a text has in quotation marks.
func phrasesIn(text string) []string {
	if !strings.ContainsAny(text, openingMarks) {
		return nil
	}
	var phrases []string
	for _, m := range quotationMarks().FindAllStringSubmatch(text, -1) {
		phrase := strings.TrimSpace(m[1])
		if phrase != "" && !slices.Contains(phrases, phrase) && len(phrases) < maxPhrases {
			phrases = append(phrases, phrase)
		}
	}
	return phrases
}

// lookPhrases asks for the rows that contain the query's phrases: the same words in the same order,
// in any of their forms.
func (v *view) lookPhrases(together *db.Together) {
	phrases := phrasesIn(v.query.Text)
	if len(phrases) == 0 || v.query.Conversation || !v.uses(MethodTerms) {
		return
	}
	v.looked.phrases = map[graph.Kind]*[]db.RankedRow{}
	for _, kind := range v.kinds() {
		found := new([]db.RankedRow)
		v.looked.phrases[kind] = found
		if v.asKnown(kind) {
			db.Ask(together, (*db.Queries).RankKnownByPhrases, db.RankKnownByPhrasesParams{
				GroupID: v.query.GroupID, Phrases: phrases, Kind: kind, Filter: v.filterOf(kind), ValidAt: v.validAt(), KnownAt: v.query.KnownAt,
				IncludeEnded: v.query.IncludeEnded, MaxRows: phraseMatches,
			}, found)
			continue
		}
		db.Ask(together, (*db.Queries).RankByPhrases, db.RankByPhrasesParams{
			GroupID: v.query.GroupID, Phrases: phrases, Kind: kind, Narrowed: v.narrows(kind), Filter: v.filterOf(kind), ValidAt: v.validAt(),
			IncludeEnded: v.query.IncludeEnded, MaxRows: phraseMatches,
		}, found)
	}
}
