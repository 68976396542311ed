package explorer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/slow"
)

// writing lists the controls that change a memory.
var writing = []string{
	"Add a fact", "Put right", "End", "Withdraw", "Restore", "Rename", "Merge", "Split", "Undo", "Erase", "Read failed ones again",
}

// With a reader's key no page shows a control that writes. With a writer's key all are shown except
// those that erase. A tenant's key shows only its groups.
func TestKeysShowWhatTheyOpen(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	if _, err := client.Add(t.Context(), annals.Episode{GroupID: "secret", Content: "Nobody else may know."}); err != nil {
		t.Fatal(err)
	}
	fact, _ := factOf(t, client, "favourite colour is blue")
	gone, _ := factOf(t, client, "Pixel likes")
	if err := client.WithdrawFact(t.Context(), "demo", gone.ID); err != nil {
		t.Fatal(err)
	}
	pages := append([]string{
		"/facts/" + fact.ID.String(), "/facts/" + gone.ID.String(), "/facts?show=rejected", "/entities/Porto", "/episodes/" + fact.Episodes[0].String(),
		"/episodes?state=failed", "/conversations/t4",
	}, views...)
	b := browse(t, client, explorer.Options{})
	buttons := func() (seen []string) {
		for _, page := range pages {
			b.visit("/explore/demo"+page, "main h1")
			var here []string
			b.do(chromedp.Evaluate(`[...document.querySelectorAll("main button, main input[type=submit]")].map(b => b.textContent.trim())`, &here))
			seen = append(seen, here...)
		}
		return seen
	}
	for _, who := range []struct {
		key    string
		hidden []string
	}{{key, nil}, {writerKey, []string{"Erase"}}, {readerKey, writing}} {
		b.signIn(who.key)
		seen := buttons()
		for _, control := range writing {
			if slices.Contains(seen, control) == slices.Contains(who.hidden, control) {
				t.Errorf("with the key %q the button %q is shown, or is not, against its rights", who.key, control)
			}
		}
	}
	b.shows("header", "read only")
	b.signIn(key)
	b.shows("main", "secret")
	b.signIn(tenantKey)
	b.shows("main", "demo")
	if groups := b.text("main"); strings.Contains(groups, "secret") {
		t.Errorf("the tenant is shown %s", groups)
	}
	b.nothingWrong("looking with several keys", "401")
	b.do(chromedp.Navigate(b.url + "/explore/secret"))
	b.shows("main", "there is none")
}

// hostile is stored in every field.
const hostile = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>`

// Stored content stays text, whatever it is and in whichever field.
func TestStoredTextIsInert(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := demo(t)
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
		b.inert(view)
	}
	b.visit("/explore/demo/facts", "main ul.rows")
	if shown := b.text("main"); !strings.Contains(shown, "<img src=x") || strings.ContainsAny(shown, "\u202e\u001b\u0007") {
		t.Errorf("the facts are shown as %s", shown)
	}

	fact, _ := factOf(t, client, "favourite colour is blue")
	if fields := spoil(t, url); fields < 30 {
		t.Errorf("only %d fields could be made hostile", fields)
	}
	b.as("light", 390, 844)
	for _, page := range append([]string{
		"/facts/" + fact.ID.String(), "/entities/" + fact.SourceID.String(), "/episodes/" + fact.Episodes[0].String(), "/facts?show=rejected", "/facts?show=all", "/episodes?state=failed",
	}, views...) {
		b.inert(page)
		b.fits(page)
	}
	b.picture("hostile-everywhere")
}

// inert fails if a page ran stored content or made it markup.
func (b *browser) inert(view string) {
	b.t.Helper()
	b.visit("/explore/demo"+view, "main h1")
	var owned bool
	b.do(chromedp.Evaluate(`!!window.owned || !!document.querySelector("main img, main script, main [onerror], main [onmouseover], main a[href^='javascript']")`, &owned))
	if owned {
		b.t.Errorf("%s ran what was stored, or made it markup", view)
	}
	b.nothingWrong(view)
}

// spoiling writes a text to every text field of the group, also where no interface would, and
// records these fields.
const spoiling = `CREATE TABLE spoilt (field text);
DO $$
DECLARE
	f record;
	n bigint;
BEGIN
	FOR f IN SELECT format('%I.%I', c.table_schema, c.table_name) AS tab, c.column_name AS col, c.udt_name = '_text' AS many
		FROM information_schema.columns c
		JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.table_schema IN ('annals', 'annals_internal') AND t.table_type = 'BASE TABLE' AND c.column_name <> 'group_id' AND c.udt_name IN ('text', '_text') AND c.is_generated = 'NEVER'
			AND c.table_name !~ 'embedding|posting|vector' AND c.column_name <> 'text_search' -- what search goes by
			AND EXISTS (SELECT FROM information_schema.columns g
				WHERE g.table_schema = c.table_schema AND g.table_name = c.table_name AND g.column_name = 'group_id')
	LOOP
		BEGIN
			EXECUTE format('UPDATE %s SET %I = %s WHERE group_id = %L', f.tab, f.col, CASE WHEN f.many THEN format('ARRAY[%L]', '#') ELSE quote_literal('#') END, 'demo');
			GET DIAGNOSTICS n = ROW_COUNT;
			IF n > 0 THEN
				INSERT INTO spoilt VALUES (f.tab || '.' || f.col);
			END IF;
		EXCEPTION WHEN OTHERS THEN -- a field that takes no such text
		END;
	END LOOP;
END $$`

func spoil(t *testing.T, url string) (fields int) {
	t.Helper()
	conn := clienttest.Dial(t, url)
	if _, err := conn.Exec(t.Context(), strings.ReplaceAll(spoiling, "#", hostile+" \u202egnirts\u202c")); err != nil {
		t.Fatal(err)
	}
	if err := conn.QueryRow(t.Context(), `SELECT count(*) FROM spoilt`).Scan(&fields); err != nil {
		t.Fatal(err)
	}
	return fields
}
