package onnx

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
)

// pairing is the layout of a query and a text in one input. BERT uses [CLS]
// query [SEP] text [SEP] and marks the second half. RoBERTa uses <s> query
// </s></s> text </s> without marks.
type pairing struct {
	pieces []piece
	own    int // number of special tokens
}

// piece is a part of a pair: the tokens of one side, or special tokens.
type piece struct {
	side side
	ids  []uint32 // special tokens
	kind uint32   // the half it belongs to: 0 or 1
}

type side uint8

const (
	neither side = iota
	theQuery
	theText
)

// postProcessor is the part of tokenizer.json that states the layout, in the
// three forms of the tokenizers library.
type postProcessor struct {
	Type string `json:"type"`
	Pair []struct {
		Special *struct {
			ID   string `json:"id"`
			Kind uint32 `json:"type_id"`
		} `json:"SpecialToken"`
		Sequence *struct {
			ID   string `json:"id"` // A or B
			Kind uint32 `json:"type_id"`
		} `json:"Sequence"`
	} `json:"pair"`
	Special map[string]struct {
		IDs []uint32 `json:"ids"`
	} `json:"special_tokens"`
	Sep marker `json:"sep"`
	Cls marker `json:"cls"`
}

// marker is a token and its id, as in ["[SEP]", 102].
type marker struct {
	known bool
	id    uint32
}

// UnmarshalJSON reads the pair.
func (m *marker) UnmarshalJSON(data []byte) error {
	pair := [2]any{new(string), &m.id}
	m.known = true
	return json.Unmarshal(data, &pair)
}

// readPairing reads the pair layout of the model in a folder.
func readPairing(path string) (pairing, error) {
	var tokeniser struct {
		Post *postProcessor `json:"post_processor"`
	}
	if err := readJSON(filepath.Join(path, "tokenizer.json"), &tokeniser); err != nil {
		return pairing{}, err
	}
	if tokeniser.Post == nil {
		return pairing{}, errNoPairing
	}
	return tokeniser.Post.pairing()
}

var errNoPairing = errors.New("its tokenizer.json does not say how a query and a text go together: choose a model that was made for reranking")

func (p *postProcessor) pairing() (pairing, error) {
	switch {
	case p.Type == "BertProcessing" && p.Cls.known && p.Sep.known:
		return pairingOf(
			piece{ids: []uint32{p.Cls.id}}, piece{side: theQuery}, piece{ids: []uint32{p.Sep.id}},
			piece{side: theText, kind: 1}, piece{ids: []uint32{p.Sep.id}, kind: 1})
	case p.Type == "RobertaProcessing" && p.Cls.known && p.Sep.known:
		return pairingOf(
			piece{ids: []uint32{p.Cls.id}}, piece{side: theQuery}, piece{ids: []uint32{p.Sep.id, p.Sep.id}},
			piece{side: theText}, piece{ids: []uint32{p.Sep.id}})
	case p.Type != "TemplateProcessing":
		return pairing{}, errNoPairing
	}
	var pieces []piece
	for _, item := range p.Pair {
		switch {
		case item.Special != nil && len(p.Special[item.Special.ID].IDs) == 0:
			return pairing{}, fmt.Errorf("its tokenizer.json does not say which token %s is", item.Special.ID)
		case item.Special != nil:
			pieces = append(pieces, piece{ids: p.Special[item.Special.ID].IDs, kind: item.Special.Kind})
		case item.Sequence != nil && item.Sequence.ID == "A":
			pieces = append(pieces, piece{side: theQuery, kind: item.Sequence.Kind})
		case item.Sequence != nil && item.Sequence.ID == "B":
			pieces = append(pieces, piece{side: theText, kind: item.Sequence.Kind})
		}
	}
	return pairingOf(pieces...)
}

// pairingOf returns the layout of pieces and checks that each side occurs once.
func pairingOf(pieces ...piece) (pairing, error) {
	p := pairing{pieces: pieces}
	times := map[side]int{}
	for _, piece := range pieces {
		times[piece.side]++
		p.own += len(piece.ids)
	}
	if times[theQuery] != 1 || times[theText] != 1 {
		return pairing{}, errNoPairing
	}
	return p, nil
}

// join combines the tokens of a query and a text, in at most limit tokens.
func (p pairing) join(query, text []uint32, limit int) input {
	q, t := share(len(query), len(text), limit-p.own)
	var pair input
	for _, piece := range p.pieces {
		ids := piece.ids
		switch piece.side {
		case theQuery:
			ids = query[:q]
		case theText:
			ids = text[:t]
		}
		for _, id := range ids {
			pair.ids = append(pair.ids, id)
			pair.kinds = append(pair.kinds, piece.kind)
		}
	}
	return pair
}

// share returns how many tokens of each side fit into room. The longer side is
// cut first, until both have half ("longest first", as models are trained and
// served).
func share(query, text, room int) (int, int) {
	if query+text <= room {
		return query, text
	}
	half := room / 2
	switch {
	case query <= half:
		return query, room - query
	case text <= half:
		return room - text, text
	case query > text:
		return room - half, half
	}
	return half, room - half
}
