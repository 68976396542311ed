package explorer_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/service"
	"github.com/annalsdb/annals/internal/slow"
)

// fits fails if a page is wider than the screen.
func (b *browser) fits(where string) {
	b.t.Helper()
	var wide string
	b.do(chromedp.Evaluate(`document.documentElement.scrollWidth <= innerWidth + 1 ? "" :
		[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map(e => e.tagName + "." + e.className).join(" ") || "something"`, &wide))
	if wide != "" {
		b.t.Errorf("%s is wider than the screen: %s", where, wide)
	}
}

// Two windows change the same fact: the second gets an error, and nothing of the first is lost.
func TestTwoWindowsChangeTheSame(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	fact, _ := factOf(t, client, "favourite colour is blue")
	one := "/explore/demo/facts/" + fact.ID.String()
	b.visit(one, "main h1")
	b.click("Put right")
	b.write("dialog textarea", "Nora Lindqvist's favourite colour is turquoise.")

	other := b.window()
	other.signIn(key)
	other.visit(one, "main h1")
	other.click("Put right")
	other.write("dialog textarea", "Nora Lindqvist's favourite colour is navy.")
	other.submit()
	other.shows("main h1", "navy")

	b.do(chromedp.Click("dialog button[type=submit]", chromedp.ByQuery))
	b.shows("dialog", "Somebody changed it in the meantime")
	b.picture("changed-meanwhile")
	if now, _ := factOf(t, client, "favourite colour is navy"); now.ID != fact.ID {
		t.Error("what the other window wrote is lost")
	}
	b.click("Cancel")
	b.shows("main h1", "navy")
	b.click("End")
	b.write("dialog input", "2024-06-01")
	b.do(chromedp.Click("dialog button[type=submit]", chromedp.ByQuery))
	b.shows("main", "1 June 2024")

	other.click("Undo") // it has changed since
	other.shows("[role=status] .toast", "could not be taken back")
	if now, _ := factOf(t, client, "favourite colour is navy"); now.Valid.End.IsZero() {
		t.Error("taking back the first change took back the second one")
	}
	b.nothingWrong("the first window", "412")
	other.nothingWrong("the second window", "401", "412")
}

// If a key is revoked while the page is open, the page asks for a new one, gives the reason, and
// continues where it was.
func TestAKeyIsRevokedMeanwhile(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	secret, made, err := service.New(client).CreateAPIKey(t.Context(), service.KeySpec{Name: "guest", Groups: []string{"demo"}, Rights: service.RightsRead})
	if err != nil {
		t.Fatal(err)
	}
	b := browse(t, client, explorer.Options{})
	b.signIn(secret)
	b.visit("/explore/demo/facts", "main ul.rows")
	if _, err := service.New(client).RevokeAPIKey(t.Context(), made.ID.String()); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Click(`//nav//a[normalize-space()="Entities"]`, chromedp.BySearch), chromedp.WaitVisible("#key", chromedp.ByQuery))
	b.shows("main", "does not take this key any more")
	var left string
	if b.do(chromedp.Evaluate(`document.body.innerText + JSON.stringify(sessionStorage)`, &left)); strings.Contains(left, "Nora") || strings.Contains(left, secret) {
		t.Errorf("there is left: %s", left)
	}
	b.picture("revoked")
	b.do(chromedp.SendKeys("#key", tenantKey+"\r", chromedp.ByQuery))
	b.shows("main h1", "Entities")
	b.nothingWrong("after a key was revoked", "401")
}

// If the service stops while a slider is dragged, the content stays, and the page reports it and
// offers to try again.
func TestTheServiceGoesAway(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/graph", "main canvas")
	before := b.text(".graph-count")
	b.away.Store(true)
	b.drag("valid", 0.3, 8) // the page needs no request for this
	b.do(chromedp.Poll(fmt.Sprintf(`document.querySelector(".graph-count").innerText !== %q`, before), nil))
	b.do(chromedp.Click(`//nav//a[normalize-space()="Facts"]`, chromedp.BySearch))
	b.shows("main", "The service cannot be reached")
	b.picture("away")
	b.away.Store(false)
	b.click("Try again")
	b.shows("main ul.rows", "favourite colour is green")
	b.click("Add a fact")
	b.away.Store(true)
	for i, words := range []string{"Nora Lindqvist", "PLAYS", "chess", "Nora Lindqvist plays chess."} {
		b.do(chromedp.SendKeys(fmt.Sprintf(`(//dialog//label)[%d]//*[self::input or self::textarea]`, i+1), words, chromedp.BySearch))
	}
	b.do(chromedp.Click("dialog button[type=submit]", chromedp.ByQuery))
	b.shows("dialog", "The service cannot be reached")
	b.away.Store(false)
	b.do(chromedp.Click("dialog button[type=submit]", chromedp.ByQuery))
	b.shows("main h1", "plays chess")
	b.nothingWrong("while the service was away", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION")
}

// Memories that are empty, have one entity, names of the maximum length or a fact with a thousand
// versions open in every view, and no view is wider than a phone.
func TestOddMemoriesOpen(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := demo(t)
	if _, err := client.CreateGroup(t.Context(), annals.Group{ID: "empty"}); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("Llanfairpwllgwyngyll", 25)
	_, err := client.AddAll(t.Context(), []annals.Episode{
		{GroupID: "alone", Content: "Hello!", Actor: "Nora"},
		{GroupID: strings.Repeat("g", 120), Content: long + " is here. I live in " + long + ".", Actor: long, ThreadID: strings.Repeat("t", 200)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.AddTriple(t.Context(), annals.Triple{
		GroupID: strings.Repeat("g", 120), Predicate: strings.Repeat("KNOWS_", 80), Fact: long,
		Source: graph.TripleEnd{Name: long}, Target: graph.TripleEnd{Name: long + "2"},
	}); err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), "alone", nil); err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), strings.Repeat("g", 120), nil); err != nil {
		t.Fatal(err)
	}
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	widths := []int64{390, 1280}
	if !slow.Long() {
		widths = widths[:1] // what is too wide is so on the narrowest screen
	}
	for _, group := range []string{"empty", "alone", strings.Repeat("g", 120)} {
		for _, width := range widths {
			b.as("light", width, 844)
			for _, view := range views {
				b.visit("/explore/"+group+view, "main h1")
				where := fmt.Sprintf("%.8s%s, %d wide", group, view, width)
				b.fits(where)
				b.nothingWrong(where)
			}
			b.visit("/explore/"+group+"/graph", "main h1")
			b.picture(fmt.Sprintf("odd-%.5s-%d", group, width))
		}
	}
	b.aThousandVersions(client, url)
}

