package retrieval

import (
	"encoding/json"

	"github.com/annalsdb/annals/graph"
)

// A search keeps what a group withholds from who does not ask for it. Most groups
// withhold nothing: their searches ask no condition for it.

// narrow works out whether rows must be chosen, and the filters as the database reads
// them: as it was asked for, and with the trust that facts have where nothing is asked.
func (v *view) narrow() {
	trust := v.query.Trust
	if trust == graph.TrustBelieved || trust == graph.TrustAll {
		trust = ""
	}
	v.filter, v.narrowed = v.query.Filter.document(v.query.KnownAt, trust)
	if trust == "" && v.query.Trust != graph.TrustAll {
		trust = graph.TrustBelieved
	}
	v.guarded, _ = v.query.Filter.document(v.query.KnownAt, trust)
}

// narrows reports whether rows of a kind are asked for by a filter: communities know
// none.
func (v *view) narrows(kind graph.Kind) bool {
	return kind != graph.KindCommunity && (v.narrowed || v.withholds(kind))
}

// withholds reports whether the group withholds rows of a kind. Of the past it may have.
func (v *view) withholds(kind graph.Kind) bool {
	switch {
	case v.query.Trust == graph.TrustAll:
		return false
	case kind == graph.KindFact:
		return v.knownAt() != nil || v.shape.Withholds()
	}
	return v.shape.WithholdsDocuments()
}

// filterOf is the filter for rows of a kind.
func (v *view) filterOf(kind graph.Kind) json.RawMessage {
	if v.withholds(kind) {
		return v.guarded
	}
	return v.filter
}

// trusted is the trust that facts along the graph are asked for by; empty: any.
func (v *view) trusted() string {
	switch v.query.Trust {
	case graph.TrustAll:
		return ""
	case "":
		return string(graph.TrustBelieved)
	}
	return string(v.query.Trust)
}
