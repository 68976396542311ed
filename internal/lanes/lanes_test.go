package lanes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/lanes"
	"github.com/annalsdb/annals/temporal"
)

var (
	nora   = uuid.UUID{1}
	stated = temporal.Bound{Basis: temporal.Stated, Precision: temporal.ToTheDay}
)

func day(text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return at
}

// version returns a version of a fact about Nora. Names of facts and places are single
// letters.
func version(fact, predicate, target, valid, known string) graph.FactVersion {
	from, until, _ := strings.Cut(valid, "/")
	since, over, _ := strings.Cut(known, "/")
	v := graph.FactVersion{Fact: graph.Fact{
		ID: uuid.UUID{2, fact[0]}, SourceID: nora, Source: "Nora", Predicate: predicate, TargetID: uuid.UUID{3, target[0]}, Target: target, Kind: graph.FactState,
		ToldAs: "Nora " + predicate + " " + target + ".", Recorded: temporal.Interval{Start: day(since), End: day(over)},
	}}
	v.Valid.Interval = temporal.Interval{Start: day(from), End: day(until)}
	if from != "" {
		v.Valid.From = stated
	}
	if until != "" {
		v.Valid.Until = stated
	}
	return v
}

// ends is how the belief in a fact ended.
func ends(fact string, how lanes.Ending, at string) lanes.End {
	return lanes.End{FactID: uuid.UUID{2, fact[0]}, At: day(at), How: how}
}

// waiting returns a version that waits to be confirmed.
func waiting(v graph.FactVersion) graph.FactVersion {
	v.Trust = graph.TrustCandidate
	return v
}

// drawn returns the bars of a lane at a time of belief, in words.
func drawn(all []lanes.Lane, name, known string) string {
	var bars []string
	for _, lane := range all {
		if lane.Name != name {
			continue
		}
		for _, bar := range lane.At(day(known)) {
			words := fmt.Sprintf("%s %s %s", bar.Label, bar.State, bar.When)
			for _, also := range bar.Also {
				words += " + " + also.Told
			}
			if bar.By != nil {
				words += " by " + bar.By.Told
			}
			bars = append(bars, words)
		}
	}
	return strings.Join(bars, "\n")
}

// A bar shows the belief of a time. The home ends once the move is known. A corrected belief
// stands beside its replacement; a belief that was taken back has none.
func TestLanesShowWhatWasBelieved(t *testing.T) {
	t.Parallel()
	moved := version("b", "LIVES_IN", "Porto", "2024-03-04/", "2024-03-15/")
	bergen := version("a", "LIVES_IN", "Bergen", "2023-01-01/2024-03-04", "2024-03-15/")
	bergen.BoundedBy = moved.ID
	versions := []graph.FactVersion{
		version("a", "LIVES_IN", "Bergen", "2023-01-01/", "2024-01-08/2024-03-15"), bergen, moved,
		version("c", "WORKS_AT", "Casa Azul", "2024-03-08/", "2024-03-15/2024-04-22"), version("d", "WORKS_AT", "Casa Azul", "2024-03-11/", "2024-04-22/"),
		version("e", "LIKES", "jazz", "2024-01-01/", "2024-02-01/2024-02-02"),
		version("f", "READS", "Emma", "2024-01-01/", "2024-02-01/2024-02-09"), version("f", "READS", "Emma", "2024-01-01/2024-02-05", "2024-02-09/"),
	}
	all := lanes.Of(versions, []lanes.End{ends("e", lanes.TakenOut, "2024-02-02")}, []uuid.UUID{nora})
	if all[0].Name != "home" || all[1].Name != "employer" || all[0].Entity != "Nora" {
		t.Errorf("the first lanes are %s and %s of %s", all[0].Name, all[1].Name, all[0].Entity)
	}
	for _, c := range []struct{ lane, known, want string }{
		{"home", "2024-01-01", ""},
		{"home", "2024-03-01", "Bergen holds since 1 January 2023"},
		{"home", "", "Bergen ended from 1 January 2023 until 3 March 2024 by Nora LIVES_IN Porto.\nPorto holds since 4 March 2024"},
		{"employer", "2024-04-01", "Casa Azul holds since 8 March 2024"},
		{"employer", "", "Casa Azul corrected since 8 March 2024 by Nora WORKS_AT Casa Azul.\nCasa Azul holds since 11 March 2024"},
		{"likes", "2024-02-01", "jazz holds since 1 January 2024"},
		{"likes", "", "jazz taken back since 1 January 2024"},
		{"reads", "", "Emma ended from 1 January 2024 until 4 February 2024"},
	} {
		if got := drawn(all, c.lane, c.known); got != c.want {
			t.Errorf("%s as known on %q:\n%s\nwant:\n%s", c.lane, c.known, got, c.want)
		}
	}
	home := all[0].Bars[0]
	if home.ShownUntil == nil || !home.ShownUntil.Equal(day("2024-03-15")) {
		t.Errorf("Bergen stands open until %v", home.ShownUntil)
	}
}

