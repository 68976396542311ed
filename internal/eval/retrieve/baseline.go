package retrieve

import (
	"strings"

	"github.com/annalsdb/annals/internal/eval/ranking"
)

// Baseline ranks turns or whole sessions by words alone.
type Baseline struct {
	Method    string
	okapi     *ranking.Okapi
	documents ranking.Ranking
	lines     bool // its lines are compared with contexts
}

// Baselines returns plain Okapi BM25 over speaker and text of the turns: once over
// words as written, once over stems without stop words. It uses no database.
func Baselines(turns []Turn) []Baseline {
	texts := make([]string, len(turns))
	documents := make(ranking.Ranking, len(turns))
	for i, t := range turns {
		texts[i] = t.Speaker + " " + t.Text
		documents[i] = t.hit()
	}
	return []Baseline{
		{"turns, plain Okapi", ranking.NewOkapi(texts, ranking.Words), documents, false},
		{"turns, Okapi of stems", ranking.NewOkapi(texts, ranking.Stems), documents, true},
	}
}

// SessionBaselines returns the same over whole sessions.
func SessionBaselines(turns []Turn) []Baseline {
	var sessions []string
	said := map[string][]string{}
	for _, t := range turns {
		if said[t.Session] == nil {
			sessions = append(sessions, t.Session)
		}
		said[t.Session] = append(said[t.Session], t.Text)
	}
	texts := make([]string, len(sessions))
	documents := make(ranking.Ranking, len(sessions))
	for i, session := range sessions {
		texts[i] = strings.Join(said[session], " ")
		documents[i] = ranking.Hit{Sources: []ranking.Source{{Session: session}}}
	}
	return []Baseline{
		{"sessions, plain Okapi", ranking.NewOkapi(texts, ranking.Words), documents, false},
		{"sessions, Okapi of stems", ranking.NewOkapi(texts, ranking.Stems), documents, false},
	}
}

// Ask ranks the documents for a question.
func (b Baseline) Ask(question string, limit int) Found {
	found := Found{Method: b.Method, Lines: b.lines}
	for _, i := range b.okapi.Rank(question, limit) {
		found.Ranking = append(found.Ranking, b.documents[i])
	}
	return found
}
