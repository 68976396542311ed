package service

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/engine/change"
	"github.com/annalsdb/annals/graph"
)

// Picture is the graph of a group in columns: in each block, the values at the same index of the
// lists form one row. Times are milliseconds since 1970, with thousandths.
type Picture struct {
	Partial       bool               `json:"partial" doc:"There is more than is shown"`
	FactsTotal    int                `json:"facts_total" doc:"Facts of the group, also those that are gone; counted to a million"`
	EntitiesTotal int                `json:"entities_total"`
	Entities      PictureEntities    `json:"entities"`
	Communities   []PictureCommunity `json:"communities"`
	Predicates    []string           `json:"predicates"`
	Facts         PictureFacts       `json:"facts" doc:"One row for each version of a fact"`
	Valid         PictureSpan        `json:"valid" doc:"The earliest and the latest bound in the world"`
	Known         PictureSpan        `json:"known" doc:"When the first version began to be believed, and the last changed"`
}

// PictureEntities are the entities of a picture, the most salient first, then those that are gone.
type PictureEntities struct {
	ID         []uuid.UUID  `json:"id"`
	Name       []string     `json:"name" doc:"As it is called now, or was last"`
	Labels     [][]string   `json:"labels"`
	Salience   []float64    `json:"salience" doc:"How much it was spoken of lately, as of the last episode"`
	Mentions   []int32      `json:"mentions"`
	Community  []int        `json:"community" doc:"Place in communities; -1: none"`
	KnownFrom  []float64    `json:"known_from"`
	KnownUntil []*float64   `json:"known_until" doc:"null: it is there"`
	Names      []FormerName `json:"names" doc:"Names that entities had before"`
}

// FormerName is a former name of an entity.
type FormerName struct {
	Entity int     `json:"entity" doc:"Place in entities"`
	Until  float64 `json:"until" doc:"When another name took its place"`
	Name   string  `json:"name"`
}

// PictureCommunity is a cluster of entities.
type PictureCommunity struct {
	ID      uuid.UUID `json:"id" format:"uuid"`
	Name    string    `json:"name"`
	Members int32     `json:"members"`
}

// PictureFacts are versions of facts. The versions of one fact share its id and follow each other,
// the oldest first. A fact that changed often has only its latest versions.
type PictureFacts struct {
	ID             []uuid.UUID      `json:"id"`
	Source         []int            `json:"source" doc:"Place in entities"`
	Target         []int            `json:"target" doc:"Place in entities"`
	Predicate      []int            `json:"predicate" doc:"Place in predicates"`
	Told           []string         `json:"told" doc:"The sentence, with dates in the place of words such as last week"`
	Kind           []graph.FactKind `json:"kind" doc:"state or event"`
	ValidFrom      []*float64       `json:"valid_from" doc:"null: not known"`
	ValidUntil     []*float64       `json:"valid_until" doc:"null: not known, or it goes on"`
	FromBasis      []string         `json:"from_basis"`
	FromPrecision  []string         `json:"from_precision"`
	UntilBasis     []string         `json:"until_basis"`
	UntilPrecision []string         `json:"until_precision"`
	KnownFrom      []float64        `json:"known_from"`
	KnownUntil     []*float64       `json:"known_until" doc:"null: it is believed now"`
	SaidAt         []*float64       `json:"said_at" doc:"null: it was made by hand"`
	Disputed       []bool           `json:"disputed"`
}

// PictureSpan is a period of time.
type PictureSpan struct {
	From  *float64 `json:"from" doc:"null: nothing has a time"`
	Until *float64 `json:"until"`
}

// stretch extends the span to include a time.
func (s *PictureSpan) stretch(at *float64) {
	if at == nil {
		return
	}
	if s.From == nil || *at < *s.From {
		s.From = at
	}
	if s.Until == nil || *at > *s.Until {
		s.Until = at
	}
}

// millis returns a time in milliseconds since 1970, to the microsecond.
func millis(t time.Time) float64 {
	return math.Round(float64(t.Unix())*1e6+float64(t.Nanosecond())/1e3) / 1e3
}

// bounds returns the ends of a range; nil: unbounded.
func bounds(r pgtype.Range[pgtype.Timestamptz]) (from, until *float64) {
	interval := db.Interval(r)
	return millisOr(interval.Start), millisOr(interval.End)
}

func millisOr(t time.Time) *float64 {
	if t.IsZero() {
		return nil
	}
	return new(millis(t))
}

