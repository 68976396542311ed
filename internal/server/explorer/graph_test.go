package explorer_test

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/slow"
)

// listens makes the page report what it writes on canvases from now on.
func (b *browser) listens() {
	b.t.Helper()
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(`window.written = new Set();
			const fill = CanvasRenderingContext2D.prototype.fillText;
			CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) { window.written.add(text); return fill.call(this, text, ...rest) }`).Do(ctx)
		return err
	}))
}

// writes waits until some words are written on a canvas.
func (b *browser) writes(words string) {
	b.t.Helper()
	b.do(chromedp.Poll(`window.written.has(`+packed(b.t, words)+`)`, nil))
}

// In the graph, edges of the selected entity show their relations, unconnected entities are folded
// into a count, communities are named areas, lanes are one click away, and the common facts of two
// entities are shown.
func TestTheGraphSaysWhatItShows(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	if _, err := client.BuildCommunities(t.Context(), "demo"); err != nil {
		t.Fatal(err)
	}
	communities, err := client.Communities(t.Context(), annals.CommunityFilter{GroupID: "demo"})
	if err != nil || len(communities) == 0 {
		t.Fatal(communities, err)
	}
	b := browse(t, client, explorer.Options{})
	b.listens()
	b.signIn(key)
	nora := noraOf(t, client).ID.String()
	b.visit("/explore/demo/graph", "main canvas")
	b.writes("Nora Lindqvist")
	var written bool
	if b.do(chromedp.Evaluate(`window.written.has("works at")`, &written)); written {
		t.Error("relations are written on lines that nobody chose")
	}
	b.shows(".graph-count", "loose)")
	b.picture("graph-folded")
	b.click("Loose ones")
	b.do(chromedp.Poll(`location.search.includes("loose=shown")`, nil))

	b.visit("/explore/demo/graph?sel="+nora, "aside.panel")
	b.writes("lives in")
	b.writes("works at")
	b.do(chromedp.WaitVisible(`//aside//a[normalize-space()="In time" and contains(@href, "timeline?entity=`+nora+`")]`, chromedp.BySearch))
	ingrid, err := client.Entity(t.Context(), "demo", "Ingrid")
	if err != nil {
		t.Fatal(err)
	}
	b.visit("/explore/demo/graph?sel="+nora+"&with="+ingrid.ID.String(), "aside.panel")
	b.shows("aside .shared", "Oslo")
	if shared := b.text("aside .shared"); strings.Contains(shared, "Porto") {
		t.Errorf("both are said to be tied to Porto: %s", shared)
	}
	b.picture("graph-shared")
	b.visit("/explore/demo/graph?around="+nora+"&sel="+nora, "aside.panel")
	b.click("Expand")
	b.do(chromedp.WaitVisible(`//aside//button[normalize-space()="Expanded" and @disabled]`, chromedp.BySearch))

	b.visit("/explore/demo/graph?colour=community", "main canvas")
	b.writes(communities[0].Name)
	b.picture("graph-communities")
	b.nothingWrong("the graph", "401")
}

// In the quick search names come first, those that begin with the typed text before all others.
func TestNamesAreFoundFirst(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/facts", "main ul.rows")
	for typed, first := range map[string]string{"Nora": "Nora Lindqvist", "Oslo": "Oslo", "bicycle": "bicycle"} {
		b.do(chromedp.SendKeys("input[data-find]", typed, chromedp.ByQuery))
		b.do(chromedp.Poll(`(document.querySelector("#found-0 bdi")?.innerText ?? "") === `+packed(t, first)+` && document.querySelector("#found-0 .kind").innerText.toLowerCase() === "entity"`, nil))
		b.press(kb.Escape)
	}
	// On a phone no name is cut, and switches are buttons that show their state.
	b.as("light", 390, 844)
	b.visit("/explore/demo", "main .holding")
	var cut []string
	b.do(chromedp.Evaluate(`[...document.querySelectorAll("header a, main h1, main h3, main a")].filter(one => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow !== "visible").map(one => one.innerText)`, &cut))
	if len(cut) > 0 {
		t.Errorf("the phone cuts %q", cut)
	}
	b.as("light", 1280, 860)
	b.visit("/explore/demo/timeline", "main .lane-bars")
	b.click("evenly")
	b.do(chromedp.WaitVisible(`//section[contains(@class, "times")]//button[normalize-space()="evenly" and @aria-pressed="true"]`, chromedp.BySearch))
	b.nothingWrong("finding", "401")
}
