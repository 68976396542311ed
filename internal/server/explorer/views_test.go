package explorer_test

import (
	"slices"
	"strings"
	"testing"

	cdp "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/slow"
)

// Each view shows the SQL query for its content; the database accepts it.
func TestEveryViewGivesItsSQL(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := demo(t)
	conn := clienttest.Dial(t, url)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	fact, _ := factOf(t, client, "lives in Porto")
	pages := []string{
		"", "/facts/" + fact.ID.String(), "/entities/Porto", "/episodes/" + fact.Episodes[0].String(), "/conversations/t4", "/graph", "/facts", "/entities",
		"/timeline", "/search?q=Where+does+Nora+live", "/conversations", "/episodes", "/agents", "/review", "/review?show=added&by=thread&of=t4", "/review?show=added&by=day&of=2024-03-15", "/usage", "/queue",
	}
	for _, page := range pages {
		b.visit("/explore/demo"+page, "main h1")
		b.do(chromedp.Click(`//main//button[normalize-space()="SQL"]`, chromedp.BySearch), chromedp.WaitVisible("[data-sql]", chromedp.ByQuery))
		query := b.text("[data-sql]")
		if !strings.Contains(query, "annals.") {
			t.Errorf("%q shows the query %q", page, query)
		}
		if _, err := conn.PgConn().Exec(t.Context(), query).ReadAll(); err != nil {
			t.Errorf("%q shows a query that fails: %v\n%s", page, err, query)
		}
		b.click("Close")
	}
	b.nothingWrong("the queries")
	b.sameRows(conn)
}

// sameRows checks that a view and its query have the same facts, now and at another time.
func (b *browser) sameRows(conn *pgx.Conn) {
	b.t.Helper()
	for _, page := range []string{"/facts", "/facts?valid=2024-03-01T00:00:00Z", "/entities"} {
		b.visit("/explore/demo"+page, "main ul.rows")
		var shown []string
		b.do(chromedp.Evaluate(`[...document.querySelectorAll("main ul.rows > li > a.said")].map(a => a.innerText).sort()`, &shown))
		b.click("SQL")
		column := map[bool]string{true: "name", false: "told"}[page == "/entities"]
		rows, err := conn.Query(b.t.Context(), "SELECT "+column+" FROM ("+strings.TrimSuffix(b.text("[data-sql]"), ";")+") q")
		if err != nil {
			b.t.Fatal(err)
		}
		given, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			b.t.Fatal(err)
		}
		slices.Sort(given)
		slices.Sort(shown)
		if diff := cmp.Diff(shown, given); diff != "" {
			b.t.Errorf("%s: - shown, + given by its query\n%s", page, diff)
		}
	}
	if _, err := conn.Exec(b.t.Context(), "SELECT 1"); err != nil {
		b.t.Fatal(err)
	}
}

// A query is copied unchanged.
func TestSQLIsCopied(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.do(cdp.SetPermission(&cdp.PermissionDescriptor{Name: "clipboard-write"}, cdp.PermissionSettingGranted),
		cdp.SetPermission(&cdp.PermissionDescriptor{Name: "clipboard-read"}, cdp.PermissionSettingGranted))
	b.signIn(key)
	b.visit("/explore/demo/facts", "main h1")
	b.click("SQL")
	query := b.text("[data-sql]")
	b.click("Copy")
	b.shows("dialog [role=status]", "Copied.")
	var copied string
	b.do(chromedp.Evaluate(`navigator.clipboard.readText()`, &copied, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	if copied != query || !strings.Contains(copied, "annals.facts_at") {
		t.Errorf("what is copied is %q", copied)
	}
}

// A failed episode is shown with its error, and read again on demand.
func TestAFailedEpisodeIsReadAgain(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, url := demo(t)
	fact, _ := factOf(t, client, "lives in Porto")
	conn := clienttest.Dial(t, url)
	if _, err := conn.Exec(t.Context(), `UPDATE annals.episodes SET state = 'failed', error = 'the model is away', attempts = 3
		WHERE group_id = 'demo' AND id = $1`, fact.Episodes[0]); err != nil {
		t.Fatal(err)
	}
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	b.visit("/explore/demo/episodes?state=failed", "main h1")
	b.shows("main", "the model is away")
	b.click("Read failed ones again")
	b.picture("retry")
	b.click("Read again")
	b.shows("[role=status] .toast", "1 episode waits again")
	var state string
	if err := conn.QueryRow(t.Context(), `SELECT state FROM annals.episodes WHERE group_id = 'demo' AND id = $1`, fact.Episodes[0]).Scan(&state); err != nil || state == "failed" {
		t.Errorf("the episode is %s, %v", state, err)
	}
	b.nothingWrong("reading again")
}
