package construct_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/retrieval"
	"github.com/annalsdb/annals/retrieval/construct"
	"github.com/annalsdb/annals/temporal"
)

// said is a message of a conversation.
func said(id byte, thread, actor, content string, at time.Time) retrieval.EpisodeHit {
	return retrieval.EpisodeHit{Episode: graph.Episode{ID: uuid.UUID{15: id}, ThreadID: thread, Actor: actor, Content: content, OccurredAt: at}}
}

// stated is a fact of a message.
func stated(source, sentence string, valid temporal.Validity, by byte) retrieval.FactHit {
	return retrieval.FactHit{Fact: graph.Fact{
		ID: uuid.UUID{14: 1, 15: by}, Source: source, Fact: sentence, Valid: valid, Episodes: []uuid.UUID{{15: by}},
	}}
}

// section lists the lines of a part of a context.
func section(text, name string) []string {
	_, rest, _ := strings.Cut(text, "<"+name+">\n")
	lines, _, found := strings.Cut(rest, "</"+name+">")
	if !found {
		return nil
	}
	return strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
}

// shows constructs a context and compares some of its sections.
func shows(t *testing.T, c construct.Construction, r retrieval.Result, want map[string][]string) {
	t.Helper()
	text, err := c.Construct(r)
	if err != nil {
		t.Fatal(err)
	}
	for name, lines := range want {
		if diff := cmp.Diff(lines, section(text, name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", name, diff, text)
		}
	}
}

var march = time.Date(2024, 3, 15, 9, 30, 0, 0, time.UTC)

// A fact is shown whatever messages say. A message is left out if facts say all of it. It stays if
// it says more, or if not all of the facts fit.
func TestFactsAreShownBesideMessages(t *testing.T) {
	t.Parallel()
	r := retrieval.Result{
		Asked: "Where does Ann live?",
		Facts: []retrieval.FactHit{
			stated("Ann", "Ann lives in Porto.", temporal.SaidSince(march), 2),
			stated("Ann", "Ann lives near the river Douro.", temporal.SaidSince(march), 3),
		},
		Episodes: []retrieval.EpisodeHit{
			said(1, "a", "Ann", "It rains where I live.", march),
			said(2, "a", "Ann", "I live in Porto!", march.Add(time.Minute)),
			said(3, "a", "Ann", "I live near the river Douro, above a bakery.", march.Add(2*time.Minute)),
		},
	}
	facts := []string{"- (known since 15 March 2024) Ann lives in Porto.", "- (known since 15 March 2024) Ann lives near the river Douro."}
	for _, c := range []construct.Construction{{}, {Tokens: 500}} {
		shows(t, c, r, map[string][]string{"FACTS": facts, "EPISODES": {
			"2024-03-15 09:30:", "- Ann: It rains where I live.", "- Ann: I live near the river Douro, above a bakery.",
		}})
	}
	shows(t, construct.Construction{Tokens: 500, Hits: 2}, r, map[string][]string{
		"FACTS": facts[:1], "EPISODES": {"2024-03-15 09:30:", "- Ann: It rains where I live."},
	})
	if text, _ := (construct.Construction{Template: "{{range .Facts}}{{.Line}}\n{{end}}"}).Construct(r); strings.Count(text, "\n") != len(r.Facts) {
		t.Errorf("a template of one's own has not all facts:\n%s", text)
	}
}

// Words are compared by letters, not by bytes: Rome is not Riga.
func TestMessagesOfOtherScriptsAreNotMistaken(t *testing.T) {
	t.Parallel()
	r := retrieval.Result{
		Facts: []retrieval.FactHit{
			stated("Анна", "Анна живёт в Риме.", temporal.SaidSince(march), 1),
			stated("Анна", "Анна рисует акварели.", temporal.SaidSince(march), 1),
		},
		Episodes: []retrieval.EpisodeHit{said(1, "a", "Анна", "Я живу в Риге и рисую акварелью.", march)},
	}
	shows(t, construct.Construction{}, r, map[string][]string{"EPISODES": {"2024-03-15 09:30:", "- Анна: Я живу в Риге и рисую акварелью."}})
}

// A sentence that dates one of its facts is shown once, with that time, and a second time if
// another of its facts has ended.
func TestOneSentenceIsShownOnce(t *testing.T) {
	t.Parallel()
	statement := uuid.UUID{1}
	of := func(valid temporal.Validity) retrieval.FactHit {
		f := stated("Ann", "Ann's grandmother Hana turned 90 on Sunday.", valid, 9)
		f.StatementID = statement
		return f
	}
	ended := held(date(2024, 3, 10), date(2024, 4, 1))
	r := retrieval.Result{Facts: []retrieval.FactHit{of(temporal.SaidSince(march)), of(held(date(2024, 3, 10), time.Time{})), of(ended)}}
	shows(t, construct.Construction{}, r, map[string][]string{"FACTS": {
		"- (since 10 March 2024) Ann's grandmother Hana turned 90 on Sunday.",
		"- (from 10 March 2024 until 1 April 2024) Ann's grandmother Hana turned 90 on Sunday.",
	}})
}

// A context of a past time shows nothing that was said later, and no summary of the present.
func TestAContextOfThePast(t *testing.T) {
	t.Parallel()
	r := retrieval.Result{
		ValidAt: march, AsOf: march,
		Facts:       []retrieval.FactHit{stated("Anna", "Anna lives in Rome.", held(date(2024, 3, 1), time.Time{}), 9)},
		Episodes:    []retrieval.EpisodeHit{said(1, "a", "Anna", "It rains.", march), said(2, "a", "Anna", "I live in Riga.", march.Add(time.Second))},
		Entities:    []retrieval.EntityHit{{Entity: graph.Entity{Name: "Anna", Summary: "Anna lives in Riga now."}}},
		Communities: []retrieval.CommunityHit{{Community: graph.Community{Name: "Riga", Summary: "Who lives in Riga."}}},
	}
	for _, template := range []string{"", "{{range .Entities}}{{.Line}}{{end}}{{range .Communities}}{{.Line}}{{end}}{{range .Episodes}}{{.Line}}{{end}}"} {
		text, err := construct.Construction{Template: template}.Construct(r)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "Riga") || !strings.Contains(text, "It rains.") {
			t.Errorf("in March it shows\n%s", text)
		}
	}
	if len(r.Episodes) != 2 || len(r.Entities) != 1 {
		t.Error("what was found has changed")
	}
	r.Facts, r.Episodes = nil, r.Episodes[1:]
	text, err := construct.Construction{}.Construct(r)
	if err != nil || !strings.Contains(text, "Nothing is known about this.") {
		t.Errorf("of nothing of that time it shows %v\n%s", err, text)
	}
}

