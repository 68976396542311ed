package acceptance_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/annalsdb/annals/engine/matching"
	"github.com/annalsdb/annals/model/modeltest"
	"github.com/annalsdb/annals/prompts"
)

// sentence is a statement that the scripted model understands, even disguised:
// it reads texts as matching.Fold does.
type sentence struct {
	says      *regexp.Regexp // of the folded text; names are its groups
	predicate string
	of        string // what of the speaker's it is about: "sister"
	target    string // $1 and so on
	fact      string // with the subject in the place of %
	ends      bool
}

// script lists the statements that it understands. Asked for further content of
// a text, it finds nothing.
var script = []sentence{
	{regexp.MustCompile(`\bi (?:live|moved) (?:in|to) (\w+)`), "LIVES_IN", "", "$1", "% lives in $1.", false},
	{regexp.MustCompile(`\b(?:nora) (?:lives|moved) (?:in|to) (\w+)`), "LIVES_IN", "", "$1", "Nora lives in $1.", false},
	{regexp.MustCompile(`\bi work at (\w+)`), "WORKS_AT", "", "$1", "% works at $1.", false},
	{regexp.MustCompile(`\bi (?:love|like) (\w+)`), "LIKES", "", "$1", "% likes $1.", false},
	{regexp.MustCompile(`\bi (?:can't stand|hate) (\w+)`), "DISLIKES", "", "$1", "% dislikes $1.", false},
	{regexp.MustCompile(`\bi am an (engineer) at (\w+)`), "WORKS_AS", "", "$1", "% works as an engineer.", false},
	{regexp.MustCompile(`\bi am an (engineer) at (\w+)`), "WORKS_AT", "", "$2", "% works at $2.", false},
	{regexp.MustCompile(`\bi was promoted to (manager)`), "WORKS_AS", "", "$1", "% works as a manager.", false},
	{regexp.MustCompile(`\bmy (sister) is a (doctor)`), "WORKS_AS", "sister", "$2", "%'s sister is a doctor.", false},
	{regexp.MustCompile(`\bi have been (vegetarian) for ten years`), "IS", "", "$1", "% has been vegetarian for ten years.", false},
	{regexp.MustCompile(`\bi stopped being (vegetarian) in 2024`), "NO_LONGER_IS", "", "$1", "% stopped being vegetarian in 2024.", true},
}

// dates holds the dates that a sentence states, by its predicate.
var dates = map[string][2]string{"IS": {"2014-03-01", ""}, "NO_LONGER_IS": {"2024-01-01", ""}}

var (
	speakerOf = regexp.MustCompile(`<(?:message|document|json)[^>]*(?:speaker|author)="([^"]*)"`)
	listed    = regexp.MustCompile(`(?m)^(\d+): (.*)$`)
	known     = regexp.MustCompile(`(?m)^(\d+): (.+?) ([A-Z_]+) (.+?): (.*)$`)
)

// current returns the part of a question to read, and its speaker.
func current(question string) (speaker, text string) {
	_, now, _ := strings.Cut(question, "The current")
	if m := speakerOf.FindStringSubmatch(now); m != nil {
		speaker = m[1]
	}
	_, text, _ = strings.Cut(now, ">\n")
	text, _, _ = strings.Cut(text, "\n</")
	return speaker, text
}

// understood returns the facts of a text, with the names of their ends.
func understood(speaker, text string) (names []string, facts []prompts.ExtractedFact, ends [][2]string) {
	folded := matching.Fold(lookalike.Replace(strings.Join(strings.Fields(text), " ")))
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(speaker)
	for _, s := range script {
		m := s.says.FindStringSubmatchIndex(folded)
		if m == nil {
			continue
		}
		subject := speaker
		if strings.HasPrefix(s.fact, "Nora") {
			subject = "Nora"
		}
		fill := func(form string) string {
			return string(s.says.ExpandString(nil, strings.ReplaceAll(form, "%", subject), folded, m))
		}
		target := fill(s.target)
		if s.predicate == "LIVES_IN" || s.predicate == "WORKS_AT" {
			target = strings.ToUpper(target[:1]) + target[1:]
		}
		fact := fill(s.fact)
		fact = strings.ReplaceAll(fact, strings.ToLower(target), target)
		if s.of != "" {
			subject += "'s " + s.of
		}
		add(subject)
		add(target)
		facts = append(facts, prompts.ExtractedFact{
			Predicate: s.predicate, Fact: fact, Ends: s.ends, ValidAt: dates[s.predicate][0], InvalidAt: dates[s.predicate][1],
		})
		ends = append(ends, [2]string{subject, target})
	}
	if strings.Contains(folded, "misspoke") {
		add(speaker + "'s sister")
	}
	return names, facts, ends
}

