package explorer_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/slow"
)

// sizes are the screens to test.
var sizes = []struct {
	name, scheme  string
	width, height int64
}{{"light", "light", 1280, 860}, {"dark", "dark", 1280, 860}, {"phone", "light", 390, 844}}

// bars returns the texts of the bars in order.
func (b *browser) bars() (said string) {
	b.t.Helper()
	b.do(chromedp.Evaluate(`[...document.querySelectorAll("main .lane-bars [data-bar]")].map(bar => bar.ariaLabel).join("\n")`, &said))
	return said
}

// barsShow waits until the lanes show some words.
func (b *browser) barsShow(words string) {
	b.t.Helper()
	b.do(chromedp.Poll(`[...document.querySelectorAll("main .lane-bars [data-bar]")].some(bar => bar.ariaLabel.includes(`+packed(b.t, words)+`))`, nil))
}

func noraOf(t *testing.T, client *annals.Client) annals.Entity {
	t.Helper()
	nora, err := client.Entity(t.Context(), "demo", "Nora Lindqvist")
	if err != nil {
		t.Fatal(err)
	}
	return nora
}

// The lanes answer questions about a memory: where Nora lived in February, since when it was known
// that she joined Casa Azul on the 11th, and what is believed now but was not in March.
func TestLanesTellTheStory(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	page := "/explore/demo/timeline?entity=" + noraOf(t, client).ID.String()
	for _, as := range sizes {
		b.as(as.scheme, as.width, as.height)
		b.visit(page, "main .lane-bars")
		b.barsShow("home: Bergen, known from 8 January 2024 until the week of 4 March 2024")
		b.barsShow("employer: Casa Azul, since 11 March 2024")
		b.barsShow("employer: Casa Azul, since the week of 4 March 2024, corrected")
		if as.width > 500 {
			b.do(chromedp.Poll(`document.querySelector(".lane-bars").textContent.includes("until corrected on 22 April 2024")`, nil))
		}
		b.picture("lanes-" + as.name)
		var lower bool // otherwise it seems that her new role was learned then
		b.do(chromedp.Evaluate(`(() => { const bar = [...document.querySelectorAll("[data-bar]")].find(one => one.getAttribute("aria-label").startsWith("role: data analyst"))
			const [dot, body] = [bar.querySelector("circle"), bar.querySelector("rect")].map(one => one.getBoundingClientRect())
			return dot.top > body.bottom - 1 && dot.left > body.right })()`, &lower))
		if !lower {
			t.Errorf("%s: when it was learned that her old role ended stands at the new one", as.name)
		}

		b.visit(page+"&known=2024-03-20T00:00:00Z", "main .lane-bars")
		b.barsShow("employer: Casa Azul, since the week of 4 March 2024")
		if said := b.bars(); strings.Contains(said, "11 March") || strings.Contains(said, "blue") || strings.Contains(said, "corrected") {
			t.Errorf("%s: in March it was known that\n%s", as.name, said)
		}
		b.picture("lanes-in-march-" + as.name)

		b.visit(page+"&compare=2024-03-31T00:00:00Z", "main .lane-differences")
		for _, words := range []string{"blue known since 22 April 2024 learned on 22 April 2024", "Casa Azul since 11 March 2024 learned on 22 April 2024", "choir since 31 January 2024 learned on 2 April 2024"} {
			b.do(chromedp.Poll(`document.querySelector(".lane-differences").innerText.replace(/\s+/g, " ").includes(`+packed(t, words)+`)`, nil))
		}
		if said := b.text(".lane-differences"); strings.Contains(said, "Bergen") {
			t.Errorf("%s: that she lived in Bergen was believed at both times: %s", as.name, said)
		}
		b.picture("lanes-compared-" + as.name)
		b.nothingWrong("lanes, "+as.name, "401")
	}
}

// The slider moves the whole picture without a request. Keys move through the bars and open the
// details of one.
func TestLanesMove(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/timeline?entity="+noraOf(t, client).ID.String(), "main .lane-bars")
	b.away.Store(true) // the picture needs no more requests
	b.drag("known", 0.2, 6)
	b.do(chromedp.Poll(`!document.querySelector(".lane-bars").innerHTML.includes("Porto")`, nil))
	b.drag("known", 0.6, 6)
	b.barsShow("home: Porto, since the week of 4 March 2024")
	b.away.Store(false)
	b.drag("known", 1, 4)
	b.barsShow("favorite color: blue")

	b.do(chromedp.Focus(".lane-bars", chromedp.ByQuery))
	b.press(kb.ArrowRight, kb.ArrowRight)
	b.shows(".lane-chosen", "moved from Bergen to Porto")
	b.shows(".lane-chosen", "Nora Lindqvist lives in Porto now.") // it says the same
	b.press(kb.ArrowDown)
	b.shows(".lane-chosen", "Fjordline")
	b.press(kb.Escape)
	b.do(chromedp.WaitNotPresent(".lane-chosen", chromedp.ByQuery))
	var before string
	b.do(chromedp.Evaluate(`document.querySelector(".lane-axis").textContent`, &before))
	b.press("+", "+")
	b.do(chromedp.Poll(`document.querySelector(".lane-axis").textContent !== `+packed(t, before), nil))
	b.press("0")
	b.do(chromedp.Poll(`document.querySelector(".lane-axis").textContent === `+packed(t, before), nil))

	b.do(chromedp.SetValue(`//label[contains(., "Only")]/select`, "home", chromedp.BySearch))
	b.do(chromedp.Evaluate(`document.querySelectorAll(".lane-choices select")[1].dispatchEvent(new Event("change", {bubbles: true}))`, nil))
	b.do(chromedp.Poll(`location.search.includes("relation=home") && !document.querySelector(".lane-bars").innerHTML.includes("Fjordline")`, nil))
	b.nothingWrong("moving lanes", "ERR_", "Failed to load")
}

