package paging

import (
	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/engine/edit"
	"github.com/annalsdb/annals/temporal"
)

// List is a list with pages.
type List[Row any] struct {
	Name string
	Mark func(Row) Cursor // the cursor of a page that ends with this row
	Row  func(Cursor) Row // the row, as far as the cursor identifies it
}

// After returns the cursor of the page after a row; empty for nil.
func (l List[Row]) After(row *Row) string {
	if row == nil {
		return ""
	}
	mark := l.Mark(*row)
	mark.List = l.Name
	return mark.String()
}

// The lists of REST.
var (
	Communities = List[annals.Membership]{
		"communities",
		func(m annals.Membership) Cursor { return Cursor{ID: &m.ID, Name: m.Name, Count: m.Size} },
		func(c Cursor) annals.Membership {
			return annals.Membership{Community: annals.Community{ID: c.Row(), Name: c.Name}, Size: c.Count}
		},
	}
	Entities = List[annals.Entity]{
		"entities",
		func(e annals.Entity) Cursor { return Cursor{ID: &e.ID, Name: e.Name, Count: e.Mentions} },
		func(c Cursor) annals.Entity { return annals.Entity{ID: c.Row(), Name: c.Name, Mentions: c.Count} },
	}
	Episodes = List[annals.Episode]{
		"episodes",
		func(e annals.Episode) Cursor { return Cursor{ID: &e.ID, At: e.OccurredAt} },
		func(c Cursor) annals.Episode { return annals.Episode{ID: c.Row(), OccurredAt: c.At} },
	}
	Facts = List[annals.Fact]{
		"facts",
		func(f annals.Fact) Cursor { return Cursor{ID: &f.ID, At: f.Valid.Start, Created: f.CreatedAt} },
		func(c Cursor) annals.Fact {
			return annals.Fact{ID: c.Row(), CreatedAt: c.Created, Valid: temporal.Validity{Interval: temporal.Interval{Start: c.At}}}
		},
	}
	Groups = List[annals.Group]{
		"groups",
		func(g annals.Group) Cursor { return Cursor{Name: g.ID} },
		func(c Cursor) annals.Group { return annals.Group{ID: c.Name} },
	}
	Review = List[edit.Reviewed]{
		"review",
		func(r edit.Reviewed) Cursor { return Cursor{ID: new(r.ID()), Name: r.Kind} },
		func(c Cursor) edit.Reviewed { return edit.Reviewed{Kind: c.Name, Fact: &annals.Fact{ID: c.Row()}} },
	}
	Observations = List[annals.Observation]{
		"observations",
		func(o annals.Observation) Cursor { return Cursor{ID: &o.ID, Count: o.Proof} },
		func(c Cursor) annals.Observation { return annals.Observation{ID: c.Row(), Proof: c.Count} },
	}
	Threads = List[annals.Thread]{
		"threads",
		func(t annals.Thread) Cursor { return Cursor{Name: t.ID, At: t.LastAt} },
		func(c Cursor) annals.Thread { return annals.Thread{ID: c.Name, LastAt: c.At} },
	}
)

// Timeline returns the list of changes, earliest or latest first.
func Timeline(latestFirst bool) List[annals.Change] {
	list := List[annals.Change]{
		"timeline",
		func(c annals.Change) Cursor { return Cursor{ID: &c.FactID, At: c.At, Name: c.Event} },
		func(c Cursor) annals.Change { return annals.Change{FactID: c.Row(), At: c.At, Event: c.Name} },
	}
	if latestFirst {
		list.Name = "timeline-back"
	}
	return list
}
