package retrieval

import (
	"encoding/json"

	"github.com/annalsdb/annals/graph"
)

// A search hides what a group withholds, unless the query asks for it. Most groups withhold
// nothing, and are searched without a condition.

// narrow sets whether rows must be filtered, and the filters for the database: as asked for, and
// with the default trust of facts.
func (p *plan) narrow() {
	trust := p.query.Trust
	if trust == graph.TrustBelieved || trust == graph.TrustAll {
		trust = ""
	}
	p.filter, p.filtered = p.query.Filter.document(p.query.KnownAt, trust)
	p.narrowed = p.filtered
	if trust == "" && p.query.Trust != graph.TrustAll {
		trust = graph.TrustBelieved
	}
	p.guarded, _ = p.query.Filter.document(p.query.KnownAt, trust)
}

// narrows reports whether rows of a kind are filtered. Communities have no filter.
func (p *plan) narrows(kind graph.Kind) bool {
	return kind != graph.KindCommunity && (p.narrowed || p.withholds(kind))
}

// withholds reports whether the group withholds rows of a kind. At KnownAt it may have, so facts
// count as withheld.
func (p *plan) withholds(kind graph.Kind) bool {
	switch {
	case p.query.Trust == graph.TrustAll:
		return false
	case kind == graph.KindFact:
		return p.knownAt() != nil || p.shape.Withholds
	}
	return p.shape.WithholdsEpisodes
}

// filterOf is the filter for rows of a kind.
func (p *plan) filterOf(kind graph.Kind) json.RawMessage {
	if p.withholds(kind) {
		return p.guarded
	}
	return p.filter
}

// trusted is the trust of the facts that are read along the graph; empty: any.
func (p *plan) trusted() string {
	switch p.query.Trust {
	case graph.TrustAll:
		return ""
	case "":
		return string(graph.TrustBelieved)
	}
	return string(p.query.Trust)
}
