package main

import (
	"strconv"

	"github.com/annalsdb/annals"
)

// printPreview prints what undoing or erasing would do.
func (p *printer) printPreview(what annals.Preview) error {
	if p.json {
		return p.printJSON(struct {
			Undone  *annals.Undone     `json:"undone"`
			Preview annals.PreviewJSON `json:"preview"`
		}{&what.Undone, what.JSON()})
	}
	var rows [][]string
	for _, c := range what.Facts {
		rows = append(rows, []string{"fact " + c.Change, told(c.Before, annals.Fact.Told), told(c.After, annals.Fact.Told)})
	}
	name := func(e annals.Entity) string { return e.Name + ": " + brief(e.Summary, 60) }
	for _, c := range what.Entities {
		rows = append(rows, []string{"entity " + c.Change, told(c.Before, name), told(c.After, name)})
	}
	if len(rows) > 0 || len(what.Removed) == 0 {
		if err := p.table("CHANGE\tNOW\tTHEN", rows); err != nil {
			return err
		}
	}
	rows = nil
	for _, r := range what.Removed {
		rows = append(rows, []string{r.Table, strconv.FormatInt(r.Rows, 10)})
	}
	if len(rows) > 0 {
		if err := p.table("\nROWS THAT WOULD GO FROM\t", rows); err != nil {
			return err
		}
	}
	if what.Undone.Episodes == 0 {
		p.say("Nothing was done.")
		return nil
	}
	p.say("Nothing was done. It would be:")
	return p.printUndone(what.Undone)
}

// told returns the words for a value, or a dash if it is nil.
func told[T any](what *T, words func(T) string) string {
	if what == nil {
		return "–"
	}
	return words(*what)
}
