package explorer_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/agent"
	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/slow"
	"github.com/annalsdb/annals/model"
	"github.com/annalsdb/annals/model/modeltest"
)

// Playing a history shows first the superseded facts and then their successors. Pressing again
// stops it.
func TestAHistoryIsPlayed(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/facts", "main ul.rows")
	b.drag("valid", 0.3, 8)
	b.shows("main", "favourite colour is green")
	b.do(chromedp.Click(`button[aria-label="Play: In the world"]`, chromedp.ByQuery))
	b.shows("main", "favourite colour is blue")
	b.picture("playing")
	b.do(chromedp.WaitVisible(`button[aria-label="Play: In the world"]`, chromedp.ByQuery)) // it has reached the end
	b.settle()
	if now := b.text("main ul.rows"); strings.Contains(now, "favourite colour is green") {
		t.Errorf("at its end the facts are %s", now)
	}
	const at = `document.querySelector("[role=slider][data-axis=known]")`
	b.do(chromedp.Focus("[role=slider][data-axis=known]", chromedp.ByQuery), chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(" "))
	b.do(chromedp.Poll(`+`+at+`.ariaValueNow > 100`, nil), chromedp.KeyEvent(" "))
	var stopped float64
	b.do(chromedp.WaitVisible(`button[aria-label="Play: As we knew it"]`, chromedp.ByQuery), chromedp.Evaluate(`+`+at+`.ariaValueNow`, &stopped))
	b.do(chromedp.Sleep(300 * time.Millisecond))
	var later float64
	if b.do(chromedp.Evaluate(`+`+at+`.ariaValueNow`, &later)); later != stopped || later > 990 {
		t.Errorf("it was stopped at %v, and stands at %v", stopped, later)
	}
	b.nothingWrong("playing")
}

// A memory as large as a long conversation opens in every view. Both sliders bring back superseded
// facts: those that held then, and those that were still believed.
func TestALongConversation(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, database := demo(t)
	write(t, database, "talk", 120, 700)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	for _, view := range views {
		b.visit("/explore/talk"+view, "main h1")
		b.nothingWrong(view)
	}
	b.visit("/explore/talk/facts", "main ul.rows")
	b.drag("valid", 0.2, 12)
	b.showsFormer(client, "valid")
	b.picture("talk-valid")
	b.drag("valid", 0.999, 12)
	b.drag("known", 0.6, 12)
	b.showsFormer(client, "known")
	b.picture("talk-known")
	b.nothingWrong("dragging through a long conversation")

	b.visit("/explore/talk/facts", "main ul.rows")
	for _, step := range []struct{ click, until string }{ // from page to page, as a user does
		{"main ul.rows li a.said", "main table.bounds"},
		{"main p.triple a", "main ol.versions"},
		{".under-title a", "aside.panel"},
		{"aside.panel ul.rows a", "main table.bounds"},
		{"main ul.rows .meta a", "main blockquote"},
	} {
		b.do(chromedp.WaitVisible(step.click, chromedp.ByQuery), chromedp.Click(step.click, chromedp.ByQuery), chromedp.WaitVisible(step.until, chromedp.ByQuery))
		b.settle()
	}
	b.nothingWrong("going through a long conversation")
}

// showsFormer waits until the page lists a fact that exists at the time of a slider, but not now.
func (b *browser) showsFormer(client *annals.Client, axis string) {
	b.t.Helper()
	b.settle()
	var address string
	b.do(chromedp.Poll(fmt.Sprintf(`location.search.includes("%s=")`, axis), nil), chromedp.Location(&address))
	parsed, err := url.Parse(address)
	if err != nil {
		b.t.Fatal(err)
	}
	at, err := time.Parse(time.RFC3339Nano, parsed.Query().Get(axis))
	if err != nil {
		b.t.Fatal(err)
	}
	filter := annals.FactFilter{GroupID: "talk", ValidAt: time.Now(), Limit: annals.MaxRows}
	now := b.facts(client, filter)
	if axis == "valid" {
		filter.ValidAt = at
	} else {
		filter.KnownAt = at
	}
	var former []string
	for sentence := range b.facts(client, filter) {
		if !now[sentence] {
			former = append(former, sentence)
		}
	}
	if len(former) == 0 {
		b.t.Fatalf("at %s nothing was otherwise than it is now", at)
	}
	b.do(chromedp.Poll(fmt.Sprintf(`%s.some(s => document.querySelector("main").innerText.includes(s))`, packed(b.t, former)), nil))
}

func (b *browser) facts(client *annals.Client, filter annals.FactFilter) map[string]bool {
	b.t.Helper()
	facts, err := client.Facts(b.t.Context(), filter)
	if err != nil {
		b.t.Fatal(err)
	}
	sentences := map[string]bool{}
	for _, f := range facts {
		sentences[f.Fact] = true
	}
	return sentences
}

