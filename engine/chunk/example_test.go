package chunk_test

import (
	"fmt"

	"github.com/annalsdb/annals/engine/chunk"
)

// The second chunk repeats a sentence, so that "it" has something to stand for.
func ExampleText() {
	letter := "Ann has moved to Lisbon. She rents a flat in Alfama. It has a view of the river."
	for _, c := range chunk.Text(letter, chunk.Options{Size: 60, Overlap: 30}) {
		fmt.Printf("%d–%d %q\n", c.Start, c.End, c.Text)
	}
	// Output:
	// 0–53 "Ann has moved to Lisbon. She rents a flat in Alfama. "
	// 25–80 "She rents a flat in Alfama. It has a view of the river."
}

// Each chunk says whose orders it holds.
func ExampleJSON() {
	document := `{
	  "customer": "Ann Weber",
	  "orders": [
	    {"id": 9007199254740993, "item": "a lamp made of olive wood", "price": 10.50},
	    {"id": 9007199254740994, "item": "a table made of oak", "price": 1e2},
	    {"id": 9007199254740995, "item": "two chairs that match it", "price": 80}
	  ]
	}`
	chunks, err := chunk.JSON(document, chunk.Options{Size: 190, Overlap: 60})
	if err != nil {
		fmt.Println(err)
	}
	for _, c := range chunks {
		fmt.Println(c.Text)
	}
	// Output:
	// {"customer":"Ann Weber","orders":[{"id":9007199254740993,"item":"a lamp made of olive wood","price":10.50},{"id":9007199254740994,"item":"a table made of oak","price":1e2}]}
	// {"customer":"Ann Weber","orders":[{"id":9007199254740995,"item":"two chairs that match it","price":80}]}
}
