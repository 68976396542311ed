package explorer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/slow"
)

// axeVersion is the version of the accessibility checker. The test fetches it; the program does not
// contain it.
const axeVersion = "4.10.3"

// axe fetches the checker, a script.
func axe(t *testing.T) string {
	t.Helper()
	if !slow.Long() {
		t.Skip("fetches a checker of accessibility from npm")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("there is no npm; scripts/languages installs it")
	}
	folder := t.TempDir()
	fetch := exec.CommandContext(t.Context(), npm, "install", "--silent", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, "axe-core@"+axeVersion)
	if said, err := fetch.CombinedOutput(); err != nil {
		t.Skipf("the checker of accessibility cannot be fetched: %v, %s", err, said)
	}
	script, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// check fails if the checker finds something serious on the present page.
func (b *browser) check(checker, where string) {
	b.t.Helper()
	var found []string
	b.do(chromedp.Evaluate(checker, nil), chromedp.Evaluate(`axe.run().then(r => r.violations.filter(v => v.impact === "serious" || v.impact === "critical")
		.map(v => v.id + ": " + v.nodes.map(n => n.target.join(" ")).slice(0, 3).join(", ")))`, &found, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	for _, violation := range found {
		b.t.Errorf("%s: %s", where, violation)
	}
}

// The checker finds nothing serious on any page or dialog, light, dark and on a phone.
func TestPagesAreForEverybody(t *testing.T) {
	t.Parallel()
	checker := axe(t)
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.do(chromedp.Navigate(b.url+"/"), chromedp.WaitVisible("#key", chromedp.ByQuery))
	b.check(checker, "signing in")
	b.signIn(key)
	b.check(checker, "memories")
	fact, _ := factOf(t, client, "lives in Porto")
	pages := append([]string{"/facts/" + fact.ID.String(), "/entities/Porto", "/episodes/" + fact.Episodes[0].String(), "/conversations/t4", "/timeline?compare=2024-03-31T00:00:00Z"}, views...)
	for _, as := range []struct {
		name, scheme  string
		width, height int64
	}{{"light", "light", 1280, 860}, {"dark", "dark", 1280, 860}, {"phone", "dark", 390, 844}} {
		b.as(as.scheme, as.width, as.height)
		for _, view := range pages {
			b.visit("/explore/demo"+view, "main h1")
			b.check(checker, view+", "+as.name)
		}
	}
	for page, windows := range map[string][]string{
		"/facts/" + fact.ID.String():             {"Put right", "End", "Withdraw", "SQL"},
		"/entities/Porto":                        {"Rename", "Merge", "Split", "Erase"},
		"/episodes/" + fact.Episodes[0].String(): {"Undo", "Erase"},
		"/search?q=Where+does+Nora+live":         {"Why not …?"},
		"/facts":                                 {"Add a fact"},
		"/review?show=added&by=thread&of=t4":     {"Approve", "Reject", "Edit", "Leave", "Take back all that it brought"},
	} {
		b.visit("/explore/demo"+page, "main h1")
		for _, window := range windows {
			b.click(window)
			b.do(chromedp.WaitVisible("dialog h2", chromedp.ByQuery))
			b.settle()
			b.check(checker, page+", "+window)
			b.press(kb.Escape)
			b.do(chromedp.WaitNotPresent("dialog", chromedp.ByQuery))
		}
	}
}
