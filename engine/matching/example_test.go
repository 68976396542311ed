package matching_test

import (
	"fmt"

	"github.com/annalsdb/annals/engine/matching"
)

func ExampleCompare() {
	ross := matching.Record{Names: []string{"Ross Geller"}, Labels: []string{"Person"}}
	for _, name := range []string{"Dr. Ross Geller", "Monica Geller", "Ross"} {
		v := matching.Compare(ross, matching.Record{Names: []string{name}, Labels: []string{"Person"}})
		fmt.Printf("%s: %v, %s\n", name, v.Decision, v.Reason)
	}
	// Output:
	// Dr. Ross Geller: same, the same name but for spacing, signs or titles
	// Monica Geller: different, one name is shared, the others differ
	// Ross: unsure, the first name alone
}

func ExampleResolve() {
	known := []matching.Record{
		{Names: []string{"Ross Geller"}, Labels: []string{"Person"}},
		{Names: []string{"Monica Geller", "Mon"}, Labels: []string{"Person"}},
	}
	i, v := matching.Resolve(matching.Record{Names: []string{"Ross"}, Labels: []string{"Person"}}, known)
	fmt.Println(known[i].Names[0], "–", v.Reason)

	i, v = matching.Resolve(matching.Record{Names: []string{"Geller"}, Labels: []string{"Person"}}, known)
	fmt.Println(i, v.Decision)
	// Output:
	// Ross Geller – the first name alone, and nobody else fits
	// -1 unsure
}
