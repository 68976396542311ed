package prompts_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/annalsdb/annals/internal/dates"
	"github.com/annalsdb/annals/prompts"
)

// example is a worked example in a system text.
type example struct{ input, answer string }

var (
	worked     = regexp.MustCompile(`(?ms)^Example \d+\n(.*?)\nAnswer:\n(.*?)\n(?:\n|\z)`)
	listed     = regexp.MustCompile(`(?m)^(\d+): `)
	numbered   = regexp.MustCompile(`number="(\d+)"`)
	speakers   = regexp.MustCompile(`<(?:message|document|json)\b[^>]*?(?:speaker|author)="([^"]+)"`)
	sizes      = regexp.MustCompile(`size="(\d+) bytes`)
	candidates = regexp.MustCompile(`(?s)<entity number="(\d+)".*?</entity>`)
	choices    = regexp.MustCompile(`(?m)^(\d+): .*\n +may repeat: ([\d, none]+); may contradict: ([\d, none]+)$`)
	predicates = regexp.MustCompile(`^[A-Z]+(_[A-Z]+)*$`)
)

func examplesOf(t *testing.T, system string) []example {
	t.Helper()
	var found []example
	for _, m := range worked.FindAllStringSubmatch(system, -1) {
		found = append(found, example{input: m[1], answer: m[2]})
	}
	if n := strings.Count(system, "\nAnswer:\n"); n < 2 || n != len(found) {
		t.Fatalf("%d of %d worked examples can be read; there must be two at least", len(found), n)
	}
	return found
}

// decode reads an answer strictly. Encoding it again must give the same text: every field present,
// in the schema's order.
func decode[T any](t *testing.T, answer string) T {
	t.Helper()
	var v T
	d := json.NewDecoder(strings.NewReader(answer))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in the answer %s", err, answer)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	if again := strings.TrimSpace(b.String()); again != answer {
		t.Errorf("an answer does not have every field once and in order:\n got %s\nwant %s", answer, again)
	}
	return v
}

// checked decodes an example's answer as T and checks it against its question.
func checked[T any](check func(*testing.T, string, T)) func(*testing.T, example) {
	return func(t *testing.T, e example) {
		t.Helper()
		check(t, e.input, decode[T](t, e.answer))
	}
}

// Models copy examples more readily than they follow rules, mistakes included.
func TestWorkedExamples(t *testing.T) {
	t.Parallel()
	checks := map[string]func(*testing.T, example){
		"extract_entities":    checked(checkEntities),
		"review_entities":     checked(checkReview),
		"resolve_entities":    checked(checkEntityResolutions),
		"extract_facts":       checked(checkFacts),
		"resolve_facts":       checked(checkFactResolutions),
		"extract_dates":       checked(checkDates),
		"summarise_entities":  checked(checkEntitySummaries),
		"summarise_members":   checked(checkSummary),
		"combine_summaries":   checked(checkSummary),
		"name_community":      checked(checkName),
		"summarise_thread":    checked(checkThread),
		"rerank":              checked(checkRerank),
		"agent_advice":        checked(checkAdvice),
		"answer_question":     checked(checkAnswer),
		"derive_observations": checked(checkObservations),
		"word_skill":          checked(checkWordedSkill),
		"consolidate_blocks":  checked(checkBlocks),
		"summarise_queue":     checked(checkQueueSummary),
	}
	for _, name := range prompts.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _ := prompts.Show(name)
			if p.Name == "agent_step" {
				t.Skip("it is no question: a conversation follows")
			}
			check := checks[p.Name]
			if check == nil {
				t.Fatalf("nothing checks the examples of %s", p.Name)
			}
			for _, e := range examplesOf(t, p.System) {
				check(t, e)
			}
		})
	}
}

func checkEntities(t *testing.T, input string, got prompts.ExtractedEntities) {
	if first := speakers.FindStringSubmatch(input); first != nil && got.Entities[0].Name != first[1] {
		t.Errorf("the first entity is %s, not the speaker %s", got.Entities[0].Name, first[1])
	}
	for _, e := range got.Entities {
		checkEntity(t, input, e)
	}
}