// A fact is corrected only by its replacement. That Bergen goes on, since Porto was taken
// back, does not replace Porto.
func TestWhatGoesOnCorrectsNothing(t *testing.T) {
	t.Parallel()
	all := lanes.Of([]graph.FactVersion{
		version("a", "LIVES_IN", "Bergen", "2023-01-01/", "2024-01-08/2024-03-15"), version("a", "LIVES_IN", "Bergen", "2023-01-01/2024-03-04", "2024-03-15/2024-03-20"),
		version("a", "LIVES_IN", "Bergen", "2023-01-01/", "2024-03-20/"), version("b", "LIVES_IN", "Porto", "2024-03-04/", "2024-03-15/2024-03-20"),
	}, []lanes.End{ends("b", lanes.TakenOut, "2024-03-20")}, []uuid.UUID{nora})
	if got := drawn(all, "home", ""); !strings.Contains(got, "Porto taken back") || !strings.Contains(got, "Bergen holds since 1 January 2023") {
		t.Errorf("the home is\n%s", got)
	}
}

// The bar of a fact whose words were corrected shows the new words, not the other entity.
func TestLanesShowCorrectedWords(t *testing.T) {
	t.Parallel()
	edited := version("a", "LIKES_COLOUR", "purple", "2024-03-01/", "2024-03-05/")
	edited.ToldAs = "Nora's favourite colour is violet."
	all := lanes.Of([]graph.FactVersion{version("a", "LIKES_COLOUR", "purple", "2024-03-01/", "2024-03-01/2024-03-05"), edited}, nil, []uuid.UUID{nora})
	var labels []string
	for _, lane := range all {
		for _, bar := range lane.At(day("")) {
			labels = append(labels, bar.Label)
		}
	}
	if want := []string{"Nora's favourite colour is violet"}; !slices.Equal(labels, want) {
		t.Errorf("the bars say %q, want %q", labels, want)
	}
}