// Messages of two groups are not shown as one conversation.
func TestGroupsAreReadApart(t *testing.T) {
	t.Parallel()
	ours, theirs := said(1, "a", "Ann", "Shall we sell?", march), said(2, "a", "Ben", "Yes.", march.Add(time.Minute))
	ours.GroupID, theirs.GroupID = "ours", "theirs"
	shows(t, construct.Construction{}, retrieval.Result{Episodes: []retrieval.EpisodeHit{ours, theirs}}, map[string][]string{"EPISODES": {
		"2024-03-15 09:30:", "- Ann: Shall we sell?", "2024-03-15 09:31:", "- Ben: Yes.",
	}})
}

// Messages are in the order of time, below the time of the first of their conversation within an
// hour.
func TestEpisodesAreReadByTime(t *testing.T) {
	t.Parallel()
	taken := said(5, "a", "Ann", "On second thoughts, no.", march.Add(2*time.Hour))
	taken.TakenBack = graph.TakenBackWhole
	r := retrieval.Result{Episodes: []retrieval.EpisodeHit{
		said(4, "b", "Cem", "Rex barks.", march.Add(time.Second)),
		said(3, "a", "Ben", "Congratulations!", march.Add(2*time.Minute)),
		said(1, "a", "Ann", "I have a dog.", march),
		taken,
		said(2, "", "", "A note.", date(2023, 1, 2)),
	}}
	shows(t, construct.Construction{}, r, map[string][]string{"EPISODES": {
		"2023-01-02:", "- A note.",
		"2024-03-15 09:30:", "- Ann: I have a dog.", "- Ben: Congratulations!",
		"2024-03-15 09:30:", "- Cem: Rex barks.",
		"2024-03-15 11:30:", "- (taken back) Ann: On second thoughts, no.",
	}})
	shows(t, construct.Construction{Words: true, Hits: 1}, r, map[string][]string{"EPISODES": {"15 March 2024, 09:30:", "- Cem: Rex barks."}})
}

