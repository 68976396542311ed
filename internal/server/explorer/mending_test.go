package explorer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/chromedp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/slow"
)

// click presses the button with some words, in the dialog if one is open.
func (b *browser) click(words string) {
	b.t.Helper()
	b.do(chromedp.Poll(`(() => { const button = [...document.querySelectorAll("button")].find(one => one.innerText.trim() === `+packed(b.t, words)+` || one.textContent.trim() === `+packed(b.t, words)+`);
		const menu = button?.closest("details.menu"); if (menu) menu.open = true; return button !== undefined })()`, nil)) // it may be in a menu
	at := fmt.Sprintf(`//button[normalize-space()=%q and not(@disabled) and (ancestor::dialog or not(//dialog))]`, words)
	b.do(chromedp.ActionFunc(func(ctx context.Context) error {
		for {
			err := chromedp.Run(ctx, chromedp.WaitEnabled(at, chromedp.BySearch), chromedp.ScrollIntoView(at, chromedp.BySearch), chromedp.Click(at, chromedp.BySearch))
			var replaced *cdproto.Error // the page drew the button again in between
			if !errors.As(err, &replaced) || ctx.Err() != nil {
				return err
			}
		}
	}))
}

// write replaces the content of a field.
func (b *browser) write(field, text string) {
	b.t.Helper()
	b.do(chromedp.WaitVisible(field, chromedp.ByQuery), chromedp.Focus(field, chromedp.ByQuery),
		chromedp.Evaluate(fmt.Sprintf(`document.querySelector(%q).select()`, field), nil), chromedp.SendKeys(field, text, chromedp.ByQuery))
}

// factOf finds a believed fact by its words.
func factOf(t *testing.T, client *annals.Client, words string) (annals.Fact, bool) {
	t.Helper()
	facts, err := client.Facts(t.Context(), annals.FactFilter{GroupID: "demo", Limit: annals.MaxRows})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range facts {
		if strings.Contains(f.Fact, words) {
			return f, true
		}
	}
	return annals.Fact{}, false
}

// A fact is corrected, ended, withdrawn and restored, and each is taken back.
func TestAFactIsPutRight(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	fact, _ := factOf(t, client, "favourite colour is blue")
	b.visit("/explore/demo/facts/"+fact.ID.String(), "main h1")
	b.do(chromedp.WaitVisible("main ol.decisions li", chromedp.ByQuery), chromedp.WaitVisible("main table.bounds", chromedp.ByQuery))
	var marked string
	b.do(chromedp.Evaluate(`document.querySelector("main mark")?.innerText ?? ""`, &marked))
	if !strings.Contains(marked, "blue") {
		t.Errorf("in its episode %q is marked", marked)
	}
	b.picture("fact")
	b.click("Put right")
	b.write("dialog textarea", "Nora Lindqvist's favourite colour is turquoise.")
	b.picture("fact-put-right")
	b.submit()
	b.shows("main h1", "turquoise")
	if _, there := factOf(t, client, "turquoise"); !there {
		t.Error("the memory was not put right")
	}
	b.click("Undo")
	b.shows("main h1", "blue")
	b.click("End")
	b.write("dialog input", "2024-06-01")
	b.submit()
	b.shows("main", "1 June 2024")
	if ended, _ := factOf(t, client, "colour is blue"); ended.Valid.End.Format("2006-01-02") != "2024-06-01" {
		t.Errorf("it ended at %v", ended.Valid.End)
	}
	b.click("Withdraw")
	b.submit()
	b.shows("main", "withdrawn")
	if _, there := factOf(t, client, "colour is blue"); there {
		t.Error("it is still believed")
	}
	b.click("Restore")
	b.submit()
	b.do(chromedp.WaitVisible(`//main//button[normalize-space()="Withdraw"]`, chromedp.BySearch))
	if _, there := factOf(t, client, "colour is blue"); !there {
		t.Error("it is not believed again")
	}
	b.nothingWrong("putting a fact right")
}