func checkEntity(t *testing.T, input string, e prompts.ExtractedEntity) {
	for word := range strings.FieldsSeq(strings.ReplaceAll(e.Name, "'s ", " ")) {
		if !strings.Contains(input, word) {
			t.Errorf("%s is not in the text", e.Name)
		}
	}
	if e.Label == "" {
		t.Errorf("%s has no label", e.Name)
	}
	places := idsOf(numbered, input)
	if len(e.Messages) > 0 != (len(places) > 0) {
		t.Errorf("%s stands in the messages %v of %v", e.Name, e.Messages, places)
	}
	checkAmong(t, places, e.Messages...)
	for _, a := range e.Attributes {
		if !strings.Contains(input, "attribute "+a.Name) {
			t.Errorf("the attribute %s of %s is not listed", a.Name, e.Name)
		}
	}
}

func checkReview(t *testing.T, input string, got prompts.ReviewedEntities) {
	for _, e := range got.Missed {
		checkEntity(t, input, e)
	}
	checkAmong(t, idsOf(listed, input), got.Invented...)
}

func checkEntityResolutions(t *testing.T, input string, got prompts.ResolvedEntities) {
	known := map[int][]int{}
	for _, m := range candidates.FindAllStringSubmatch(input, -1) {
		known[number(m[1])] = idsOf(listed, m[0])
	}
	if len(got.Resolutions) != len(known) {
		t.Errorf("%d resolutions for %d entities", len(got.Resolutions), len(known))
	}
	for _, r := range got.Resolutions {
		checkAmong(t, append(known[r.ID], 0), r.Candidate)
		if (r.Candidate == 0) != (r.Name == "") {
			t.Errorf("candidate %d is called %q", r.Candidate, r.Name)
		}
	}
}

func checkFacts(t *testing.T, input string, got prompts.ExtractedFacts) {
	for _, f := range got.Facts {
		checkAmong(t, idsOf(listed, input), f.Source, f.Target)
		if f.Source == f.Target || !predicates.MatchString(f.Predicate) || f.Ends != strings.HasPrefix(f.Predicate, "NO_LONGER_") {
			t.Errorf("%d %s %d (ends %t) is not a fact", f.Source, f.Predicate, f.Target, f.Ends)
		}
		if f.Kind != prompts.State && f.Kind != prompts.Event || f.Ends && f.Kind != prompts.Event {
			t.Errorf("%s is of the kind %q (ends %t)", f.Fact, f.Kind, f.Ends)
		}
		checkDate(t, input, f.ValidAt)
		if f.InvalidAt != prompts.BeforeNow {
			checkDate(t, input, f.InvalidAt)
		}
		checkAmong(t, append(idsOf(numbered, input), 0), f.Message)
	}
}

func checkFactResolutions(t *testing.T, input string, got prompts.ResolvedFacts) {
	questions := choices.FindAllStringSubmatch(input, -1)
	if len(got.Resolutions) != len(questions) {
		t.Fatalf("%d resolutions for %d new facts", len(got.Resolutions), len(questions))
	}
	for i, r := range got.Resolutions {
		if strconv.Itoa(r.ID) != questions[i][1] {
			t.Errorf("resolution %d is of the fact %d, not %s", i+1, r.ID, questions[i][1])
		}
		checkAmong(t, append(idsIn(questions[i][2]), 0), r.DuplicateOf)
		checkAmong(t, idsIn(questions[i][3]), r.Contradicts...)
		checkAmong(t, idsIn(questions[i][3]), r.Retracts...)
	}
}

func checkDates(t *testing.T, input string, got prompts.ExtractedDates) {
	checkDate(t, input, got.ValidAt)
	checkDate(t, input, got.InvalidAt)
}

// checkDate requires words of the text that the rules for dates can read.
func checkDate(t *testing.T, input, date string) {
	if date == "" {
		return
	}
	if !strings.Contains(input, date) {
		t.Errorf("the text does not hold the words %q", date)
	}
	if len(dates.Find(date, time.Date(2024, time.May, 13, 10, 0, 0, 0, time.UTC))) != 1 {
		t.Errorf("nobody can read the date %q", date)
	}
}

func checkEntitySummaries(t *testing.T, input string, got prompts.EntitySummaries) {
	limits := idsOf(sizes, input)
	if len(got.Summaries) != len(limits) {
		t.Fatalf("%d summaries of %d entities", len(got.Summaries), len(limits))
	}
	for i, s := range got.Summaries {
		if s.ID != idsOf(numbered, input)[i] {
			t.Errorf("summary %d is of the entity %d", i+1, s.ID)
		}
		checkLength(t, s.Summary, limits[i])
	}
}