// A short message is shown once, below the question that it answers.
func TestAnswersStandBelowTheirQuestion(t *testing.T) {
	t.Parallel()
	question := said(1, "a", "Ben", "I painted the kitchen. When did you move? I forgot.", march).Episode
	answer := said(2, "a", "Ann", "Last week.", march.Add(time.Minute))
	answer.ReplyTo = &question
	r := retrieval.Result{Episodes: []retrieval.EpisodeHit{answer}}
	both := []string{"2024-03-15 09:30:", "- Ben: … When did you move? …", "- Ann: Last week."}
	shows(t, construct.Construction{}, r, map[string][]string{"EPISODES": both})
	text, err := construct.Construction{}.Construct(r)
	if err != nil {
		t.Fatal(err)
	}
	shows(t, construct.Construction{Tokens: tokensIn(t, text)}, r, map[string][]string{"EPISODES": both})
	shows(t, construct.Construction{Tokens: tokensIn(t, text) - 1}, r, map[string][]string{"EPISODES": nil})
	for _, order := range [][]retrieval.EpisodeHit{{answer, {Episode: question}}, {{Episode: question}, answer}} {
		r.Episodes = order
		shows(t, construct.Construction{Tokens: 300}, r, map[string][]string{"EPISODES": {
			"2024-03-15 09:30:", "- Ben: I painted the kitchen. When did you move? I forgot.", "- Ann: Last week.",
		}})
	}
	r.Episodes = []retrieval.EpisodeHit{answer}
	text, err = construct.Construction{Citations: true}.Construct(r)
	if _, id, ok := r.Cited(text[strings.Index(text, "… [e:")+len("… "):][:len("[e:00000000-0000-0000-0000-000000000001]")]); err != nil || !ok || id != question.ID {
		t.Errorf("the question is not cited (%v):\n%s", err, text)
	}
}

// Facts about the entities of the question come before those about others. Facts that only mention
// these entities come behind their own.
func TestFactsOfWhomTheQuestionNamesComeFirst(t *testing.T) {
	t.Parallel()
	known := temporal.SaidSince(march)
	r := retrieval.Result{
		Asked: "Where does Ann's horse live?",
		Facts: []retrieval.FactHit{
			stated("Ben", "Ben lives in Oslo.", known, 1), stated("Cem", "Cem lives with Ann.", known, 2), stated("Ann", "Ann lives in Porto.", known, 3),
			stated("Ben", "Ben has a horse.", known, 4), stated("Annabel", "Annabel lives in Rome.", known, 5),
		},
		Entities: []retrieval.EntityHit{{Entity: graph.Entity{Name: "Ann", Labels: []string{"Person"}}}},
	}
	want := []string{
		"- (known since 15 March 2024) Cem lives with Ann.", "- (known since 15 March 2024) Ann lives in Porto.",
		"- (known since 15 March 2024) Ben lives in Oslo.", "- (known since 15 March 2024) Ben has a horse.", "- (known since 15 March 2024) Annabel lives in Rome.",
	}
	shows(t, construct.Construction{}, r, map[string][]string{"FACTS": want})
	shows(t, construct.Construction{Hits: 2}, r, map[string][]string{"FACTS": want[:2]})
	r.Entities = nil // the name is known by its capital, as the source of a fact
	shows(t, construct.Construction{}, r, map[string][]string{"FACTS": want})
	r.Asked = "Where does everybody live?"
	shows(t, construct.Construction{Hits: 1}, r, map[string][]string{"FACTS": {"- (known since 15 March 2024) Ben lives in Oslo."}})
}