// noter notes what it is told, and confirms that.
func noter(r modeltest.Request) modeltest.Reply {
	if last := r.Turns[len(r.Turns)-1]; last.Role == "tool" {
		return modeltest.Reply{Calls: []modeltest.Call{{Name: "send_message", Arguments: map[string]any{"message": "Noted."}}}}
	}
	return modeltest.Reply{Text: "She rows.", Calls: []modeltest.Call{{Name: "core_memory_append", Arguments: map[string]any{
		"name": "human", "content": "Rows on Sundays.", "request_heartbeat": true,
	}}}}
}

// An agent's page shows its blocks and their former versions, how full its context is, and each of
// its steps.
func TestAnAgentIsLookedAt(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	llm, err := model.OpenLLM(model.Config{Model: "openai:scripted", BaseURL: modeltest.NewServer(t, noter).URL, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	client, err := annals.Open(t.Context(), annals.Config{DatabaseURL: pgtest.New(t), LLM: llm})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	sam, err := agent.New(client, agent.Options{}).Create(t.Context(), agent.Spec{GroupID: "boats", Name: "sam", Instructions: "Be brief."})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sam.Tell(t.Context(), agent.Event{Content: "I row on Sundays."}, nil); err != nil {
		t.Fatal(err)
	}
	fill, err := sam.Fill(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/boats/agents", "main ul.rows")
	b.do(chromedp.Click(`//main//a[normalize-space()="sam"]`, chromedp.BySearch))
	b.shows("main h1", "sam")
	for _, words := range []string{
		"Be brief.", "Rows on Sundays.", "I row on Sundays.", "core_memory_append", "She rows.", "Noted.",
		fmt.Sprintf("%s of %s tokens", thousands(fill.Tokens), thousands(fill.Room)),
	} {
		b.shows("main", words)
	}
	b.picture("agent")
	b.do(chromedp.Click(`//main//section[contains(@class, "block")][.//h3[normalize-space()="human"]]//button`, chromedp.BySearch))
	b.shows("dialog", "version 1")
	b.shows("dialog", "empty")
	b.shows("dialog", "Rows on Sundays.")
	b.click("Close")
	b.visit("/explore/boats/usage", "main table")
	for _, words := range []string{"openai:scripted", "in all", "not known"} {
		b.shows("main", words)
	}
	b.picture("usage")
	b.visit("/explore/boats/agents/sam", "main h1")
	b.as("light", 390, 844)
	b.picture("agent-phone")
	b.nothingWrong("looking at an agent")
}

// thousands formats a number below a million as the page does.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// Two fingers zoom the graph on a phone, and one moves it. The page keeps its size.
func TestFingersMoveTheGraph(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.as("light", 390, 844)
	b.do(emulation.SetTouchEmulationEnabled(true))
	b.signIn(key)
	b.visit("/explore/demo/graph", "main canvas")
	b.do(chromedp.Sleep(2 * time.Second)) // until the graph is at rest
	painted := func() (pixels string) {
		b.do(chromedp.Sleep(200*time.Millisecond), chromedp.Evaluate(`document.querySelector("main canvas").toDataURL()`, &pixels))
		return pixels
	}
	touch := func(kind input.TouchType, at ...*input.TouchPoint) { b.do(input.DispatchTouchEvent(kind, at)) }
	before := painted()
	touch(input.TouchStart, &input.TouchPoint{X: 180, Y: 400, ID: 1}, &input.TouchPoint{X: 210, Y: 400, ID: 2})
	for apart := 30.0; apart <= 110; apart += 20 {
		touch(input.TouchMove, &input.TouchPoint{X: 180 - apart, Y: 400, ID: 1}, &input.TouchPoint{X: 210 + apart, Y: 400, ID: 2})
	}
	touch(input.TouchEnd)
	near := painted()
	if near == before {
		t.Error("two fingers did not zoom the graph")
	}
	b.picture("pinched")
	touch(input.TouchStart, &input.TouchPoint{X: 200, Y: 300, ID: 1})
	touch(input.TouchMove, &input.TouchPoint{X: 200, Y: 360, ID: 1})
	touch(input.TouchMove, &input.TouchPoint{X: 200, Y: 420, ID: 1})
	touch(input.TouchEnd)
	if painted() == near {
		t.Error("a finger did not move the graph")
	}
	var scale, scrolled float64
	b.do(chromedp.Evaluate(`visualViewport.scale`, &scale), chromedp.Evaluate(`scrollY`, &scrolled))
	if scale != 1 || scrolled != 0 {
		t.Errorf("the page is zoomed %v times, and scrolled by %v", scale, scrolled)
	}
	b.nothingWrong("moving by fingers")
}