// draw fills in the entities.
func (pic *Picture) draw(
	p *painter, rows []db.ExploreEntitiesRow, gone []db.ExploreEntitiesGoneRow, names []db.ExploreEntityNamesRow, communities []db.ExploreEntityCommunitiesRow,
) {
	p.places = make(map[uuid.UUID]int, len(rows)+len(gone))
	e := &pic.Entities
	*e = PictureEntities{
		ID: []uuid.UUID{}, Name: []string{}, Labels: [][]string{}, Salience: []float64{}, Mentions: []int32{}, Community: []int{},
		KnownFrom: []float64{}, KnownUntil: []*float64{}, Names: []FormerName{},
	}
	add := func(id uuid.UUID, name string, labels []string, mentions int32, salience float64, from time.Time, until *float64) {
		p.places[id] = len(e.ID)
		e.ID, e.Name, e.Labels = append(e.ID, id), append(e.Name, name), append(e.Labels, labels)
		e.Mentions, e.Salience = append(e.Mentions, mentions), append(e.Salience, math.Round(salience*1e4)/1e4)
		e.KnownFrom, e.KnownUntil, e.Community = append(e.KnownFrom, millis(from)), append(e.KnownUntil, until), append(e.Community, -1)
	}
	for _, row := range rows {
		add(row.ID, row.Name, row.Labels, row.Mentions, row.Salience, row.CreatedAt, nil)
	}
	for _, row := range gone {
		add(row.ID, row.Name, row.Labels, 0, 0, row.CreatedAt, new(millis(row.Until)))
	}
	for _, row := range names {
		if place, ok := p.places[row.ID]; ok {
			e.Names = append(e.Names, FormerName{place, millis(row.Until), row.Name})
		}
	}
	pic.Communities = []PictureCommunity{}
	at := map[uuid.UUID]int{}
	for _, row := range communities {
		place, ok := at[row.ID]
		if !ok {
			place = len(pic.Communities)
			at[row.ID] = place
			pic.Communities = append(pic.Communities, PictureCommunity{row.ID, row.Name, row.Size})
		}
		e.Community[p.places[row.EntityID]] = place
	}
}

// draw fills in the versions of facts.
func (f *PictureFacts) draw(p *painter, rows []db.ExploreFactsRow) {
	sort.Slice(rows, func(i, j int) bool { // uses less memory than slices.SortFunc
		a, b := &rows[i], &rows[j]
		return cmp.Or(slices.Compare(a.ID[:], b.ID[:]), a.Recorded.Lower.Time.Compare(b.Recorded.Lower.Time)) < 0
	})
	pic, predicates := &p.picture, map[string]int{}
	pic.Predicates = []string{}
	*f = PictureFacts{
		ID: []uuid.UUID{}, Source: []int{}, Target: []int{}, Predicate: []int{}, Told: []string{}, Kind: []graph.FactKind{},
		ValidFrom: []*float64{}, ValidUntil: []*float64{}, FromBasis: []string{}, FromPrecision: []string{}, UntilBasis: []string{},
		UntilPrecision: []string{}, KnownFrom: []float64{}, KnownUntil: []*float64{}, SaidAt: []*float64{}, Disputed: []bool{},
	}
	for _, row := range rows {
		source, known := p.places[row.SourceID]
		target, there := p.places[row.TargetID]
		if !known || !there { // erased since the version was written
			continue
		}
		predicate, ok := predicates[row.Predicate]
		if !ok {
			predicate = len(pic.Predicates)
			predicates[row.Predicate] = predicate
			pic.Predicates = append(pic.Predicates, row.Predicate)
		}
		f.ID, f.Source, f.Target = append(f.ID, row.ID), append(f.Source, source), append(f.Target, target)
		f.Predicate, f.Told, f.Kind = append(f.Predicate, predicate), append(f.Told, row.Told), append(f.Kind, row.Kind)
		f.FromBasis, f.FromPrecision = append(f.FromBasis, string(row.FromBasis)), append(f.FromPrecision, exactness(string(row.FromPrecision)))
		f.UntilBasis, f.UntilPrecision = append(f.UntilBasis, string(row.UntilBasis)), append(f.UntilPrecision, exactness(string(row.UntilPrecision)))
		f.SaidAt, f.Disputed = append(f.SaidAt, millisOr(change.Value(row.SaidAt).UTC())), append(f.Disputed, row.Disputed)
		f.times(pic, row)
	}
}

// exactness returns how exactly a bound is known; empty: it is unknown.
func exactness(precision string) string {
	if precision == "unknown" {
		return ""
	}
	return precision
}

// times adds when a version holds and when it is believed.
func (f *PictureFacts) times(pic *Picture, row db.ExploreFactsRow) {
	from, until := bounds(row.Valid)
	f.ValidFrom, f.ValidUntil = append(f.ValidFrom, from), append(f.ValidUntil, until)
	pic.Valid.stretch(from)
	pic.Valid.stretch(until)
	since, end := bounds(row.Recorded)
	f.KnownFrom, f.KnownUntil = append(f.KnownFrom, *since), append(f.KnownUntil, end)
	pic.Known.stretch(since)
	pic.Known.stretch(end)
}