// lookalike maps letters of other scripts to those that a model reads.
var lookalike = strings.NewReplacer("е", "e", "ο", "o", "о", "o", "а", "a")

// answer is the scripted model.
func answer(r modeltest.Request) modeltest.Reply {
	speaker, text := current(r.User)
	switch r.Prompt {
	case "extract_entities":
		var out prompts.ExtractedEntities
		names, _, _ := understood(speaker, text)
		for _, name := range names {
			out.Entities = append(out.Entities, prompts.ExtractedEntity{Name: name})
		}
		return modeltest.Reply{JSON: out}
	case "extract_facts":
		_, facts, ends := understood(speaker, text)
		ids := map[string]int{}
		for _, m := range listed.FindAllStringSubmatch(r.User, -1) {
			name, _, _ := strings.Cut(m[2], " (")
			ids[strings.ToLower(name)], _ = strconv.Atoi(m[1])
		}
		out := prompts.ExtractedFacts{TakesBack: strings.Contains(strings.ToLower(text), "misspoke")}
		for i, f := range facts {
			f.Source, f.Target = ids[strings.ToLower(ends[i][0])], ids[strings.ToLower(ends[i][1])]
			if f.Source != 0 && f.Target != 0 {
				out.Facts = append(out.Facts, f)
			}
		}
		return modeltest.Reply{JSON: out}
	case "resolve_facts":
		return modeltest.Reply{JSON: resolved(r.User)}
	case "summarise_entities":
		return modeltest.Reply{JSON: prompts.EntitySummaries{}}
	}
	return modeltest.Reply{Text: nothing[r.Prompt]}
}

// nothing is the answer that finds nothing.
var nothing = map[string]string{
	"resolve_entities": `{"resolutions":[]}`, "extract_dates": `{"reason":"","valid_at":"","invalid_at":""}`,
	"summarise_thread": `{"summary":"They talked."}`, "summarise_members": `{"summary":"People and places."}`,
	"combine_summaries": `{"summary":"People and places."}`, "name_community": `{"name":"People and places"}`, "doctor": `{"ready":true}`,
}

// resolved compares new facts with known ones: a person has one home, one
// profession, and one feeling about a thing.
func resolved(question string) prompts.ResolvedFacts {
	_, existing, _ := strings.Cut(question, "<existing>")
	existing, _, _ = strings.Cut(existing, "</existing>")
	_, fresh, _ := strings.Cut(question, "<new>")
	before := known.FindAllStringSubmatch(existing, -1)
	var out prompts.ResolvedFacts
	for _, f := range known.FindAllStringSubmatch(fresh, -1) {
		id, _ := strconv.Atoi(f[1])
		r := prompts.FactResolution{ID: id, Contradicts: []int{}, Retracts: []int{}, Reason: "as the script says"}
		_, may, _ := strings.Cut(fresh, f[0])
		may, _, _ = strings.Cut(strings.TrimPrefix(may, "\n"), "\n")
		for _, k := range before {
			old, _ := strconv.Atoi(k[1])
			same := strings.EqualFold(k[2], f[2])
			switch {
			case !same:
			case k[3] == f[3] && strings.EqualFold(k[4], f[4]):
				if repeats, _, _ := strings.Cut(may, ";"); strings.Contains(repeats+",", " "+k[1]+",") {
					r.DuplicateOf = old
				}
			case k[3] == f[3] && (f[3] == "LIVES_IN" || f[3] == "WORKS_AS"), "NO_LONGER_"+k[3] == f[3],
				strings.EqualFold(k[4], f[4]) && (k[3] == "LIKES" && f[3] == "DISLIKES" || k[3] == "DISLIKES" && f[3] == "LIKES"):
				r.Contradicts = append(r.Contradicts, old)
			}
		}
		out.Resolutions = append(out.Resolutions, r)
	}
	if strings.Contains(question, "takes something back") {
		back := prompts.FactResolution{Reason: "there is no sister", Contradicts: []int{}, Retracts: []int{}}
		for _, k := range before {
			if strings.Contains(k[2], "sister") {
				old, _ := strconv.Atoi(k[1])
				back.Retracts = append(back.Retracts, old)
			}
		}
		if len(back.Retracts) > 0 {
			out.Resolutions = append(out.Resolutions, back)
		}
	}
	return out
}