// Summaries are cut to the sentences that have words of the question and that no fact says.
func TestSummariesAreCutToWhatIsAsked(t *testing.T) {
	t.Parallel()
	r := retrieval.Result{
		Asked: "What does Ann paint?",
		Facts: []retrieval.FactHit{stated("Ann", "Ann paints horses.", temporal.SaidSince(march), 1)},
		Entities: []retrieval.EntityHit{
			{Entity: graph.Entity{Name: "Ann", Labels: []string{"Person"}, Summary: "Ann lives in Porto. Ann paints horses. Ann's paintings are large."}},
			{Entity: graph.Entity{Name: "Porto", Summary: "Ann lives in Porto."}},
			{Entity: graph.Entity{Name: "horses", Summary: "Ann paints horses."}},
			{Entity: graph.Entity{Name: "Ben"}},
		},
		Communities: []retrieval.CommunityHit{
			{Community: graph.Community{Name: "Porto", Summary: "People of Porto."}},
			{Community: graph.Community{Name: "Painters", Summary: "They paint."}},
		},
	}
	shows(t, construct.Construction{}, r, map[string][]string{
		"ENTITIES": {"- Ann: Ann's paintings are large. …"}, "COMMUNITIES": {"- Painters: They paint."},
	})
	r.Asked = "Who is Ann?"
	shows(t, construct.Construction{}, r, map[string][]string{
		"ENTITIES": {"- Ann: Ann lives in Porto. Ann's paintings are large. …"}, "COMMUNITIES": nil,
	})
	r.Asked = "画廊在哪里"
	r.Entities = []retrieval.EntityHit{{Entity: graph.Entity{Name: "安", Summary: "安拥有一家画廊。安喜欢茶。"}}}
	shows(t, construct.Construction{}, r, map[string][]string{"ENTITIES": {"- 安: 安拥有一家画廊。 …"}})
}

// A text that says almost the same as a better one comes last.
func TestAlmostTheSameComesLast(t *testing.T) {
	t.Parallel()
	r := retrieval.Result{Episodes: []retrieval.EpisodeHit{
		said(1, "a", "Ann", "I went to the dentist in Porto today.", date(2024, 1, 1)),
		said(2, "b", "Ann", "Today I went to the dentist in Porto!", date(2024, 2, 1)),
		said(3, "c", "Ann", "I went to Braga.", date(2024, 3, 1)),
	}}
	shows(t, construct.Construction{Hits: 2}, r, map[string][]string{"EPISODES": {
		"2024-01-01:", "- Ann: I went to the dentist in Porto today.", "2024-03-01:", "- Ann: I went to Braga.",
	}})
	if text := shown(r); strings.Count(text, "dentist") != 2 {
		t.Errorf("a message is lost:\n%s", text)
	}
}

// The context says that nothing is known if nothing was found, or if nothing that was found bears
// on the question; but not if only the budget is too small.
func TestNothingIsKnown(t *testing.T) {
	t.Parallel()
	const nothing = "Nothing is known about this.\n"
	other := retrieval.Result{Asked: "blood type", Entities: []retrieval.EntityHit{{Entity: graph.Entity{Name: "Porto", Summary: "Ann lives in Porto."}}}}
	for _, r := range []retrieval.Result{{}, {Asked: "zzzqqq"}, other} {
		for _, c := range []construct.Construction{{}, {Tokens: 10}, {Citations: true, Tokens: 500}} {
			if text, err := c.Construct(r); err != nil || text != nothing {
				t.Errorf("%q, %v", text, err)
			}
		}
	}
	if text, err := (construct.Construction{Tokens: 20}).Construct(lisbon()); err != nil || strings.Contains(text, "Nothing") {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := (construct.Construction{Template: "{{if .Nothing}}none{{end}}"}).Construct(retrieval.Result{}); err != nil || text != "none" {
		t.Errorf("%q, %v", text, err)
	}
}

// Without a limit, a search looks for as many hits as the budget may have room for.
func TestBudgetSaysHowMuchIsLookedFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		construction construct.Construction
		asked, want  int
	}{
		{construct.Construction{}, 0, 0},
		{construct.Construction{Tokens: 100}, 0, 10},
		{construct.Construction{Tokens: 600}, 0, 50},
		{construct.Construction{Tokens: 60_000}, 0, 100},
		{construct.Construction{Tokens: 600}, 7, 7},
		{construct.Construction{Tokens: 600, Template: "x"}, 0, 0},
	} {
		if got := tt.construction.For(retrieval.Query{Limit: tt.asked}); got.Limit != tt.want || got.Replies != (tt.construction.Template == "") {
			t.Errorf("%+v: limit %d, replies %t", tt.construction, got.Limit, got.Replies)
		}
	}
}
