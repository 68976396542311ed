package explorer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/slow"
)

// press sends keys to the focused element.
func (b *browser) press(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		b.do(chromedp.KeyEvent(k))
	}
}

// focused returns the text of the focused element.
func (b *browser) focused() string {
	b.t.Helper()
	var words string
	b.do(chromedp.Evaluate(`document.activeElement?.ariaLabel || document.activeElement?.innerText || document.activeElement?.id || ""`, &words))
	return words
}

// Everything works without a mouse: search while typing, lists, both sliders, the graph, dialogs,
// and correcting a fact.
func TestTheKeyboardIsEnough(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/facts", "main ul.rows")
	b.press("\t")
	if at := b.focused(); !strings.Contains(at, "Skip to the content") {
		t.Errorf("the first tab leads to %q", at)
	}
	b.press("\r", "\t")
	b.do(chromedp.Poll(`document.activeElement.closest("main") !== null`, nil))

	b.press("/")
	b.press("P", "o", "r", "t", "o")
	b.do(chromedp.WaitVisible(`//*[@role="option"][contains(., "Porto")]`, chromedp.BySearch))
	b.picture("found-as-typed")
	b.press(kb.ArrowDown, "\r")
	b.do(chromedp.WaitVisible("main article h1", chromedp.ByQuery))
	if page := b.text("main h1"); !strings.Contains(page, "Porto") {
		t.Errorf("what was found leads to %q", page)
	}

	b.press("?")
	b.shows("dialog", "Search this memory")
	b.shows("dialog", "UTC")
	b.picture("help")
	b.do(chromedp.WaitVisible("dialog", chromedp.ByQuery)) // it opens with the next frame
	b.press(kb.Escape)
	b.do(chromedp.WaitNotPresent("dialog", chromedp.ByQuery))

	b.visit("/explore/demo/facts", "main ul.rows")
	b.do(chromedp.Focus("main ul.rows li a", chromedp.ByQuery))
	first := b.focused()
	b.press(kb.ArrowDown)
	if second := b.focused(); second == first || second == "" {
		t.Errorf("the arrow went from %q to %q", first, second)
	}
	b.press(kb.ArrowUp)
	if again := b.focused(); again != first {
		t.Errorf("back it went to %q", again)
	}

	b.do(chromedp.Focus(`[role=slider][data-axis=valid]`, chromedp.ByQuery))
	b.press(kb.Home)
	b.do(chromedp.Poll(`!document.querySelector("main").innerText.includes("favourite colour is blue")`, nil))
	for range 40 { // from change to change, until the colour is green
		b.press(kb.ArrowRight)
		b.do(chromedp.Sleep(20 * time.Millisecond))
		var text string
		if b.do(chromedp.Evaluate(`document.querySelector("[role=slider][data-axis=valid]").ariaValueText`, &text)); strings.Contains(text, "14 Feb 2024") {
			break
		}
	}
	b.shows("main", "favourite colour is green")
	b.press(kb.End)
	b.shows("main", "favourite colour is blue")
	b.nothingWrong("reading by keyboard")
}

