package explorer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/slow"
)

// views are the pages of a memory.
var views = []string{"", "/graph", "/graph?show=list", "/facts", "/entities", "/timeline", "/search?q=Where+does+Nora+live", "/conversations", "/episodes", "/agents", "/review", "/review?show=added&by=thread&of=t4", "/usage", "/queue"}

// Every page opens, in light, dark and on a phone, without a message on the console.
func TestEveryPageOpens(t *testing.T) {
	slow.Test(t)
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

// The sliders show what held at one time and was believed at another: a superseded fact returns.
func TestSlidersGoBackInTime(t *testing.T) {
	slow.Test(t)
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

	bergen, err := client.Entity(t.Context(), "demo", "Bergen")
	if err != nil {
		t.Fatal(err)
	}
	b.do(emulation.SetDeviceMetricsOverride(1280, 800, 1.25, false))
	b.visit("/explore/demo/graph?valid=2024-04-05T00:00:00Z&sel="+bergen.ID.String(), "aside.panel")
	b.shows("aside.panel", "lives in Bergen") // it has ended, as the panel and the pale line show
	b.shows("aside.panel h3", "Past")
	b.do(chromedp.Sleep(3 * time.Second)) // until the graph is at rest
	b.picture("graph-past")
}

// A link signs in once, and leaves no trace in the address.
func TestALinkSignsInOnce(t *testing.T) {
	slow.Test(t)
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