// The picture is saved as SVG and as PNG. It is the first picture of the README.
func TestLanesAreSaved(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.as("light", 1100, 860)
	b.visit("/explore/demo/timeline?entity="+noraOf(t, client).ID.String(), "main .lane-bars")
	b.do(chromedp.Evaluate(`window.saved = {}; HTMLAnchorElement.prototype.click = function () { window.saved[this.download] = this.href }`, nil))
	b.click("SVG")
	b.click("PNG")
	b.do(chromedp.Poll(`Object.keys(window.saved).length === 2`, nil))
	var svg, png string
	b.do(chromedp.Evaluate(`decodeURIComponent(window.saved["demo-lanes.svg"].split(",").slice(1).join(","))`, &svg), chromedp.Evaluate(`window.saved["demo-lanes.png"].split(",")[1]`, &png))
	for _, words := range []string{"<svg", "Bergen", "until corrected on 22 April 2024", "visited Ingrid in Oslo"} {
		if !strings.Contains(svg, words) {
			t.Errorf("the SVG has no %q: %.300s", words, svg)
		}
	}
	if strings.Contains(svg, "var(--") {
		t.Error("the SVG has colours that only the page knows")
	}
	image, err := base64.StdEncoding.DecodeString(png)
	if err != nil || !strings.HasPrefix(string(image), "\x89PNG") || len(image) < 20_000 {
		t.Errorf("the PNG is %d bytes (%v)", len(image), err)
	}
	shown, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "pictures", "lanes.svg"))
	if err != nil {
		t.Fatal(err)
	}
	said := func(svg string) string {
		return strings.Join(regexp.MustCompile(`aria-label="[^"]*"`).FindAllString(svg, -1), "\n")
	}
	if diff := cmp.Diff(said(svg), said(string(shown))); diff != "" {
		t.Errorf("docs/pictures/lanes.svg is not what the demo is now; take lanes.svg of ANNALS_SCREENSHOTS (- now, + there)\n%s", diff)
	}
	if folder := os.Getenv("ANNALS_SCREENSHOTS"); folder != "" {
		for name, content := range map[string]string{"lanes.svg": svg, "lanes.png": string(image)} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.nothingWrong("saving lanes", "401")
}

// A fact that was removed with its entity is not called withdrawn.
func TestAFactThatWentIsNotCalledWithdrawn(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	fact, there := factOf(t, client, "Tiago")
	if !there {
		t.Fatal("the demo knows nothing of Tiago")
	}
	if err := client.DeleteEntity(t.Context(), "demo", fact.TargetID); err != nil {
		t.Fatal(err)
	}
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/facts/"+fact.ID.String(), "main article")
	b.shows("main", "not believed any more")
	if said := b.text("main .under-title"); strings.Contains(said, "withdrawn") {
		t.Errorf("it is called withdrawn: %s", said)
	}
	b.nothingWrong("a fact that went", "401")
}

// Two thousand facts move smoothly.
func TestLanesOfManyFacts(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := demo(t)
	write(t, url, "many", 3, 2_000)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/many/timeline", "main .lane-bars")
	var bars int
	b.do(chromedp.Evaluate(`document.querySelectorAll(".lane-bars [data-bar]").length`, &bars))
	if bars == 0 || bars > 1_000 {
		t.Errorf("%d bars are drawn, of those in sight", bars)
	}
	rate, work := b.frames(func() { b.drag("known", 0.1, 60) })
	t.Logf("dragging paints %.0f frames a second, each with %.1f ms of work; %d bars", rate, work, bars)
	if work > 33 {
		t.Errorf("each frame is %.1f ms of work", work)
	}
	b.nothingWrong("many lanes", "401")
}

// The first page shows what holds now, then what changed lately and who said so. Irrevocable
// actions are in a menu.
func TestTheFirstPageTellsWhatHolds(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	nora := noraOf(t, client)
	for _, as := range sizes {
		b.as(as.scheme, as.width, as.height)
		b.visit("/explore/demo", "main .holding")
		b.shows(".holding", "Casa Azul since 11 March 2024")
		b.shows(".changes", "sold the bicycle yesterday")
		b.do(chromedp.Poll(`document.querySelector(".changes").innerText.includes("2 July 2024")`, nil))
		var order []string
		b.do(chromedp.Evaluate(`[...document.querySelectorAll("main h2")].map(h => h.innerText)`, &order))
		if fmt.Sprint(order) != "[What holds now What changed lately Newest messages Who speaks]" {
			t.Errorf("%s: the page has %v", as.name, order)
		}
		var seen bool
		if b.do(chromedp.Evaluate(`[...document.querySelectorAll("main button")].some(one => one.innerText === "Erase" && one.checkVisibility())`, &seen)); seen {
			t.Errorf("%s: Erase is not behind the menu", as.name)
		}
		b.picture("memory-" + as.name)

		b.visit("/explore/demo/entities/"+nora.ID.String(), "main .lines")
		b.do(chromedp.Evaluate(`[...document.querySelectorAll("main h2")].map(h => h.innerText)`, &order))
		if got := fmt.Sprint(order[:min(5, len(order))]); got != "[What holds now Planned What happened What held before All of it in time]" {
			t.Errorf("%s: the page of an entity has %s", as.name, got)
		}
		if holds := b.text("main .section"); strings.Contains(holds, "Bergen") || !strings.Contains(holds, "Porto since the week of 4 March 2024") {
			t.Errorf("%s: there holds %s", as.name, holds)
		}
		b.picture("entity-" + as.name)
		b.nothingWrong("first pages, "+as.name, "401")
	}
}