// aThousandVersions checks a fact that was changed very often.
func (b *browser) aThousandVersions(client *annals.Client, url string) {
	b.t.Helper()
	fact, _ := factOf(b.t, client, "favourite colour is blue")
	conn := clienttest.Dial(b.t, url)
	if _, err := conn.Exec(b.t.Context(), fmt.Sprintf(`DO $$ BEGIN
		FOR i IN 1..1000 LOOP
			UPDATE annals.facts SET fact = format('Nora Lindqvist''s favourite colour is number %%s.', i) WHERE group_id = 'demo' AND id = '%s';
			COMMIT;
		END LOOP;
	END $$`, fact.ID)); err != nil {
		b.t.Fatal(err)
	}
	b.as("light", 1280, 860)
	b.visit("/explore/demo/facts/"+fact.ID.String(), "main h1")
	b.shows("main h1", "number 1000.")
	b.picture("thousand-versions")
	var listed int
	count := chromedp.Evaluate(`document.querySelectorAll("main ol.versions > li").length`, &listed)
	if b.do(count); listed != 100 {
		b.t.Errorf("at first %d versions are listed", listed)
	}
	b.do(chromedp.Click(`//main//button[starts-with(normalize-space(), "Show earlier versions")]`, chromedp.BySearch))
	if b.do(count); listed != 200 {
		b.t.Errorf("then %d versions are listed", listed)
	}
	b.drag("known", 0.5, 10) // to a version long ago
	b.do(chromedp.Poll(`document.querySelector("main ol.versions > [aria-current]") !== null && !document.querySelector("main h1").innerText.includes("number 1000.")`, nil))
	b.fits("a thousand versions")
	b.nothingWrong("a thousand versions")
}

// The reader's clock may be in another zone, and a day off: the page shows the same.
func TestAnotherClockShowsTheSame(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	fact, _ := factOf(t, client, "favourite colour is green")
	pages := []string{"/timeline", "/facts", "/conversations/t4", "/facts/" + fact.ID.String(), "/facts?valid=2024-03-01T23:30:00Z&known=2999-01-01T00:00:00Z"}
	read := func() (all []string) {
		for _, one := range pages {
			b.visit("/explore/demo"+one, "main h1")
			if !strings.Contains(one, "conversations") { // it has no sliders
				b.do(chromedp.WaitVisible("section.times output", chromedp.ByQuery))
			}
			all = append(all, b.text("main")+b.text("section.times"))
		}
		return all
	}
	before := read()
	for _, zone := range []string{"Pacific/Kiritimati", "America/St_Johns"} {
		b.do(emulation.SetTimezoneOverride(zone))
		for i, after := range read() {
			if after != before[i] {
				t.Errorf("in %s %s says\n%s\nand not\n%s", zone, pages[i], after, before[i])
			}
		}
	}
	b.do(emulation.SetTimezoneOverride("UTC"))

	// A fact that began today holds now, also for a clock that is a day behind.
	if _, err := client.AddTriple(t.Context(), annals.Triple{
		GroupID: "demo", Predicate: "LIKES", Fact: "Nora Lindqvist likes walnuts.", ValidAt: time.Now().Add(-time.Hour),
		Source: graph.TripleEnd{Name: "Nora Lindqvist"}, Target: graph.TripleEnd{Name: "walnuts"},
	}); err != nil {
		t.Fatal(err)
	}
	b.slow(24 * time.Hour)
	b.visit("/explore/demo/facts", "main ul.rows")
	b.shows("main", "likes walnuts")
	b.nothingWrong("other clocks")
}

// slow sets back the clock of the pages opened from now on.
func (b *browser) slow(by time.Duration) {
	b.t.Helper()
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(fmt.Sprintf(`{
			const right = Date;
			globalThis.Date = class extends right {
				constructor(...parts) { parts.length ? super(...parts) : super(right.now() - %[1]d) }
				static now() { return right.now() - %[1]d }
			};
		}`, by.Milliseconds())).Do(ctx)
		return err
	}))
}
