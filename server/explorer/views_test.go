package explorer_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/server/explorer"
)

// Each view shows the query that gives the same in psql: the database runs it.
func TestEveryViewGivesItsSQL(t *testing.T) {
	t.Parallel()
	client, url := demo(t)
	conn := clienttest.Dial(t, url)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	fact, _ := factOf(t, client, "lives in Porto")
	pages := []string{
		"", "/facts/" + fact.ID.String(), "/entities/Porto", "/episodes/" + fact.Episodes[0].String(), "/conversations/t4", "/graph", "/facts", "/entities",
		"/timeline", "/search?q=Where+does+Nora+live", "/conversations", "/episodes", "/agents", "/usage", "/queue",
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
}

// What failed is shown with its error, and read again on demand.
func TestAFailedEpisodeIsReadAgain(t *testing.T) {
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
