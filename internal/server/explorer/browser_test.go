package explorer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/clienttest"
	sample "github.com/annalsdb/annals/internal/demo"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/server/rest"
	"github.com/annalsdb/annals/internal/slow"
)

// The keys of the service under test.
const (
	readerKey = "a-key-for-readers-of-everything"
	writerKey = "a-writers-key-for-all-but-erasing"
	tenantKey = "a-key-for-one-group-of-them-all"
)

// programs are Chromium and its equivalents.
var programs = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// browser is a tab in which the page is tested.
type browser struct {
	t   *testing.T
	ctx context.Context
	url string

	away *atomic.Bool // the service refuses requests
	many *atomic.Bool // there are several windows; those in the background paint nothing

	mu     sync.Mutex
	wrongs []string // errors on the console
}

// browse starts a browser for a service over the client's memory. It skips the test if Chromium is
// missing.
func browse(t *testing.T, client *annals.Client, o explorer.Options) *browser {
	t.Helper()
	slow.Test(t)
	program := ""
	for _, name := range programs {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		t.Skip("there is no Chromium; scripts/browser installs it")
	}
	keys, err := server.ParseKeys(key + "," + readerKey + ";read," + writerKey + ";write,demo=" + tenantKey)
	if err != nil {
		t.Fatal(err)
	}
	door := server.New(server.Options{Client: client, Keys: keys, ThisMachine: true})
	rest.Mount(door, rest.Options{})
	explorer.Mount(door, o)
	away, handler := new(atomic.Bool), door.Handler()
	listening := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if away.Load() {
			panic(http.ErrAbortHandler) // the connection is cut
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(listening.Close)
	profile, err := os.MkdirTemp("", "annals-explorer")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(profile) }) // the browser may still be writing there
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.WindowSize(1280, 860), chromedp.WSURLReadTimeout(time.Minute),
		chromedp.UserDataDir(profile))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, close := chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {})) // do not log unknown events
	t.Cleanup(close)
	ctx, end := context.WithTimeout(ctx, 4*time.Minute)
	t.Cleanup(end)
	b := &browser{t: t, ctx: ctx, url: listening.URL, away: away, many: new(atomic.Bool)}
	chromedp.ListenTarget(ctx, b.hear)
	if err := chromedp.Run(ctx); err != nil { // a browser ends with the context of its first run
		t.Fatalf("start %s: %v", program, err)
	}
	return b
}

// submit submits the form of the dialog once that is possible.
func (b *browser) submit() {
	b.t.Helper()
	const button = `dialog button[type=submit]`
	b.do(chromedp.WaitEnabled(button, chromedp.ByQuery), chromedp.Click(button, chromedp.ByQuery))
}

// window opens another window of the same browser, without a session.
func (b *browser) window() *browser {
	b.t.Helper()
	ctx, close := chromedp.NewContext(b.ctx)
	b.t.Cleanup(close)
	b.many.Store(true)
	other := &browser{t: b.t, ctx: ctx, url: b.url, away: b.away, many: b.many}
	chromedp.ListenTarget(ctx, other.hear)
	if err := chromedp.Run(ctx); err != nil {
		b.t.Fatalf("open another window: %v", err)
	}
	return other
}

// hear records errors on the console.
func (b *browser) hear(event any) {
	wrong := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		wrong = e.ExceptionDetails.Error()
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			wrong = e.Entry.Text + " " + e.Entry.URL
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError {
			wrong = fmt.Sprint(e.Args)
		}
	}
	if wrong != "" {
		b.mu.Lock()
		b.wrongs = append(b.wrongs, wrong)
		b.mu.Unlock()
	}
}

// nothingWrong fails if the console has an error that was not expected.
func (b *browser) nothingWrong(where string, expected ...string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
next:
	for _, wrong := range b.wrongs {
		for _, known := range expected {
			if strings.Contains(wrong, known) {
				continue next
			}
		}
		b.t.Errorf("%s: the console says: %s", where, wrong)
	}
	b.wrongs = nil
}