// Keys move and zoom the graph, and Escape clears the selection. After a fact is corrected, the
// focus returns to the button.
func TestTheKeyboardChanges(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/graph", "main canvas")
	b.do(chromedp.Sleep(2*time.Second), chromedp.Focus(".graph-box", chromedp.ByQuery)) // until the layout is at rest
	painted := func() (pixels string) {
		b.do(chromedp.Sleep(250*time.Millisecond), chromedp.Evaluate(`document.querySelector("main canvas").toDataURL()`, &pixels))
		return pixels
	}
	before := painted()
	for name, k := range map[string]string{"plus": "+", "an arrow": kb.ArrowLeft} {
		b.press(k)
		now := painted()
		if now == before {
			t.Errorf("%s moved nothing", name)
		}
		before = now
	}
	b.press("/")
	b.press("P", "o", "r", "t", "o")
	b.do(chromedp.WaitVisible(`//*[@role="option"][contains(., "Porto")]`, chromedp.BySearch))
	b.press(kb.ArrowDown, "\r")
	b.shows("aside.panel", "Porto")
	b.do(chromedp.Focus(".graph-box", chromedp.ByQuery))
	b.press(kb.Escape)
	b.do(chromedp.WaitNotPresent("aside.panel", chromedp.ByQuery))

	fact, _ := factOf(t, client, "favourite colour is blue")
	b.visit("/explore/demo/facts/"+fact.ID.String(), "main h1")
	const opener = `//main//button[normalize-space()="Put right"]`
	b.do(chromedp.Focus(opener, chromedp.BySearch))
	b.press("\r")
	b.do(chromedp.WaitVisible("dialog textarea", chromedp.ByQuery))
	b.press(kb.Escape)
	b.do(chromedp.WaitNotPresent("dialog", chromedp.ByQuery))
	if at := b.focused(); at != "Put right" {
		t.Errorf("after the window the focus is at %q", at)
	}
	b.press("\r")
	b.do(chromedp.WaitVisible("dialog textarea", chromedp.ByQuery), chromedp.Focus("dialog textarea", chromedp.ByQuery))
	b.press(kb.End)
	for range len("blue now.") {
		b.press(kb.Backspace)
	}
	b.press("r", "e", "d", ".", "\t", "\t", "\t", "\t") // past relation and times, to Cancel
	if at := b.focused(); at != "Cancel" {
		t.Errorf("four tabs lead to %q", at)
	}
	b.press("\t", "\r")
	b.shows("main h1", "favourite colour is red.")
	b.nothingWrong("changing by keyboard")
}

// An address contains all that is shown: opened elsewhere, after signing in, it shows the same.
func TestAnAddressIsShared(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	nora, err := client.Entity(t.Context(), "demo", "Nora Lindqvist")
	if err != nil {
		t.Fatal(err)
	}
	b.visit("/explore/demo/graph", "main canvas")
	b.do(chromedp.Click(`//button[normalize-space()="by community"]`, chromedp.BySearch))
	b.drag("valid", 0.3, 6)
	b.drag("known", 0.7, 6)
	b.do(chromedp.Poll(`location.search.includes("known=")`, nil))
	var graph, lab string
	stands := func(b *browser) (valid, known string) {
		b.do(chromedp.Evaluate(`document.querySelector("[role=slider][data-axis=valid]").ariaValueText`, &valid),
			chromedp.Evaluate(`document.querySelector("[role=slider][data-axis=known]").ariaValueText`, &known))
		return valid, known
	}
	valid, known := stands(b)
	b.do(chromedp.Location(&graph))
	graph += "&sel=" + nora.ID.String()
	b.visit("/explore/demo/search?q=Where+does+Nora+live", "main .side")
	b.click("Side by side")
	b.do(chromedp.Click(".side:last-child details summary", chromedp.ByQuery),
		chromedp.Click(`(//*[contains(@class, "side")]//label[normalize-space()="bm25"]/input)[last()]`, chromedp.BySearch))
	b.do(chromedp.Poll(`location.search.includes("b_methods=bm25")`, nil), chromedp.Location(&lab))

	other := b.window()
	other.do(chromedp.Navigate(graph), chromedp.WaitVisible("#key", chromedp.ByQuery), chromedp.SendKeys("#key", readerKey+"\r", chromedp.ByQuery))
	other.shows("aside.panel", "Nora Lindqvist")
	var same, pressed bool
	other.do(chromedp.Evaluate(`location.href === `+packed(t, graph), &same),
		chromedp.Evaluate(`[...document.querySelectorAll("button[aria-pressed=true]")].some(b => b.innerText === "by community")`, &pressed))
	if !same || !pressed {
		t.Errorf("the same address: %v; colours by community: %v", same, pressed)
	}
	if world, knew := stands(other); world != valid || knew != known || world == "now" || knew == "now" {
		t.Errorf("the sliders stand at %q and %q here, at %q and %q there", valid, known, world, knew)
	}
	other.visit(strings.TrimPrefix(lab, b.url), "main .side")
	other.do(chromedp.Poll(`document.querySelectorAll("main section.side").length === 2`, nil))
	other.shows("main .side:last-child summary", "by bm25")
	other.nothingWrong("an address that was shared", "401")
}
