package explorer_test

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// An assistant's statement waits if the group withholds it, is shown as waiting, and is confirmed
// in the page.
func TestAFactIsConfirmed(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	if err := service.New(client).SetTrustPolicy(t.Context(), "demo", graph.TrustPolicy{Assistants: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Add(t.Context(), annals.Episode{
		GroupID: "demo", Role: "assistant", Actor: "Helper", Content: "Nora Lindqvist lives in Bergen.", OccurredAt: time.Now(),
	}); err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), "demo", nil); err != nil {
		t.Fatal(err)
	}
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/review?show=candidate", "main ul.rows li")
	b.shows("main", "waits to be confirmed")
	b.do(chromedp.Click(`//main//a[contains(@class, "said") and contains(., "Bergen")]`, chromedp.BySearch))
	b.shows("main h1", "Bergen")
	b.click("Confirm")
	b.submit()
	b.do(chromedp.WaitNotPresent(`dialog`, chromedp.ByQuery))
	b.do(chromedp.WaitNotPresent(`//main//button[normalize-space()="Confirm"]`, chromedp.BySearch))
	if fact, there := factOf(t, client, "Bergen"); !there || fact.Trust == graph.TrustCandidate {
		t.Errorf("it is %q, and there: %t", fact.Trust, there)
	}
	b.click("Undo")
	b.shows("main", "waits to be confirmed")
	b.nothingWrong("confirming a fact")
}

// A fact is pinned, judged and given an expiry in the page, and each is taken back there.
func TestAFactIsMarked(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	fact, _ := factOf(t, client, "favourite colour is blue")
	b.visit("/explore/demo/facts/"+fact.ID.String(), "main h1")
	mark := func(name string) {
		t.Helper()
		b.click("Mark")
		b.do(chromedp.Click(`dialog input[value=`+name+`]`, chromedp.ByQuery))
		if name == "expires" {
			b.write("dialog input[type=text]", "2090-01-01")
			b.picture("mark")
		}
		b.submit()
		b.do(chromedp.WaitNotPresent(`dialog`, chromedp.ByQuery))
	}
	mark("pinned")
	b.shows("main .under-title", "pinned")
	mark("outdated")
	b.shows("main .under-title", "found outdated")
	mark("expires")
	b.shows("main .under-title", "expires")
	marked, err := client.Fact(t.Context(), "demo", fact.ID)
	if m := marked.Marks; err != nil || !m.Pinned || m.Outdated != 1 || m.ExpiresAt.Year() != 2090 {
		t.Errorf("noted is %+v (%v)", m, err)
	}
	b.click("Undo")
	b.do(chromedp.WaitNotPresent(`//main//*[@class="meta under-title"]//*[contains(., "expires")]`, chromedp.BySearch))
	mark("unjudged")
	b.do(chromedp.WaitNotPresent(`//main//*[@class="meta under-title"]//*[contains(., "outdated")]`, chromedp.BySearch))
	mark("unpinned")
	b.do(chromedp.WaitNotPresent(`//main//*[@class="meta under-title"]//*[contains(., "pinned")]`, chromedp.BySearch))
	if left, err := client.Fact(t.Context(), "demo", fact.ID); err != nil || left.Marks != (graph.Marks{}) {
		t.Errorf("left is %+v (%v)", left.Marks, err)
	}
	b.nothingWrong("marking a fact")
}
