package explorer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// told adds sentences of a file to the demo's memory. If that is the policy, they are not believed
// until a person confirms them.
func told(t *testing.T, client *annals.Client, policy graph.TrustPolicy, sentences ...string) {
	t.Helper()
	if err := service.New(client).SetTrustPolicy(t.Context(), "demo", policy); err != nil {
		t.Fatal(err)
	}
	for _, words := range sentences {
		if _, err := client.Add(t.Context(), annals.Episode{
			GroupID: "demo", Role: "assistant", Actor: "Helper", Content: words, SourceDescription: "mails.jsonl", OccurredAt: time.Now(),
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Process(t.Context(), "demo", nil); err != nil {
		t.Fatal(err)
	}
}

// row presses a button of the row with some words.
func (b *browser) row(words, button string) {
	b.t.Helper()
	b.do(chromedp.Click(`//main//ul[@class="rows"]/li[contains(., "`+words+`")]//button[normalize-space()="`+button+`"]`, chromedp.BySearch))
}

// gone waits until no row has some words.
func (b *browser) gone(words string) {
	b.t.Helper()
	b.do(chromedp.WaitNotPresent(`dialog`, chromedp.ByQuery), chromedp.Poll(`![...document.querySelectorAll("main ul.rows > li")].some(row => row.innerText.includes(`+packed(b.t, words)+`))`, nil))
}

// A waiting fact is shown with its message and speaker, and is approved, corrected and rejected,
// alone and together with others.
func TestWhatWaitsIsDecided(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	told(t, client, graph.TrustPolicy{Assistants: true}, "Mia lives in Bergen.", "Tom lives in Oslo.", "Eva lives in Madrid.", "Max lives in Rome.", "Ida lives in Turin.")
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/review?show=disputed", "main .nothing")
	b.shows("main .nothing", "annals trust set")
	b.click("To be confirmed")
	b.do(chromedp.WaitVisible("main ul.rows > li", chromedp.ByQuery))
	for _, words := range []string{"waits to be confirmed", "Mia lives in Bergen.", "Helper", "assistant", "of mails.jsonl", "came 20"} {
		b.shows("main ul.rows", words)
	}
	b.picture("review")
	b.as("dark", 390, 844)
	b.fits("the review on a phone")
	b.picture("review-phone")
	b.as("light", 1280, 860)

	b.row("Mia", "Approve")
	b.submit()
	b.gone("Mia")
	if _, there := factOf(t, client, "Mia lives in Bergen"); !there {
		t.Error("what was approved is not believed")
	}
	b.click("Undo") // undoes the approval
	b.shows("main ul.rows", "Mia lives in Bergen.")
	if _, there := factOf(t, client, "Mia lives in Bergen"); there {
		t.Error("what was approved by mistake is still believed")
	}

	b.row("Tom", "Edit")
	b.write("dialog textarea", "Tom lives in Trondheim.")
	b.submit()
	b.gone("Tom")
	if _, there := factOf(t, client, "Tom lives in Trondheim"); !there {
		t.Error("what was put right is not believed")
	}

	b.row("Eva", "Reject")
	b.submit()
	b.gone("Eva")
	b.shows("[role=status] .toast", "1 fact rejected.")
	if said := b.text("[role=status]"); strings.Contains(said, "Undo") { // restoring it by hand would make it believed
		t.Errorf("after a rejection it says %q", said)
	}
	rejected, err := service.New(client).Rejections(t.Context(), service.RejectionFilter{GroupID: "demo", Limit: annals.MaxRows})
	if err != nil || !slices.ContainsFunc(rejected, func(r service.Rejection) bool { return r.Fact == "Eva lives in Madrid." }) {
		t.Errorf("rejected is %+v (%v)", rejected, err)
	}

	for _, name := range []string{"Max", "Mia"} {
		b.do(chromedp.Click(`//main//input[@type="checkbox" and contains(@aria-label, "`+name+`")]`, chromedp.BySearch))
	}
	b.shows("main .review-bar", "2 chosen")
	b.click("Approve chosen")
	b.shows("dialog h2", "Approve 2 facts?")
	b.submit()
	b.gone("Max")
	b.gone("Mia")
	b.shows("main ul.rows", "Ida lives in Turin.")
	b.click("Reject all of this kind")
	b.submit()
	b.shows("main .nothing", "Nothing waits here")
	for words, want := range map[string]bool{"Max lives in Rome": true, "Mia lives in Bergen": true, "Ida lives in Turin": false} {
		if _, there := factOf(t, client, words); there != want {
			t.Errorf("that %s is believed: %t", words, there)
		}
	}
	b.nothingWrong("reviewing")

	secret, _, err := service.New(client).CreateAPIKey(t.Context(), service.KeySpec{Name: "helper", Groups: []string{"demo"}, Rights: service.RightsWrite, Authority: graph.AuthorityAssistant})
	if err != nil {
		t.Fatal(err)
	}
	b.signIn(secret)
	b.visit("/explore/demo/review?show=added&by=source&of=mails.jsonl", "main ul.rows > li")
	b.row("Max", "Leave")
	b.submit()
	b.shows("dialog [role=alert]", "assistant") // in the service's words
	b.nothingWrong("the word of an assistant", "401", "403")

	b.signIn(readerKey)
	b.visit("/explore/demo/review?show=added&by=source&of=mails.jsonl", "main ul.rows > li")
	var buttons int
	if b.do(chromedp.Evaluate(`document.querySelectorAll("main ul.rows button, main ul.rows input").length`, &buttons)); buttons != 0 {
		t.Errorf("who may only read is shown %d buttons", buttons)
	}
}

// Everything that a file added is listed, and is taken back after the page has shown what that
// does.
func TestASourceIsTakenBack(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	told(t, client, graph.TrustPolicy{}, "Mia lives in Bergen.", "Tom lives in Oslo.")
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/review?show=low_trust", "main ul.rows > li")
	b.do(chromedp.Click(`//main//a[normalize-space()="of mails.jsonl"]`, chromedp.BySearch))
	b.shows("main ul.rows", "added")
	b.shows("main ul.rows", "Tom lives in Oslo.")
	b.picture("review-added")
	b.click("Take back all that it brought")
	b.shows("dialog h2", "everything that this source brought")
	b.shows("dialog .preview", "Mia lives in Bergen.")
	b.shows("dialog .preview", "2 facts no longer believed")
	if _, there := factOf(t, client, "Mia lives in Bergen"); !there {
		t.Error("it was taken back before anybody agreed")
	}
	b.picture("review-take-back")
	b.submit()
	b.shows("main .nothing", "it was taken back")
	for _, words := range []string{"Mia lives in Bergen", "Tom lives in Oslo"} {
		if _, there := factOf(t, client, words); there {
			t.Errorf("that %s is still believed", words)
		}
	}
	b.nothingWrong("taking a source back")
}

// The first page shows changes made by a decision as such. A disputed fact is called disputed once.
// Two candidates of one sentence are distinguished by their relations.
func TestADecisionIsToldAsOne(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	told(t, client, graph.TrustPolicy{Assistants: true}, "Nora Lindqvist lives in Bergen.", "Bob moved from Berlin to Hamburg.")
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/review?show=candidate", "main ul.rows li")
	b.shows("main", "Bob no longer lives in Berlin")
	b.shows("main", "Bob lives in Hamburg")
	s := service.New(client)
	waits, err := s.Review(t.Context(), service.ReviewFilter{GroupID: "demo", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(waits, func(r service.Reviewed) bool { return r.Fact != nil && r.Fact.Target == "Bergen" })
	if i < 0 {
		t.Fatalf("Bergen does not wait: %v", waits)
	}
	for _, do := range []string{"approve", "leave"} {
		if _, err := s.Decide(t.Context(), service.ReviewDecision{GroupID: "demo", Do: do, FactIDs: []uuid.UUID{waits[i].ID()}}); err != nil {
			t.Fatal(err)
		}
	}
	b.visit("/explore/demo", "main ul.changes li")
	b.shows("main ul.changes", "approved by hand, with the word of")
	b.shows("main ul.changes", "left: its approval was taken back by hand")
	told(t, client, graph.TrustPolicy{}, "Nora Lindqvist lives in Oslo.")
	b.visit("/explore/demo", "main ul.changes li")
	b.shows("main ul.changes", ", disputed")
	if said := strings.Join(strings.Fields(b.text("main ul.changes")), ""); strings.Contains(said, "disputeddisputed") {
		t.Errorf("what changed says twice that it is disputed: %s", said)
	}
	b.nothingWrong("a decision on the first page")
}
