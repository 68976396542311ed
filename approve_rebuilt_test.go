package annals_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/slow"
)

// step draws a random operation: a message, early or late, a decision, another policy, or undoing a
// message.
func (d *deciding) step(r *rapid.T, sentence func() string, left *[]string) string {
	homes := slices.DeleteFunc(d.read(), func(place string) bool { return place == "Lisbon" })
	slices.Sort(homes)
	do := rapid.SampledFrom([]string{"say", "say", "late", "approve", "approve", "approve", "leave", "reject", "withhold", "undo", "release", "hold"}).Draw(r, "do")
	switch do {
	case "say", "late":
		*left = append(*left, string(rune('a'+len(d.mails))))
		return do + " " + sentence()
	case "approve", "leave", "reject":
		if len(homes) == 0 {
			return "release"
		}
		return do + " " + rapid.SampledFrom(homes).Draw(r, "which")
	case "withhold":
		return rapid.SampledFrom([]string{"withhold", "withhold a", "withhold b", "withhold a b"}).Draw(r, "policy")
	case "undo":
		if len(*left) == 0 {
			return "release"
		}
		i := rapid.IntRange(0, len(*left)-1).Draw(r, "message")
		message := (*left)[i]
		*left = slices.Delete(*left, i, i+1)
		return "undo " + message
	}
	return do
}

// After any messages, decisions, policies and undos, she lives where a rebuilt graph says.
func TestWhatIsDecidedIsAsRebuilt(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := clienttest.New(t)
	checkHistories(t, func(r *rapid.T, _ int) {
		places := []string{"Porto", "Rome", "Oslo", "Paris", "Berlin", "Madrid", "Vienna", "Athens", "Dublin", "Prague", "Turin", "Lyon"}
		said := 0
		sentence := func() string {
			said++
			return fmt.Sprintf("I have lived in %s since 1 %s 2024.", places[said-1], rapid.SampledFrom([]string{"March", "April", "May", "June"}).Draw(r, "since"))
		}
		d := mailed(t, client, sentence(), sentence())
		left := []string{"a", "b"}
		did := []string{}
		for range rapid.IntRange(3, 8).Draw(r, "steps") {
			did = append(did, d.step(r, sentence, &left))
			d.do(did[len(did)-1])
		}
		before := d.homes()
		d.do("rebuild")
		if after := d.homes(); after != before {
			r.Errorf("after %q she lives in\n%s\nrebuilt in\n%s", did, before, after)
		}
	})
}
