package annals_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/clienttest"
	"github.com/annalsdb/annals/internal/service"
)

// deciding is a memory in which Alice lives in Lisbon, with waiting messages that contradict that.
type deciding struct {
	t      *testing.T
	client *annals.Client
	s      *service.Service
	group  string
	facts  map[string]uuid.UUID // by place
	mails  []uuid.UUID
}

// mailed adds waiting messages of March, April and so on, each from its own source: a, b and so on.
func mailed(t *testing.T, client *annals.Client, words ...string) *deciding {
	d := &deciding{t: t, client: client, s: service.New(client), group: uuid.NewString(), facts: map[string]uuid.UUID{}}
	say(t, client, annals.Episode{GroupID: d.group, Actor: "Alice", Content: "I live in Lisbon.", OccurredAt: time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)})
	d.do("withhold a b")
	for i, w := range words {
		d.mails = append(d.mails, say(t, client, annals.Episode{
			GroupID: d.group, Actor: "Alice", Content: w, SourceDescription: string(rune('a' + i)), OccurredAt: time.Date(2024, time.Month(3+i), 1, 0, 0, 0, 0, time.UTC),
		}))
	}
	d.read()
	return d
}

// read reads the present facts, and lists their places.
func (d *deciding) read() (places []string) {
	facts, err := d.client.Facts(d.t.Context(), annals.FactFilter{GroupID: d.group, Trust: graph.TrustAll})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, f := range facts {
		places, d.facts[f.Target] = append(places, f.Target), f.ID
	}
	return places
}

// do makes the decision in a line: an operation, and sources or places.
func (d *deciding) do(line string) {
	d.t.Helper()
	ctx, words := d.t.Context(), strings.Fields(line)
	var err error
	switch words[0] {
	case "withhold":
		err = d.s.SetTrustPolicy(ctx, d.group, graph.TrustPolicy{Sources: words[1:]})
	case "release", "hold":
		r := service.Release{Hold: words[0] == "hold", All: len(words) == 1}
		for _, w := range words[1:] {
			r.EpisodeIDs = append(r.EpisodeIDs, d.mails[w[0]-'a'])
		}
		_, err = d.s.Release(ctx, d.group, r)
	case "approve", "leave":
		_, err = d.s.Confirm(ctx, d.group, d.named(words[1:]), words[0] == "approve")
	case "reject":
		_, err = d.s.Decide(ctx, service.ReviewDecision{GroupID: d.group, Do: "reject", FactIDs: d.named(words[1:])})
	case "restore":
		_, err = d.client.RestoreFact(ctx, d.group, d.facts[words[1]])
	case "correct":
		_, err = d.client.EditFact(ctx, d.group, d.facts[words[1]], annals.FactEdit{Fact: new("Alice has her home in " + words[1] + ".")})
	case "say", "late", "bot": // late: before all others; bot: by an assistant
		said := annals.Episode{GroupID: d.group, Actor: "Alice", Content: line[len(words[0])+1:], OccurredAt: time.Date(2024, 9, 1+len(d.mails), 0, 0, 0, 0, time.UTC)}
		switch words[0] {
		case "late":
			said.OccurredAt = said.OccurredAt.AddDate(0, -2, 0)
		case "bot":
			said.Actor, said.Role = "Bot", "assistant"
		}
		d.mails = append(d.mails, say(d.t, d.client, said))
		d.read()
	case "undo":
		_, err = d.client.Undo(ctx, d.group, d.mails[words[1][0]-'a'])
		d.read() // a restored fact may be another one
	case "rebuild":
		_, err = d.s.Rebuild(ctx, d.group, true)
	default:
		d.t.Fatalf("what is %q?", line)
	}
	if err != nil {
		d.t.Fatalf("%s: %v", line, err)
	}
}

func (d *deciding) named(places []string) (ids []uuid.UUID) {
	for _, p := range places {
		ids = append(ids, d.facts[p])
	}
	return ids
}

