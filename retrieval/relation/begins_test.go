package relation

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// No pattern that its beginnings rule out would have matched. The questions are made of words that
// ask about relations, and of others.
func TestBeginningsRuleOutNoMatch(t *testing.T) {
	t.Parallel()
	words := strings.Fields(`What does Nora's teacher do for a living Who pays her salary? reports to shares home with live-in flat mates
		co-worker coworkers married E-Mail mail phone number how old is he age 12 born birth date, not eat allergic vegan come from grew up
		Where is Ana today? planned upcoming rides driven smoker hobbies 's tutor instructed by Bo_b's taught universities moved settled
		current city boss superior grandma nieces bands choir telephone mobile ring reached stays at stay with language talk to in love 1990s`)
	ruledOut := 0
	for range 20000 {
		r := rand.Perm(len(words))[:1+rand.IntN(9)]
		var text []string
		for _, i := range r {
			text = append(text, words[i])
		}
		question := strings.Join(text, []string{" ", "-", "'"}[rand.IntN(3)])
		if rand.IntN(2) == 0 {
			question = strings.ToUpper(question)
		}
		boundaries, plain := boundariesIn(question)
		if !plain {
			t.Fatalf("%q is plain", question)
		}
		for i, a := range askings() {
			switch may := a.mayMatch(boundaries); {
			case !may && a.MatchString(question):
				t.Fatalf("%q matches %s, and is ruled out by %q", question, relations[i].asks(), a.begins)
			case !may:
				ruledOut++
			}
		}
	}
	if ruledOut < 20000*len(relations)/2 {
		t.Errorf("only %d are ruled out", ruledOut)
	}
	if _, plain := boundariesIn("Where is Zoë?"); plain {
		t.Error("letters beyond a to z may be the same in other ways")
	}
	if open := slices.IndexFunc(askings(), func(a asking) bool { return len(a.begins) == 0 }); open >= 0 {
		t.Errorf("%s may begin with anything", relations[open].asks())
	}
}
