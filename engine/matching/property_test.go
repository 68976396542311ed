package matching_test

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/annalsdb/annals/engine/matching"
)

// names draws strings like names: words in several scripts, titles, initials, numbers, and anything
// else.
func names() *rapid.Generator[string] {
	words := rapid.SampledFrom([]string{
		"Ross", "ross", "Rosss", "Geller", "Gelller", "Gellre", "Monica", "Mon", "Dr.", "Mr.", "Mrs.", "Jr.", "Sr", "II", "J.", "John", "Jon", "Smith,",
		"José", "Jose", "737", "747", "5th", "fifth", "The", "of", "Inc.", "GmbH", "O'Connor", "O’Connor", "'s", "C++", "北京", "王小明", "先生",
		"김민수", "김", "민수", "씨", "さん", "サクラ", "さくら", "محمد", "مُحَمَّد", "Фёдор", "Федор", "spider-man", "spiderman", "a", "-", "🎉",
	})
	phrase := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(words, 1, 4).Draw(t, "words"), " ")
	})
	return rapid.OneOf(phrase, rapid.String())
}

func records() *rapid.Generator[matching.Record] {
	values := rapid.OneOf(rapid.SampledFrom([]string{
		"1979-11-12", "12 Nov 1979", "5.60 %", "6 %", "3:33", "3:35", "a@b.org", "+1 404 237 2700", "404/237-2700", "4011", "Oslo", "7 Main St.", "-",
	}), rapid.String())
	return rapid.Custom(func(t *rapid.T) matching.Record {
		return matching.Record{
			Names:      rapid.SliceOfN(names(), 0, 3).Draw(t, "names"),
			Labels:     rapid.SliceOfN(rapid.SampledFrom([]string{"", "Person", "person", "Organization", "Place"}), 0, 2).Draw(t, "labels"),
			Attributes: rapid.MapOfN(rapid.SampledFrom([]string{"born", "Born", "phone", "city", "ABV"}), values, 0, 3).Draw(t, "attributes"),
		}
	})
}

func TestCompareIsSymmetric(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := records().Draw(t, "a"), records().Draw(t, "b")
		x, y := matching.Compare(a, b), matching.Compare(b, a)
		if x.Decision != y.Decision || x.Score != y.Score {
			t.Fatalf("%+v, but the other way round %+v", x, y)
		}
	})
}

// A record with a name is the same as itself, and as itself in capitals.
func TestCompareIsReflexive(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := records().Draw(t, "a")
		named := false
		for _, n := range a.Names {
			named = named || strings.ContainsFunc(n, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		}
		if v := matching.Compare(a, a); named && v.Decision != matching.Same {
			t.Fatalf("%+v", v)
		}
	})
}

func TestFoldIsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := names().Draw(t, "name")
		if once := matching.Fold(s); matching.Fold(once) != once {
			t.Fatalf("%q, then %q", once, matching.Fold(once))
		}
	})
}

// Resolve returns a candidate exactly if it says Same, and never a candidate that Compare calls
// Different.
func TestResolveAgreesWithCompare(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, candidates := records().Draw(t, "a"), rapid.SliceOfN(records(), 0, 4).Draw(t, "candidates")
		i, v := matching.Resolve(a, candidates)
		if (i >= 0) != (v.Decision == matching.Same) || i >= len(candidates) {
			t.Fatalf("%d of %d: %+v", i, len(candidates), v)
		}
		if i >= 0 && matching.Compare(a, candidates[i]).Decision == matching.Different {
			t.Fatalf("%+v chosen, but different", candidates[i])
		}
	})
}

// A collection lists each pair to compare once.
func TestPairs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(records(), 0, 12).Draw(t, "records")
		c := matching.NewCollection(all)
		last := matching.Pair{A: -1}
		for _, p := range c.Pairs() {
			if p.A >= p.B || p.B >= len(all) || p.A < last.A || p.A == last.A && p.B <= last.B {
				t.Fatalf("%v after %v", p, last)
			}
			c.Compare(p.A, p.B)
			last = p
		}
	})
}

func FuzzCompare(f *testing.F) {
	for _, c := range nameCases {
		f.Add(c.label, c.a, c.b, "", "")
	}
	f.Add("Person", "\xff", "İ\u0307", "1979-11-12", "12 Nov 1979")
	f.Fuzz(func(t *testing.T, label, a, b, x, y string) {
		one := matching.Record{Names: []string{a}, Labels: []string{label}, Attributes: map[string]string{"k": x}}
		other := matching.Record{Names: []string{b}, Labels: []string{label}, Attributes: map[string]string{"k": y}}
		v, w := matching.Compare(one, other), matching.Compare(other, one)
		if v.Decision != w.Decision || v.Score != w.Score || v.Score < 0 || v.Score > 1 {
			t.Errorf("%+v, but the other way round %+v", v, w)
		}
		if i, r := matching.Resolve(one, []matching.Record{other}); (i == 0) != (r.Decision == matching.Same) {
			t.Errorf("%d %+v", i, r)
		}
	})
}