func (b *browser) do(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, time.Minute)
	defer stop()
	if b.many.Load() {
		actions = append([]chromedp.Action{page.BringToFront()}, actions...)
	}
	if err := chromedp.Run(ctx, actions...); err != nil {
		var seen string
		_ = chromedp.Run(b.ctx, chromedp.Evaluate(`location.href + "\n" + document.body.innerText`, &seen)) // there may be nothing to see
		b.t.Fatalf("%v; the page shows %.600s", err, seen)
	}
}

// visit opens an address, and waits for an element.
func (b *browser) visit(path, until string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.url+path), chromedp.WaitVisible(until, chromedp.ByQuery))
	b.settle()
}

// settle waits until nothing is loading.
func (b *browser) settle() {
	b.t.Helper()
	b.do(chromedp.Poll(`!document.querySelector("[aria-busy=true]")`, nil))
}

func (b *browser) signIn(secret string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.url+"/"), chromedp.Evaluate(`sessionStorage.clear()`, nil), chromedp.Navigate(b.url+"/"))
	b.do(chromedp.WaitVisible("#key", chromedp.ByQuery), chromedp.SendKeys("#key", secret+"\r", chromedp.ByQuery), chromedp.WaitVisible("header.top", chromedp.ByQuery))
	b.settle()
}

// text returns the text of an element.
func (b *browser) text(selector string) string {
	b.t.Helper()
	var text string
	b.do(chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector), &text))
	return text
}

// shows waits until an element shows some words.
func (b *browser) shows(selector, words string) {
	b.t.Helper()
	b.do(chromedp.Poll(fmt.Sprintf(`(document.querySelector(%q)?.innerText ?? "").includes(%q)`, selector, words), nil))
}

// drag moves the slider of an axis to a part of its length, in small steps.
func (b *browser) drag(axis string, to float64, steps int) time.Duration {
	b.t.Helper()
	var box struct{ Left, Top, Width, Height, At float64 }
	b.do(chromedp.Poll(fmt.Sprintf(`(() => { const s = document.querySelector("[role=slider][data-axis=%s]"); if (!s) return null; const r = s.getBoundingClientRect();
		return {left: r.left, top: r.top, width: r.width, height: r.height, at: s.ariaValueNow / 1000} })()`, axis), &box))
	y := box.Top + box.Height/2
	at := func(part float64) float64 { return box.Left + min(max(part, 0.002), 0.998)*box.Width }
	mouse := func(kind input.MouseType, part float64) chromedp.Action {
		return input.DispatchMouseEvent(kind, at(part), y).WithButton(input.Left).WithButtons(1).WithClickCount(1)
	}
	b.do(mouse(input.MousePressed, box.At))
	began := time.Now()
	for i := 1; i <= steps; i++ {
		b.do(mouse(input.MouseMoved, box.At+(to-box.At)*float64(i)/float64(steps)))
	}
	took := time.Since(began)
	b.do(mouse(input.MouseReleased, to))
	return took
}

// picture saves a screenshot to the folder ANNALS_SCREENSHOTS.
func (b *browser) picture(name string) {
	b.t.Helper()
	folder := os.Getenv("ANNALS_SCREENSHOTS")
	if folder == "" {
		return
	}
	var png []byte
	b.do(chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// as sets the colour scheme and the size of the screen.
func (b *browser) as(scheme string, width, height int64) {
	b.t.Helper()
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
		emulation.SetDeviceMetricsOverride(width, height, 1, width < 500))
}

// demo opens a memory with the conversation of 'annals demo'.
func demo(t *testing.T) (*annals.Client, string) {
	t.Helper()
	client, url := clienttest.New(t)
	if _, _, err := sample.Tell(t.Context(), client, "demo", nil); err != nil {
		t.Fatal(err)
	}
	return client, url
}

// write adds an invented group with so many people and facts.
func write(t *testing.T, url, name string, people, facts int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	group := clienttest.Made{Group: name, People: people, Facts: facts, Began: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	if err := group.Write(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
}

// packed encodes a value as JSON.
func packed(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
