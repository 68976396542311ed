package explorer_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/server/explorer"
)

// views are the pages of a memory.
var views = []string{"", "/graph", "/graph?show=list", "/facts", "/entities", "/timeline", "/search?q=Where+does+Nora+live", "/conversations", "/episodes", "/agents", "/usage", "/queue"}

// Every page opens, in light, dark and on a phone, and the console has nothing to say.
func TestEveryPageOpens(t *testing.T) {
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.nothingWrong("signing in", "401")
	b.shows("main", "demo")
	for _, as := range []struct {
		name          string
		scheme        string
		width, height int64
	}{{"light", "light", 1280, 860}, {"dark", "dark", 1280, 860}, {"phone", "light", 390, 844}} {
		b.as(as.scheme, as.width, as.height)
		for _, view := range views {
			b.visit("/explore/demo"+view, "main h1")
			name := as.name + "-memory" + strings.NewReplacer("/", "-", "?", "-", "=", "-", "+", "-").Replace(view)
			b.picture(name)
			b.nothingWrong(name)
			var wide bool
			if b.do(chromedp.Evaluate(`document.documentElement.scrollWidth > innerWidth + 1`, &wide)); wide {
				t.Errorf("%s is wider than the screen", name)
			}
		}
	}
	var address string
	b.do(chromedp.Location(&address))
	if strings.Contains(address, key) {
		t.Errorf("the key is in the address: %s", address)
	}
}

// The sliders show what held at a time, and what was believed at another: a fact that
// was superseded is there again.
func TestSlidersGoBackInTime(t *testing.T) {
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/facts", "main ul.rows")
	if now := b.text("main"); strings.Contains(now, "favourite colour is green") || !strings.Contains(now, "favourite colour is blue") {
		t.Errorf("now the facts are %s", now)
	}
	b.picture("facts-now")
	b.drag("valid", 0.4, 12)
	b.shows("main", "favourite colour is green")
	b.settle()
	if then := b.text("main ul.rows"); strings.Contains(then, "favourite colour is blue") {
		t.Errorf("before it changed the facts are %s", then)
	}
	b.picture("facts-before-it-changed")
	var address string
	b.do(chromedp.Poll(`location.search.includes("valid=")`, nil), chromedp.Location(&address))
	b.visit(strings.TrimPrefix(address, b.url), "main ul.rows") // an address can be shared
	b.shows("main", "favourite colour is green")
	b.drag("valid", 0.999, 12)
	b.shows("main", "favourite colour is blue")
	b.drag("known", 0.3, 12)
	b.settle()
	b.do(chromedp.Poll(`!document.querySelector("main").innerText.includes("favourite colour is blue")`, nil))
	b.picture("facts-as-once-known")
	b.visit("/explore/demo/graph", "main canvas")
	before := b.text(".graph-count")
	b.drag("valid", 0.2, 12)
	b.do(chromedp.Poll(fmt.Sprintf(`document.querySelector(".graph-count").innerText !== %q`, before), nil))
	b.picture("graph-before")
	b.nothingWrong("dragging")
}

// A reader's key shows no button that writes, and a tenant's its groups alone.
func TestKeysShowWhatTheyOpen(t *testing.T) {
	t.Parallel()
	client, _ := demo(t)
	if _, err := client.Add(t.Context(), annals.Episode{GroupID: "secret", Content: "Nobody else may know."}); err != nil {
		t.Fatal(err)
	}
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "demo", Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	b := browse(t, client, explorer.Options{})
	fact := "/explore/demo/facts/" + facts[0].ID.String()
	writing := `[...document.querySelectorAll("main button")].map(b => b.innerText).filter(t => /edit|withdraw|undo|erase|restore|retry|rename|merge|split/i.test(t)).join(" ")`
	var buttons string
	b.signIn(key)
	b.shows("main", "secret")
	b.visit(fact, "main h1")
	if b.do(chromedp.Evaluate(writing, &buttons)); !strings.Contains(buttons, "Withdraw") {
		t.Errorf("who may write is shown %q", buttons)
	}
	b.signIn(readerKey)
	for _, path := range []string{fact, "/explore/demo/episodes", "/explore/demo/entities/Porto", "/explore/demo/queue"} {
		b.visit(path, "main h1")
		if b.do(chromedp.Evaluate(writing, &buttons)); buttons != "" {
			t.Errorf("%s shows %q to who may only read", path, buttons)
		}
	}
	b.shows("header", "read only")
	b.signIn(tenantKey)
	b.shows("main", "demo")
	if groups := b.text("main"); strings.Contains(groups, "secret") {
		t.Errorf("the tenant is shown %s", groups)
	}
	b.nothingWrong("looking with several keys", "401")
	b.do(chromedp.Navigate(b.url + "/explore/secret"))
	b.shows("main", "there is none")
}