// Lanes show why a belief ended. Only a withdrawn or undone fact was taken back; only a fact
// replaced by another was corrected.
func TestLanesSayWhyBeliefEnded(t *testing.T) {
	t.Parallel()
	tea := func(known string) graph.FactVersion { return version("a", "LIKES", "tea", "2024-01-01/", known) }
	other := func(known string) graph.FactVersion { return version("a", "LIKES", "Tee", "2024-01-01/", known) }
	for name, c := range map[string]struct {
		versions []graph.FactVersion
		ends     []lanes.End
		want     map[string]string // by the time of belief
	}{
		"withheld, and confirmed": {
			[]graph.FactVersion{tea("2024-02-01/2024-02-03"), waiting(tea("2024-02-03/2024-02-07")), tea("2024-02-07/")},
			nil,
			map[string]string{"2024-02-02": "tea holds since 1 January 2024", "2024-02-04": "tea withheld since 1 January 2024", "": "tea holds since 1 January 2024"},
		},
		"withheld, and rejected": {
			[]graph.FactVersion{tea("2024-02-01/2024-02-03"), waiting(tea("2024-02-03/2024-02-07"))},
			[]lanes.End{ends("a", lanes.TakenOut, "2024-02-07")},
			map[string]string{"2024-02-04": "tea withheld since 1 January 2024", "": "tea taken back since 1 January 2024"},
		},
		"never believed": {[]graph.FactVersion{waiting(tea("2024-02-03/"))}, nil, map[string]string{"2024-02-04": "", "": ""}},
		"expired": {
			[]graph.FactVersion{tea("2024-02-01/2024-02-06")},
			[]lanes.End{ends("a", lanes.Forgotten, "2024-02-05"), ends("a", lanes.TakenOut, "2024-02-06")},
			map[string]string{"2024-02-04": "tea holds since 1 January 2024", "2024-02-05": "", "": ""},
		},
		"taken back, and restored": {
			[]graph.FactVersion{tea("2024-02-01/2024-02-03"), tea("2024-02-07/")},
			[]lanes.End{ends("a", lanes.TakenOut, "2024-02-03")},
			map[string]string{"2024-02-04": "tea taken back since 1 January 2024", "": "tea holds since 1 January 2024"},
		},
		"joined with another": {
			[]graph.FactVersion{tea("2024-02-01/2024-02-06"), version("b", "LIKES", "Tee", "2024-01-01/", "2024-02-01/")},
			[]lanes.End{ends("a", lanes.LetGo, "2024-02-06")},
			map[string]string{"": "Tee holds since 1 January 2024"},
		},
		"about what was merged": {
			[]graph.FactVersion{tea("2024-02-01/2024-02-06"), other("2024-02-06/")},
			[]lanes.End{ends("a", lanes.LetGo, "2024-02-06")},
			map[string]string{"2024-02-04": "tea holds since 1 January 2024", "": "Tee holds since 1 January 2024"},
		},
		"given another end": {
			[]graph.FactVersion{tea("2024-02-01/2024-02-06"), other("2024-02-06/")},
			nil,
			map[string]string{"": "Tee holds since 1 January 2024\ntea corrected since 1 January 2024 by Nora LIKES Tee."},
		},
		"displaced by what is not in the picture": {
			[]graph.FactVersion{tea("2024-02-01/2024-02-06")}, nil, map[string]string{"": "tea corrected since 1 January 2024"},
		},
	} {
		for at, want := range c.want {
			if got := drawn(lanes.Of(c.versions, c.ends, []uuid.UUID{nora}), "likes", at); !sameLines(got, want) {
				t.Errorf("%s, as known on %q:\n%s\nwant:\n%s", name, at, got, want)
			}
		}
	}
}

// Facts that say the same in other words are one bar; facts of another time are not.
func TestLanesSayThingsOnce(t *testing.T) {
	t.Parallel()
	said := version("b", "LIVES_IN", "Porto", "2024-03-15/", "2024-03-15/")
	said.Valid.From = temporal.Bound{Basis: temporal.Said, Precision: temporal.ToInstant}
	dog, pixel := version("c", "HAS", "dog", "2024-01-12/", "2024-01-19/"), version("d", "HAS_DOG", "Pixel", "2024-01-12/", "2024-01-19/")
	dog.ToldAs, pixel.ToldAs = "Nora adopted a dog called Pixel.", "Nora adopted a dog called Pixel."
	sold := version("f", "NO_LONGER_HAS", "bicycle", "2024-07-01/", "2024-07-02/")
	sold.Kind = graph.FactEvent
	bicycle := version("e", "HAS", "red bicycle", "2024-06-01/2024-07-01", "2024-07-02/")
	bicycle.BoundedBy = sold.ID
	all := lanes.Of([]graph.FactVersion{
		version("a", "LIVES_IN", "Porto", "2024-03-04/", "2024-03-15/"), said, version("g", "LIVES_IN", "Porto", "2019-01-01/2020-01-01", "2024-03-15/"), dog, pixel, bicycle, sold,
	}, nil, []uuid.UUID{nora})
	for lane, want := range map[string]string{
		"home": "Porto ended from 1 January 2019 until 31 December 2019\nPorto holds since 4 March 2024 + Nora LIVES_IN Porto.",
		"pet":  "Pixel holds since 12 January 2024 + Nora adopted a dog called Pixel.",
		"has":  "red bicycle ended from 1 June 2024 until 30 June 2024 + Nora NO_LONGER_HAS bicycle. by Nora NO_LONGER_HAS bicycle.",
	} {
		if got := drawn(all, lane, ""); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", lane, got, want)
		}
	}
}