// An entity is renamed, and merged with another.
func TestAnEntityIsPutRight(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/entities/Porto", "main h1")
	b.click("Rename")
	b.write("dialog input", "Oporto")
	b.submit()
	b.shows("main h1", "Oporto")
	if entity, err := client.Entity(t.Context(), "demo", "Oporto"); err != nil || len(entity.Aliases) == 0 {
		t.Errorf("it is %+v (%v)", entity, err)
	}
	b.shows("main", "Oporto") // derived rows follow at once
	b.click("Undo")
	b.shows("main h1", "Porto")
	if entity, err := client.Entity(t.Context(), "demo", "Porto"); err != nil || entity.Name != "Porto" {
		t.Errorf("after Undo it is %+v (%v)", entity, err)
	}
	bicycle, err := client.Entity(t.Context(), "demo", "red bicycle")
	if err != nil {
		t.Fatal(err)
	}
	b.visit("/explore/demo/entities/"+bicycle.ID.String(), "main h1")
	b.click("Merge")
	b.write("dialog input[type=search]", "bicycle")
	b.do(chromedp.Click(`//dialog//label[normalize-space(.)="bicycle" or starts-with(normalize-space(.), "bicycle")]`, chromedp.BySearch))
	b.submit()
	b.do(chromedp.WaitNotPresent(`dialog`, chromedp.ByQuery))
	if now, err := client.Entity(t.Context(), "demo", bicycle.ID.String()); err != nil || now.ID == bicycle.ID {
		t.Errorf("the red bicycle is %+v (%v)", now, err)
	}
	b.nothingWrong("putting an entity right")
}

// An entity that is really two is split, and another is erased: the page first shows what would go,
// and erases nothing before its name is typed.
func TestAnEntityIsSplitAndErased(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	fact, _ := factOf(t, client, "favourite colour is blue")
	b.visit("/explore/demo/entities/"+fact.SourceID.String(), "main h1")
	b.click("Split")
	b.write("dialog input[type=text]", "Nora Holm")
	b.do(chromedp.Click(`//dialog//label[contains(normalize-space(.), "favourite colour is blue")]`, chromedp.BySearch))
	b.picture("split")
	b.submit()
	b.shows("main h1", "Nora Holm")
	if moved, err := client.Fact(t.Context(), "demo", fact.ID); err != nil || moved.Source != "Nora Holm" {
		t.Errorf("the fact is about %s (%v)", moved.Source, err)
	}
	b.click("Undo")
	b.shows("main h1", fact.Source)
	if back, err := client.Fact(t.Context(), "demo", fact.ID); err != nil || back.SourceID != fact.SourceID {
		t.Errorf("after Undo the fact is about %s (%v)", back.Source, err)
	}

	b.visit("/explore/demo/entities/Bergen", "main h1")
	b.click("Erase")
	b.do(chromedp.WaitVisible(`//dialog//h3[normalize-space()="What would go"]`, chromedp.BySearch))
	b.shows("dialog", "lives in Bergen")
	b.shows("dialog", "Rows that go")
	b.picture("erase-preview")
	var ready bool
	if b.do(chromedp.Evaluate(`!document.querySelector("dialog button[type=submit]").disabled`, &ready)); ready {
		t.Error("it can be erased before its name is typed")
	}
	if _, err := client.Entity(t.Context(), "demo", "Bergen"); err != nil {
		t.Errorf("the preview did it: %v", err)
	}
	b.write("dialog input", "Bergen")
	b.click("Erase for good")
	b.shows("[role=status] .toast", "gone")
	if _, err := client.Entity(t.Context(), "demo", "Bergen"); annals.CodeOf(err) != annals.CodeNotFound {
		t.Errorf("Bergen is there still: %v", err)
	}
	if _, there := factOf(t, client, "lives in Bergen"); there {
		t.Error("what is known of it is there still")
	}
	b.nothingWrong("splitting and erasing")
}

