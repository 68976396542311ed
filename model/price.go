package model

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
)

// Price is the price of a model in US dollars per million tokens.
type Price struct {
	Input  float64 `json:"input"`
	Cached float64 `json:"cached"` // input from the provider's cache
	Output float64 `json:"output"`
	AsOf   string  `json:"as_of,omitempty"` // a month with this list price: 2026-10
}

// Prices holds prices by "provider:model".
type Prices map[string]Price

//go:embed prices.json
var priceList []byte

// listPrices are the providers' list prices in the month that each entry names.
// They exclude taxes, discounts, cache writes, and the surcharge for prompts of
// more than 100 000 tokens. The price of a model that is not listed is unknown.
var listPrices = func() Prices {
	var p Prices
	if err := json.Unmarshal(priceList, &p); err != nil {
		panic(fmt.Sprintf("model: prices.json: %v", err))
	}
	return p
}()

// ListPrices returns the shipped list prices, each as of the month that it
// names. Bills may differ.
func ListPrices() Prices { return maps.Clone(listPrices) }

// dated matches the date or the word "latest" at the end of a model's name.
var dated = regexp.MustCompile(`-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$`)

// costOf returns the cost of a call, or nil if no price is known. It ignores a
// date at the end of a model's name. Local models cost nothing.
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