// The bar of somebody else's deed names that person.
func TestLanesNameWhoDidIt(t *testing.T) {
	t.Parallel()
	own, other := version("a", "VISITS", "Ingrid", "2024-06-29/2024-06-30", "2024-07-02/"), version("b", "VISITS", "Nora", "2024-02-01/2024-02-02", "2024-03-01/")
	own.Kind, own.ToldAs = graph.FactEvent, "Nora visited Ingrid."
	other.Kind, other.ToldAs, other.Source, other.SourceID, other.TargetID = graph.FactEvent, "Ingrid visited Nora.", "Ingrid", own.TargetID, nora
	want := "visited Ingrid happened on 29 June 2024\nIngrid visited Nora happened on 1 February 2024"
	if got := drawn(lanes.Of([]graph.FactVersion{own, other}, nil, []uuid.UUID{nora}), "what happened", ""); !sameLines(got, want) {
		t.Errorf("there happened\n%s\nwant:\n%s", got, want)
	}
}

func sameLines(a, b string) bool {
	one, other := strings.Split(a, "\n"), strings.Split(b, "\n")
	slices.Sort(one)
	slices.Sort(other)
	return slices.Equal(one, other)
}

// At any time each believed fact stands in the lanes exactly once, and no other fact stands
// there as believed.
func TestLanesLoseNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var versions []graph.FactVersion
		for i := range rapid.IntRange(1, 8).Draw(t, "facts") {
			predicate := rapid.SampledFrom([]string{"LIVES_IN", "HAS", "HAS_DOG", "NO_LONGER_HAS", "MEETS"}).Draw(t, "predicate")
			target := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "target")
			known := rapid.IntRange(1, 9).Draw(t, "known")
			for range rapid.IntRange(1, 3).Draw(t, "versions") {
				until := known + rapid.IntRange(1, 4).Draw(t, "for")
				from := rapid.IntRange(1, 20).Draw(t, "from")
				valid := fmt.Sprintf("2024-01-%02d/", from)
				if rapid.Bool().Draw(t, "ended") {
					valid += fmt.Sprintf("2024-02-%02d", from)
				}
				v := version(string(rune('a'+i)), predicate, target, valid, fmt.Sprintf("2024-05-%02d/2024-05-%02d", known, until))
				if predicate == "MEETS" || predicate == "NO_LONGER_HAS" {
					v.Kind = graph.FactEvent
				}
				if rapid.Bool().Draw(t, "goes on") && until > 12 {
					v.Recorded.End = time.Time{}
				}
				versions, known = append(versions, v), until
				if v.Recorded.Ongoing() {
					break
				}
			}
		}
		all := lanes.Of(versions, nil, []uuid.UUID{nora})
		for i := range 40 {
			at := day("2024-05-01").Add(time.Duration(i) * 12 * time.Hour)
			var want, got []string
			for _, v := range versions {
				if v.Recorded.Contains(at) {
					want = append(want, v.ID.String()+v.When(at))
				}
			}
			for _, lane := range all {
				for _, bar := range lane.At(at) {
					if bar.State.Past() {
						if bar.Believed.Until == nil || bar.Believed.Until.After(at) {
							t.Fatalf("%s counts as %s on %s, and is believed until %v", bar.Told, bar.State, at, bar.Believed.Until)
						}
						continue
					}
					got = append(got, bar.FactID.String()+bar.When)
					for _, also := range bar.Also {
						got = append(got, also.FactID.String()+also.When)
					}
				}
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(want, got) {
				t.Fatalf("on %s there stand\n%q\nand believed was\n%q", at, got, want)
			}
		}
	})
}