// The page shows what undoing a message would do, and does it only after a confirmation.
func TestAMessageIsUndone(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	fact, _ := factOf(t, client, "lives in Porto")
	b.visit("/explore/demo/episodes/"+fact.Episodes[0].String(), "main h1")
	undo := `//main//button[starts-with(normalize-space(), "Undo")]`
	b.do(chromedp.Click(undo, chromedp.BySearch), chromedp.WaitVisible(".preview", chromedp.ByQuery))
	b.shows("dialog", "hold again")
	b.shows("dialog", "lives in Bergen")
	b.picture("undo-preview")
	b.click("Cancel")
	if _, there := factOf(t, client, "lives in Porto"); !there {
		t.Error("the preview did it")
	}
	b.do(chromedp.Click(undo, chromedp.BySearch))
	b.click("Undo it")
	b.shows("[role=status] .toast", "undone")
	if _, there := factOf(t, client, "lives in Porto"); there {
		t.Error("it was not undone")
	}
	b.nothingWrong("undoing a message")
}

// The lab shows ranks by every method, the context with its tokens, two settings side by side, and
// why an expected row is missing; a thread shows what was learned from it.
func TestTheLabExplains(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/search", "main h1")
	b.write("main input", "Where does Nora live?")
	b.click("Search")
	b.shows("main", "lives in Porto")
	for _, part := range []string{"bm25", "cosine", "score"} {
		b.shows("main", part)
	}
	b.do(chromedp.Poll(`/\d+ tokens?/.test(document.querySelector("main").innerText)`, nil))
	fact, _ := factOf(t, client, "lives in Bergen")
	b.click("Why not …?")
	b.write("dialog input", fact.ID.String())
	b.shows("dialog", "It has ended")
	b.picture("why-not")
	b.click("Close")
	b.click("Side by side")
	b.settle()
	b.do(chromedp.Poll(`document.querySelectorAll("main section.side").length === 2`, nil))
	b.picture("side-by-side")
	b.visit("/explore/demo/conversations/t4", "main ol.talk")
	b.shows("main", "I live in Porto now.")
	b.shows("main", "lives in Porto")
	b.picture("conversation")
	b.nothingWrong("the lab")
}

// A fact is added by hand, and taken back. A message is erased after a preview, and then the whole
// memory.
func TestAMemoryIsAddedToAndErased(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/entities/Porto", "main h1")
	b.click("Add a fact")
	for i, words := range []string{"", "HAS", "a harbour", "Porto has a harbour.", "2024-05-01"} {
		if words != "" {
			b.do(chromedp.SendKeys(fmt.Sprintf(`(//dialog//label)[%d]//*[self::input or self::textarea]`, i+1), words, chromedp.BySearch))
		}
	}
	b.submit()
	b.shows("main h1", "Porto has a harbour.")
	b.shows("main", "since 1 May 2024")
	if _, there := factOf(t, client, "Porto has a harbour."); !there {
		t.Error("the memory has not learned it")
	}
	b.click("Undo")
	b.shows("[role=status] .toast", "Taken back")
	if _, there := factOf(t, client, "Porto has a harbour."); there {
		t.Error("it was not taken back")
	}

	fact, _ := factOf(t, client, "favourite colour is blue")
	b.visit("/explore/demo/episodes/"+fact.Episodes[0].String(), "main h1")
	b.click("Erase")
	b.shows("dialog", "Rows that go")
	b.shows("dialog", "favourite colour is blue")
	b.write("dialog input", "erase")
	b.click("Erase for good")
	b.shows("[role=status] .toast", "gone")
	if _, err := client.Episode(t.Context(), "demo", fact.Episodes[0]); annals.CodeOf(err) != annals.CodeNotFound {
		t.Errorf("the episode is there still: %v", err)
	}

	b.visit("/explore/demo", "main h1")
	b.click("Erase")
	b.shows("dialog", "of episodes")
	b.shows("dialog", "of facts_history")
	b.picture("erase-memory")
	if _, err := client.Group(t.Context(), "demo"); err != nil {
		t.Fatalf("the preview did it: %v", err)
	}
	b.write("dialog input", "demo")
	b.click("Erase for good")
	b.shows("main h1", "Memories")
	if _, err := client.Group(t.Context(), "demo"); annals.CodeOf(err) != annals.CodeNotFound {
		t.Errorf("the memory is there still: %v", err)
	}
	b.nothingWrong("adding and erasing")
}
