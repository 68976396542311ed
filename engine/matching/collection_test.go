package matching_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/annalsdb/annals/engine/matching"
)

// A value that many records have is no evidence; a value of only two is.
func TestCollectionKnowsWhatIsRare(t *testing.T) {
	t.Parallel()
	beer := func(name, brewery, strength string) matching.Record {
		return matching.Record{Names: []string{name}, Attributes: map[string]string{"brewery": brewery, "strength": strength}}
	}
	all := []matching.Record{
		beer("Amber Ale", "Iron Hill Brewing Company", "5.0 %"), beer("Iron Hill Amber Ale", "Grand Lake Brewing Company", "4.1 %"),
		beer("Ticklefight Champion", "Solemn Oath Brewery", "12.0 %"), beer("Solemn Oath Ticklefight Champion", "Solemn Oath", "12 %"),
	}
	for i := range 40 {
		all = append(all, beer(fmt.Sprintf("Amber Ale of Village %c%c", 'a'+i%20, 'k'+i/4), "Some Brewing Company", "5.5 %"))
	}
	c := matching.NewCollection(all)
	if v := c.Compare(0, 1); v.Decision == matching.Same {
		t.Errorf("what all have counts: %+v", v)
	}
	if v := c.Compare(2, 3); v.Decision != matching.Same {
		t.Errorf("what only two have does not count: %+v", v)
	}
	if p := c.Pairs(); !slices.Contains(p, matching.Pair{A: 2, B: 3}) || slices.Contains(p, matching.Pair{A: 2, B: 9}) {
		t.Errorf("pairs %v", p)
	}
}

func TestCompareMistypedRecords(t *testing.T) {
	t.Parallel()
	person := func(name, street, suburb, born, number string) matching.Record {
		return matching.Record{Names: []string{name}, Labels: []string{"Person"}, Attributes: map[string]string{
			"street": street, "suburb": suburb, "date_of_birth": born, "number": number,
		}}
	}
	a := person("Benjamin McPhail", "7 Stralia Place", "Longreach", "19481218", "4817613")
	tests := []struct {
		about string
		b     matching.Record
		want  matching.Decision
	}{
		{"names swapped, words run together, digits swapped", person("mcphail benjamin", "7 straliaplace", "longeach", "19481281", "4187613"), matching.Same},
		{"another surname", person("benjamin green", "7 stralia place", "longreach", "19481218", "4817613"), matching.Same},
		{"a twin", person("oliver mcphail", "7 stralia place", "longreach", "19481218", "9004242"), matching.Unsure},
		{"a namesake", person("benjamin mcphail", "12 banks street", "modbury", "19720518", "6090360"), matching.Different},
		{"a neighbour", person("hannah ottens", "9 stralia place", "longreach", "19990219", "7364009"), matching.Different},
	}
	for _, tt := range tests {
		check(t, tt.about, a, tt.b, tt.want)
	}
}