// A link signs in, once, and leaves nothing of it in the address.
func TestALinkSignsInOnce(t *testing.T) {
	t.Parallel()
	client, _ := demo(t)
	invitation := explorer.Invite(key)
	b := browse(t, client, explorer.Options{Invitation: invitation})
	link := "/explore/demo#code=" + invitation.Code()
	b.visit(link, "header.top")
	b.shows("main h1", "demo")
	var address string
	b.do(chromedp.Evaluate(`location.href`, &address))
	if strings.Contains(address, "code") || strings.Contains(address, key) {
		t.Errorf("after signing in the address is %s", address)
	}
	b.do(chromedp.Evaluate(`sessionStorage.clear()`, nil), chromedp.Navigate("about:blank"))
	b.do(chromedp.Navigate(b.url+link), chromedp.WaitVisible("#key", chromedp.ByQuery))
	b.shows("main", "used already")
}

// What was stored stays text, whatever it holds.
func TestStoredTextIsInert(t *testing.T) {
	t.Parallel()
	client, _ := demo(t)
	const hostile = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>`
	_, err := client.AddTriple(t.Context(), annals.Triple{
		GroupID: "demo", Predicate: "SAYS", Fact: hostile + " \u202egnirts\u202c \u001b[31m \u0007.",
		Source: graph.TripleEnd{Name: `<b onmouseover="window.owned=1">Mallory</b>`}, Target: graph.TripleEnd{Name: `javascript:window.owned=1`},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Add(t.Context(), annals.Episode{GroupID: "demo", Content: hostile + " \u202egnirts", Actor: hostile, ThreadID: hostile})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Process(t.Context(), "demo", nil); err != nil {
		t.Fatal(err)
	}
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	for _, view := range append(views, "/search?q=Mallory+says+string") {
		b.visit("/explore/demo"+view, "main h1")
		var owned bool
		b.do(chromedp.Evaluate(`!!window.owned || !!document.querySelector("main img, main script, main [onerror], main [onmouseover], main a[href^='javascript']")`, &owned))
		if owned {
			t.Errorf("%s ran what was stored, or made it markup", view)
		}
		b.nothingWrong(view)
	}
	b.visit("/explore/demo/facts", "main ul.rows")
	if shown := b.text("main"); !strings.Contains(shown, "<img src=x") || strings.ContainsAny(shown, "\u202e\u001b\u0007") {
		t.Errorf("the facts are shown as %s", shown)
	}
}

// A memory of 2,000 entities and 6,000 facts is painted at once, and follows the
// slider.
func TestALargeMemoryStaysSmooth(t *testing.T) {
	if testing.Short() {
		t.Skip("measures, which takes a machine that does nothing else")
	}
	client, url := demo(t)
	write(t, url, "made", 2_000, 6_000)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/made/graph", "main canvas")
	var painted float64
	b.do(chromedp.Poll(`performance.getEntriesByName("annals:graph-painted")[0]?.startTime`, &painted))
	t.Logf("first paint of the graph after %.0f ms", painted)
	if painted > 1500 {
		t.Errorf("the graph is painted after %.0f ms; the limit is 1500", painted)
	}
	b.picture("large-graph")
	idle, _ := b.frames(func() { b.do(chromedp.Sleep(2 * time.Second)) })
	rate, work := b.frames(func() { b.drag("valid", 0.1, 90) })
	t.Logf("frames a second: %.0f while nothing is done, %.0f while the slider is dragged, each %.1f ms of work", idle, rate, work)
	if work > 1000./30 {
		t.Errorf("a frame of the drag is %.1f ms of work; at 30 frames a second there are 33", work)
	}
	if wanted := min(30, idle/2); rate < wanted { // others may use the machine
		t.Errorf("while the slider was dragged there were %.0f frames a second; at least %.0f are wanted", rate, wanted)
	}
	b.picture("large-graph-before")
	b.nothingWrong("a large memory")
}

// How many facts a huge memory has; ANNALS_EXPLORER_FACTS=100000 takes a minute to write.
var hugeFacts, _ = strconv.Atoi(cmp.Or(os.Getenv("ANNALS_EXPLORER_FACTS"), "20000"))

// A huge memory opens on the neighbourhood of what is spoken of most, and the page never
// stands still for long, there and when more is asked for.
func TestAHugeMemoryOpensOnItsMiddle(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a huge memory")
	}
	client, url := demo(t)
	write(t, url, "huge", hugeFacts/5, hugeFacts)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	began := time.Now()
	b.visit("/explore/huge/graph", "main canvas")
	b.shows(".graph-partial", "of "+thousands(hugeFacts)+" facts, around what is spoken of most")
	t.Logf("the graph is there after %.1f s", time.Since(began).Seconds())
	b.picture("huge-graph")
	b.do(chromedp.Click(`//button[normalize-space()="List"]`, chromedp.BySearch))
	b.do(chromedp.WaitVisible(".graph-list a", chromedp.ByQuery), chromedp.Click(".graph-list a", chromedp.ByQuery), chromedp.WaitVisible("main article h1", chromedp.ByQuery))
	b.settle()
	name := b.text("main h1")
	b.do(chromedp.Click(`//main//a[normalize-space()="in the graph"]`, chromedp.BySearch), chromedp.WaitVisible(".graph-partial", chromedp.ByQuery))
	b.shows("aside.panel", name)
	b.picture("huge-chosen")
	b.drag("valid", 0.3, 20)
	var longest float64
	b.do(chromedp.Evaluate(`new Promise(tell => new PerformanceObserver(seen => tell(Math.max(...seen.getEntries().map(e => e.duration)))).observe({type: "longtask", buffered: true}))`,
		&longest, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	t.Logf("the longest task of the page took %.0f ms", longest)
	if longest > 1500 {
		t.Errorf("the page stood still for %.0f ms", longest)
	}
	b.nothingWrong("a huge memory")
}

// frames counts what the page paints a second while something is done, and how many
// milliseconds of work on the page's thread each frame is.
func (b *browser) frames(do func()) (rate, work float64) {
	b.t.Helper()
	b.do(performance.Enable().WithTimeDomain(performance.EnableTimeDomainThreadTicks),
		chromedp.Evaluate(`window.painted = 0; window.counting = true; (function count() { window.painted++; if (window.counting) requestAnimationFrame(count) })()`, nil))
	before, began := b.busy(), time.Now()
	do()
	took, after := time.Since(began), b.busy()
	var frames float64
	b.do(chromedp.Evaluate(`(window.counting = false, window.painted)`, &frames), performance.Disable())
	return frames / took.Seconds(), (after - before) * 1000 / frames
}

// busy is how many seconds the page's thread has worked.
func (b *browser) busy() (seconds float64) {
	b.t.Helper()
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		metrics, err := performance.GetMetrics().Do(ctx)
		for _, m := range metrics {
			if m.Name == "TaskDuration" {
				seconds = m.Value
			}
		}
		return err
	}))
	return seconds
}
