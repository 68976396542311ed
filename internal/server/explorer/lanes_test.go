package explorer_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/slow"
)

// The lanes answer what a reader asks of a memory.
func TestLanesTellTheStory(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	client, _ := demo(t)
	b := browse(t, client, explorer.Options{})
	b.signIn(key)
	nora, err := client.Entity(t.Context(), "demo", "Nora Lindqvist")
	if err != nil {
		t.Fatal(err)
	}
	of := "?entity=" + nora.ID.String()
	for _, as := range []struct {
		name          string
		scheme        string
		width, height int64
	}{{"light", "light", 1280, 860}, {"dark", "dark", 1280, 860}, {"phone", "light", 390, 844}} {
		b.as(as.scheme, as.width, as.height)
		b.visit("/explore/demo/timeline"+of, "main .lane-bars")
		b.do(chromedp.Sleep(300 * 1e6))
		b.picture("lanes-" + as.name)
		b.visit("/explore/demo/timeline"+of+"&known=2024-03-20T00:00:00Z", "main .lane-bars")
		b.do(chromedp.Sleep(300 * 1e6))
		b.picture("lanes-march-" + as.name)
		b.visit("/explore/demo/timeline"+of+"&compare=2024-03-31T00:00:00Z", "main .lane-bars")
		b.do(chromedp.Sleep(300 * 1e6))
		b.picture("lanes-compare-" + as.name)
	}
	b.nothingWrong("lanes", "401")
}
