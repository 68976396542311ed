package model

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
)

// Price is what a model costs, in US dollars per million tokens.
type Price struct {
	Input  float64 `json:"input"`
	Cached float64 `json:"cached"` // input the provider had read before
	Output float64 `json:"output"`
	AsOf   string  `json:"as_of,omitempty"` // a month in which it was the list price: 2026-10
}

// Prices has prices by "provider:model".
type Prices map[string]Price

//go:embed prices.json
var priceList []byte

// listPrices are the providers' list prices in the month each line names,
// without taxes, rebates, what writing to a cache costs, and the surcharge for
// prompts of more than 100 000 tokens. What is not in it costs an unknown amount.
var listPrices = func() Prices {
	var p Prices
	if err := json.Unmarshal(priceList, &p); err != nil {
		panic(fmt.Sprintf("model: prices.json: %v", err))
	}
	return p
}()

// ListPrices returns the shipped prices: list prices as of the month each one
// names, not what anybody is billed.
func ListPrices() Prices { return maps.Clone(listPrices) }

// dated finds the date or the word that providers put behind a model's name.
var dated = regexp.MustCompile(`-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$`)

// costOf returns what a call cost, nil where no price is known. The date at the
// end of a model's name is ignored.
func (p Prices) costOf(model string, u usage) *float64 {
	name, _, _ := strings.Cut(model, ":")
	runner, known := providers[name]
	free := known && runner.local()
	for _, name := range []string{model, dated.ReplaceAllString(model, "")} {
		for _, list := range []Prices{p, listPrices} {
			if price, ok := list[name]; ok {
				return price.of(u)
			}
		}
	}
	if free {
		return new(float64)
	}
	return nil
}

func (p Price) of(u usage) *float64 {
	cost := (float64(u.input-u.cached)*p.Input + float64(u.cached)*p.Cached + float64(u.output)*p.Output) / 1e6
	return &cost
}
