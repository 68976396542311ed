package retrieval

import (
	"encoding/json"

	"github.com/annalsdb/annals/graph"
)

// A search keeps what a group withholds from who does not ask for it. Most groups
// withhold nothing: their searches ask no condition for it.

// narrow works out whether rows must be chosen, and the filters as the database reads
// them: as it was asked for, and with the trust that facts have where nothing is asked.
func (p *plan) narrow() {
	trust := p.query.Trust
	if trust == graph.TrustBelieved || trust == graph.TrustAll {
		trust = ""
	}
	p.filter, p.narrowed = p.query.Filter.document(p.query.KnownAt, trust)
	if trust == "" && p.query.Trust != graph.TrustAll {
		trust = graph.TrustBelieved
	}
	p.guarded, _ = p.query.Filter.document(p.query.KnownAt, trust)
}

// narrows reports whether rows of a kind are asked for by a filter: communities know
// none.
func (p *plan) narrows(kind graph.Kind) bool {
	return kind != graph.KindCommunity && (p.narrowed || p.withholds(kind))
}

// withholds reports whether the group withholds rows of a kind. Of the past it may have.
func (p *plan) withholds(kind graph.Kind) bool {
	switch {
	case p.query.Trust == graph.TrustAll:
		return false
	case kind == graph.KindFact:
		return p.knownAt() != nil || p.shape.Withholds()
	}
	return p.shape.WithholdsEpisodes()
}

// filterOf is the filter for rows of a kind.
func (p *plan) filterOf(kind graph.Kind) json.RawMessage {
	if p.withholds(kind) {
		return p.guarded
	}
	return p.filter
}

// trusted is the trust that facts along the graph are asked for by; empty: any.
func (p *plan) trusted() string {
	switch p.query.Trust {
	case graph.TrustAll:
		return ""
	case "":
		return string(graph.TrustBelieved)
	}
	return string(p.query.Trust)
}
