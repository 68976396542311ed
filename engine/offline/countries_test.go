package offline

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Countries whose English name mostly means something else.
var notCountries = set(`Jordan Chad Georgia Turkey Guernsey Jersey World`)

func TestCountries(t *testing.T) {
	t.Parallel()
	want := map[string]bool{}
	names := display.English.Regions()
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			region, err := language.ParseRegion(string(a) + string(b))
			if name := names.Name(region); err == nil && region.IsCountry() && name != "" && !notCountries[name] {
				want[name] = true
			}
		}
	}
	got := strings.Split(strings.ReplaceAll(countries, "\n", ""), ",")
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), got); diff != "" {
		t.Errorf("countries (-the locale data +ours):\n%s", diff)
	}
}