func checkAdvice(t *testing.T, _ string, got prompts.Advice) { checkLength(t, got.Answer, 100) }

func checkQueueSummary(t *testing.T, _ string, got prompts.QueueSummary) {
	if n := len(strings.Fields(got.Summary)); n == 0 || n > 100 {
		t.Errorf("the summary has %d words: %s", n, got.Summary)
	}
}

var blocks = regexp.MustCompile(`<block label="(\w+)" characters="(\d+) of (\d+)">\n(.*)\n</block>`)

// checkBlocks requires existing blocks, changed and within their limits.
func checkBlocks(t *testing.T, input string, got prompts.ConsolidatedBlocks) {
	block := blocks.FindStringSubmatch(input)
	if used := len(block[4]); strconv.Itoa(used) != block[2] {
		t.Errorf("the block has %d characters, not %s", used, block[2])
	}
	for _, b := range got.Blocks {
		if b.Label != block[1] || b.Value == block[4] || len(b.Value) > number(block[3]) {
			t.Errorf("%+v is no change of %q", b, block)
		}
	}
}

func checkSummary(t *testing.T, input string, got prompts.Summary) {
	checkLength(t, got.Summary, idsOf(sizes, input)[0])
}

func checkThread(t *testing.T, input string, got prompts.ThreadSummary) {
	checkLength(t, got.Summary, idsOf(sizes, input)[0])
}

// checkRerank requires a score of every passage, in order.
func checkRerank(t *testing.T, input string, got prompts.RerankedPassages) {
	var ids []int
	for _, s := range got.Scores {
		ids = append(ids, s.ID)
		if s.Score < 0 || s.Score > prompts.MaxPassageScore {
			t.Errorf("the score of %d is %d", s.ID, s.Score)
		}
	}
	if known := idsOf(listed, input); !slices.Equal(ids, known) {
		t.Errorf("the scores are of %v, not of %v", ids, known)
	}
}

func checkAnswer(t *testing.T, input string, got prompts.AnsweredQuestion) {
	if got.Known != (len(got.Sentences) > 0) {
		t.Errorf("known is %t with %d sentences", got.Known, len(got.Sentences))
	}
	known := idsOf(listed, input)
	for _, s := range got.Sentences {
		checkAmong(t, known, s.Passages...)
	}
	for _, s := range got.Slots {
		checkAmong(t, known, s.Passages...)
		if !json.Valid([]byte(s.Value)) {
			t.Errorf("the value of %s is no JSON: %s", s.Name, s.Value)
		}
	}
}

func checkObservations(t *testing.T, input string, got prompts.DerivedObservations) {
	for _, o := range got.Observations {
		checkAmong(t, idsOf(listed, input), append(o.Facts, o.Against...)...)
		if len(o.Facts) < 2 || !predicates.MatchString(o.Predicate) {
			t.Errorf("%+v", o)
		}
		checkLength(t, o.Observation, prompts.MaxObservation)
	}
}

func checkWordedSkill(t *testing.T, input string, got prompts.WordedSkill) {
	if n := len(strings.Fields(got.Name)); n < 2 || n > 8 || len(got.Name) > prompts.MaxSkillName {
		t.Errorf("%q has %d words", got.Name, n)
	}
	checkLength(t, got.When, prompts.MaxSkillText)
	for _, p := range got.Pitfalls {
		checkAmong(t, idsOf(listed, input), p.ID)
		checkLength(t, p.Says, prompts.MaxSkillText)
	}
}

func checkLength(t *testing.T, summary string, limit int) {
	if summary == "" || len(summary) > limit {
		t.Errorf("a summary has %d bytes; the limit is %d: %s", len(summary), limit, summary)
	}
}

func checkName(t *testing.T, _ string, got prompts.CommunityName) {
	if n := len(strings.Fields(got.Name)); n < 2 || n > 6 {
		t.Errorf("%q has %d words", got.Name, n)
	}
}

func checkAmong(t *testing.T, known []int, ids ...int) {
	t.Helper()
	for _, id := range ids {
		if !slices.Contains(known, id) {
			t.Errorf("%d is none of %v", id, known)
		}
	}
}

func idsOf(pattern *regexp.Regexp, text string) []int {
	var ids []int
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		ids = append(ids, number(m[1]))
	}
	return ids
}

func idsIn(list string) []int { return idsOf(regexp.MustCompile(`(\d+)`), list) }

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}