// homes returns where she is believed to live, in order of time.
func (d *deciding) homes() string {
	d.t.Helper()
	list, err := d.client.Facts(d.t.Context(), annals.FactFilter{GroupID: d.group})
	if err != nil {
		d.t.Fatal(err)
	}
	var all []string
	for _, f := range list {
		home := f.Target + " from " + f.Valid.Start.Format(time.DateOnly)
		if !f.Valid.Ongoing() {
			home += " until " + f.Valid.End.Format(time.DateOnly)
		}
		if f.Trust != graph.TrustBelieved {
			home += " " + string(f.Trust)
		}
		all = append(all, home)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// Waiting messages are approved and left, released and put back, alone or together, in any order
// and repeatedly. A fact ends what it contradicts exactly as long as it is believed. Rebuilding the
// graph gives the same.
func TestApprovingSeveralAndLeavingThem(t *testing.T) {
	t.Parallel()
	client, _ := clienttest.New(t)
	moved := []string{"I moved to Porto.", "I moved to Rome."}
	since := []string{"I have lived in Porto since 1 March 2024.", "I have lived in Rome since 1 April 2024."}
	early := []string{"I have lived in Rome since 1 April 2024.", "I have lived in Porto since 1 March 2024."} // the later one was said first
	whole := []string{"I have lived in Porto since 1 January 2023."}
	both := []string{"I have lived in Rome since 1 April 2024.", "I have lived in Porto since 1 January 2023."}
	one := []string{"I have lived in Rome since 1 April 2024.", "I have lived in Porto since 1 April 2024."} // of the same day
	late := []string{"I have lived in Rome since 1 April 2024.", "I have lived in Porto since 1 March 2024.", "I have lived in Oslo since 1 February 2024."}
	twice := []string{"I moved to Porto.", "I live in Porto."}
	const (
		lisbon = "Lisbon from 2023-01-01"
		porto  = "Lisbon from 2023-01-01 until 2024-03-01, Porto from 2024-03-01"
		again  = "Lisbon from 2023-01-01 until 2024-04-01, Porto from 2024-04-01"
		rome   = "Lisbon from 2023-01-01 until 2024-04-01, Rome from 2024-04-01"
		beside = ", tea from 2024-09-03"
		all    = "Lisbon from 2023-01-01 until 2024-03-01, Porto from 2024-03-01 until 2024-04-01, Rome from 2024-04-01"
	)
	for name, test := range map[string]struct {
		words []string
		steps []string // after "=": where she lives then
	}{
		"released together":          {moved, []string{"release", "=" + all, "hold", "=" + lisbon, "release", "=" + all}},
		"approved together":          {moved, []string{"approve Porto Rome", "=" + all, "leave Porto Rome", "=" + lisbon}},
		"left one by one":            {since, []string{"approve Porto Rome", "=" + all, "leave Porto", "=" + rome, "leave Rome", "=" + lisbon}},
		"left the other way round":   {since, []string{"approve Porto Rome", "=" + all, "leave Rome", "=" + porto, "leave Porto", "=" + lisbon}},
		"left, the later said first": {early, []string{"approve Porto Rome", "=" + all, "leave Rome Porto", "=" + lisbon}},
		"left and rejected":          {moved, []string{"approve Porto Rome", "leave Porto", "=" + rome, "reject Rome", "=" + lisbon}},
		"undone and rejected":        {moved, []string{"approve Porto Rome", "undo a", "=" + rome, "reject Rome", "=" + lisbon}},

		"by two, the release first":     {moved[:1], []string{"release", "approve Porto", "hold", "=" + porto, "leave Porto", "=" + lisbon}},
		"by two, the approval first":    {moved[:1], []string{"approve Porto", "release", "leave Porto", "=" + porto, "hold", "=" + lisbon}},
		"by two messages":               {twice, []string{"release a", "release b", "hold a", "=" + "Lisbon from 2023-01-01 until 2024-03-01, Porto from 2024-03-01", "hold b", "=" + lisbon}},
		"whole by two, released first":  {whole, []string{"release", "approve Porto", "hold", "leave Porto", "=" + lisbon}},
		"whole by two, approved first":  {whole, []string{"approve Porto", "release", "leave Porto", "hold", "=" + lisbon}},
		"whole, released twice between": {whole, []string{"release", "approve Porto", "hold", "release", "hold", "leave Porto", "=" + lisbon}},

		"of one day, the second":    {one, []string{"reject Rome", "release b", "=" + again}},
		"of one day, the first":     {one, []string{"reject Porto", "release a", "=" + rome}},
		"of one day, both":          {one, []string{"release", "=" + again, "hold", "=" + lisbon}},
		"of one day, one approved":  {one, []string{"approve Rome", "=" + rome, "release", "=" + rome, "leave Rome", "=" + again, "hold", "=" + lisbon}},
		"of one day, both approved": {one, []string{"approve Rome Porto", "=" + again, "leave Rome Porto", "=" + lisbon}},
		"of one day, rebuilt":       {one, []string{"approve Rome", "approve Porto", "=" + again, "rebuild", "leave Porto", "=" + rome}},
		"of one day, restored":      {one, []string{"release", "reject Porto", "=" + rome, "restore Porto", "=" + again}},
		"of one day, undone":        {one, []string{"release", "undo b", "=" + rome, "reject Rome", "=" + lisbon}},
		"of one day, corrected":     {one, []string{"release", "correct Porto", "reject Porto", "=" + rome}},
		"ended, brought back, and another undone": {one, []string{
			"withhold b", "approve Porto", "=" + again, "say I like tea.", "reject Porto", "=" + rome + beside, "undo c", "=" + rome,
		}},
		"disputed by one that is back": {[]string{one[0], "I have lived in Oslo since 1 May 2024."}, []string{
			"withhold b", "say " + one[1], "=" + again, "undo c", "=" + rome, "approve Oslo",
			"=" + "Lisbon from 2023-01-01 until 2024-04-01, Oslo from 2024-05-01, Rome from 2024-04-01 until 2024-05-01",
		}},
		"ended by one, and by another when that was undone": {one, []string{
			"withhold b", "say I have lived in Oslo since 1 April 2024.", "approve Porto", "=" + again, "undo c", "=" + again, "reject Porto", "=" + rome,
		}},
		"ended by one, by another, and read after it": {one[1:], []string{
			"say " + one[0], "say I have lived in Oslo since 1 April 2024.", "approve Porto", "undo c", "=" + again, "reject Porto", "=" + rome,
		}},
		"of one day, before another, and one undone": {one, []string{
			"say I have lived in Oslo since 1 May 2024.", "withhold", "undo b",
			"=Lisbon from 2023-01-01 until 2024-04-01, Oslo from 2024-05-01, Rome from 2024-04-01 until 2024-05-01",
		}},
		"approved after another one": {one[1:], []string{
			"say I have lived in Oslo since 1 May 2024.", "approve Porto",
			"=Lisbon from 2023-01-01 until 2024-04-01, Oslo from 2024-05-01, Porto from 2024-04-01 until 2024-05-01",
		}},
		"approved before another one": {one[1:], []string{
			"approve Porto", "say I have lived in Oslo since 1 May 2024.", "=Lisbon from 2023-01-01 until 2024-04-01, Oslo from 2024-05-01, Porto from 2024-04-01 until 2024-05-01",
		}},
		"approved beside others, and one undone": {one, []string{
			"withhold b", "say I have lived in Oslo since 1 May 2024.", "approve Porto", "undo a",
			"=Lisbon from 2023-01-01 until 2024-04-01, Oslo from 2024-05-01, Porto from 2024-04-01 until 2024-05-01",
		}},
		"lost as it was read": {nil, []string{"say " + one[0], "late " + one[1], "=" + rome, "reject Rome", "=" + again}},
		"two lost as they were read": {nil, []string{
			"say " + one[0], "late " + one[1], "late I have lived in Oslo since 1 April 2024.", "reject Rome",
			"=Lisbon from 2023-01-01 until 2024-04-01, Oslo from 2024-04-01",
		}},
		"lost twice in the same words":     {nil, []string{"say " + one[0], "late " + one[1], "late " + one[1], "reject Rome", "=" + again}},
		"lost, undone, and not back":       {nil, []string{"say " + one[0], "late " + one[1], "undo a", "=" + again, "say " + one[0], "undo b", "reject Rome", "=" + lisbon}},
		"displaced as it was read":         {nil, []string{"say " + one[0], "late I moved to Porto.", "=" + rome, "reject Rome", "=Lisbon from 2023-01-01 until 2024-07-02, Porto from 2024-07-02"}},
		"approved where another displaces": {moved[:1], []string{"say I have lived in Rome since 1 February 2024.", "approve Porto", "=Lisbon from 2023-01-01 until 2024-02-01, Rome from 2024-02-01"}},
		"an assistant's word comes back": {nil, []string{
			"bot Alice has lived in Rome since 1 April 2024.", "say " + one[1], "=" + again, "reject Porto", "=" + lisbon + ", Rome from 2024-04-01 disputed",
		}},
		"an assistant's word comes back by an undo": {nil, []string{
			"bot Alice has lived in Rome since 1 April 2024.", "say " + one[1], "undo b", "=" + lisbon + ", Rome from 2024-04-01 disputed",
		}},
		"said again by who is believed": {one[1:], []string{"=" + lisbon, "say " + one[1], "=" + again}},
		"disputed by what is left": {one[1:], []string{
			"approve Porto", "say I have lived in Oslo since 1 May 2024.", "leave Porto", "=Lisbon from 2023-01-01 until 2024-05-01, Oslo from 2024-05-01",
		}},
		"disputed by what is rejected": {one[1:], []string{
			"approve Porto", "say I have lived in Oslo since 1 May 2024.", "reject Porto", "=Lisbon from 2023-01-01 until 2024-05-01, Oslo from 2024-05-01",
		}},
		"restored beside what came since": {nil, []string{
			"say " + since[0], "reject Porto", "say " + since[1], "restore Porto", "=" + all,
		}},
		"approved, and the other released": {since, []string{"approve Porto", "release b", "=" + all, "hold b", "=" + porto}},
		"approved twice, and one undone": {one, []string{
			"approve Porto", "approve Rome", "=" + rome, "undo a", "=" + again, "say I have lived in Oslo since 1 April 2024.", "leave Porto",
			"=Lisbon from 2023-01-01 until 2024-04-01, Oslo from 2024-04-01",
		}},
		"withheld while another holds": {since, []string{"approve Rome", "withhold b", "=" + all, "withhold a", "=" + rome}},
		"another fact of the message": {one[:1], []string{
			"withhold", "say " + one[1] + " I like tea.", "=" + again + ", tea from 2024-09-02", "reject tea", "=" + again,
		}},
		"rejected, and one undone": {late, []string{"release", "reject Rome", "undo b", "=" + "Lisbon from 2023-01-01 until 2024-02-01, Oslo from 2024-02-01"}},

		"a policy believes one":     {moved, []string{"withhold b", "=" + porto, "withhold a b", "=" + lisbon}},
		"a policy believes other":   {moved, []string{"withhold a", "=" + rome, "withhold a b", "=" + lisbon}},
		"a policy believes all":     {moved, []string{"withhold", "=" + all, "withhold a b", "=" + lisbon, "withhold a", "=" + rome}},
		"a policy and an approval":  {moved, []string{"withhold b", "approve Rome", "=" + all, "withhold a b", "=" + rome, "leave Rome", "=" + lisbon}},
		"a policy leaves no time":   {whole, []string{"withhold", "withhold a", "=" + lisbon}},
		"a policy of the other":     {both, []string{"withhold a", "=Porto from 2023-01-01", "withhold b", "=" + rome, "withhold a b", "=" + lisbon}},
		"a policy as it was before": {moved, []string{"withhold", "withhold b", "=" + porto}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := mailed(t, client, test.words...)
			did := []string{}
			for _, step := range append(test.steps, "rebuild", test.steps[len(test.steps)-1]) {
				want, look := strings.CutPrefix(step, "=")
				if !look {
					did = append(did, step)
					d.do(step)
				} else if got := d.homes(); got != want {
					t.Errorf("after %q, she lives in %s; want %s", did, got, want)
				}
			}
		})
	}
}
