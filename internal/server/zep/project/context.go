package project

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/service"
)

const (
	maxTemplate   = 1200 // characters
	contextTokens = 4000 // of a context block
)

// The limits on the rows of each kind in a context block.
const (
	contextFacts    = 20
	contextEntities = 10
	contextEpisodes = 10
	contextThreads  = 5
)

// userBlock, factBlock, entityBlock and episodeBlock are the parts of a context block. Text in them cannot
// close their tags. Notes in parentheses, on what has become of it, precede it.
const (
	userBlock = "# This is a high-level summary of the user\n<USER_SUMMARY>\n" + userLines + "</USER_SUMMARY>"
	userLines = "{{range .Entities}}{{if .Summary}}{{.Name}}: {{.Summary}}{{else}}{{.Name}}{{end}}\n{{end}}"

	factBlock = "# These are the most relevant facts and their valid date ranges\n# format: FACT (Date range: from - to)\n<FACTS>\n" + factLines + "</FACTS>"
	factLines = `{{range .Facts}}  - {{if .Caveat}}({{.Caveat}}) {{end}}{{.Fact}} (Date range: {{if .Event}}{{.Dates}}{{else}}{{if .From.IsZero}}date unknown{{else}}{{date .From}}{{end}} - {{if .Until.IsZero}}present{{else}}{{date .Until}}{{end}}{{end}})` + "\n{{end}}"

	entityBlock = "# These are the most relevant entities\n# format: NAME [labels]: summary\n<ENTITIES>\n" + entityLines + "</ENTITIES>"
	entityLines = `{{range .Entities}}  - {{.Name}}{{if .Labels}} [{{range $i, $l := .Labels}}{{if $i}}, {{end}}{{$l}}{{end}}]{{end}}{{if .Summary}}: {{.Summary}}{{end}}` + "\n{{end}}"

	episodeBlock = "# These are the most relevant episodes\n<EPISODES>\n" + episodeLines + "</EPISODES>"
	episodeLines = `{{range .Episodes}}  - {{if .Notes}}({{.Notes}}) {{end}}{{if .Speaker}}{{.Speaker}}{{if .Role}} ({{.Role}}){{end}}: {{end}}{{oneLine .Content}} ({{date .OccurredAt}})` + "\n{{end}}"

	attributeLines = `{{range .Facts}}{{if .Attributes}}  - {{.Predicate}} {{.Attributes}}` + "\n{{end}}{{end}}" +
		`{{range .Entities}}{{if .Attributes}}  - {{.Name}} {{.Attributes}}` + "\n{{end}}{{end}}"

	contextHead = "FACTS, ENTITIES and EPISODES represent relevant context to the current conversation.\n\n"
)

// About returns the current subject of the thread: the text of its latest messages.
func (t Thread) About(latest int) (string, error) {
	episodes, err := t.Client.Episodes(t.Ctx(), annals.EpisodeFilter{GroupID: t.ID, ThreadID: t.Place.ID, Source: graph.SourceMessage, Limit: latest})
	said := each.Of(episodes, func(e annals.Episode) string { return e.Content })
	return clipped(strings.Join(said, "\n"), maxQuery), err
}

// clipped returns the first characters of a text, up to the end of a word.
func clipped(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	text = string(runes[:most])
	if end := strings.LastIndexFunc(text, unicode.IsSpace); end > 0 && !unicode.IsSpace(runes[most]) {
		return text[:end]
	}
	return text
}

// Block returns a context block in the default form with what is known about a text. It asks no model, except
// for the vector of the text.
func (m Memory) Block(about string) (string, error) {
	found, err := m.search(annals.Query{
		GroupID: m.ID, Text: about, Conversation: true, Limit: contextFacts, IncludeEnded: true, Former: true, Changes: true,
		Scopes: []graph.Kind{graph.KindFact, graph.KindEntity, graph.KindEpisode},
	})
	if err != nil {
		return "", err
	}
	summary, err := m.userSummary(found.Entities, userBlock, "")
	if err != nil {
		return "", err
	}
	found.Entities = found.Entities[:min(len(found.Entities), contextEntities)]
	found.Episodes = found.Episodes[:min(len(found.Episodes), contextEpisodes)]
	text, err := annals.Construction{
		Tokens: contextTokens, Template: factBlock + "\n\n" + entityBlock + "\n\n" + episodeBlock + "\n",
	}.Construct(found)
	if err != nil {
		return "", err
	}
	head := contextHead
	for _, part := range []string{m.Call.Without, summary} {
		if part != "" {
			head += part + "\n\n"
		}
	}
	return head + text, nil
}

// userSummary returns the part about the user of the memory, formatted by the template form; empty if the group
// has no user. The user's entity may be among found. within is the text that the part goes into.
func (m Memory) userSummary(found []annals.EntityHit, form, within string) (string, error) {
	user, err := m.Service.User(m.Ctx(), m.ID)
	if missing(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	hit, err := m.userEntity(m.Call.nameOf(user), found)
	if err != nil {
		return "", err
	}
	return annals.Construction{Template: form, Within: within}.Construct(annals.Result{Entities: []annals.EntityHit{hit}})
}

// userEntity returns the node of the user, who has a name, with notes on what no longer holds.
func (m Memory) userEntity(name string, found []annals.EntityHit) (annals.EntityHit, error) {
	if i := slices.IndexFunc(found, func(h annals.EntityHit) bool { return m.isUser(h.Entity) }); i >= 0 {
		return found[i], nil
	}
	entity, err := m.userNode(name)
	if err != nil {
		return annals.EntityHit{Entity: annals.Entity{Name: name}}, nil
	}
	own, err := m.annotated(service.Rows{Entities: []annals.Entity{entity}})
	if err != nil {
		return annals.EntityHit{}, err
	}
	return own.Entities[0], nil
}

// variable matches a placeholder in a template, such as %{edges limit=10 types=[WORKS_AT,KNOWS]}.
var variable = regexp.MustCompile(`%\{\s*(\w+)((?:\s+\w+=(?:\[[^\]]*\]|[^\s}]+))*)\s*\}`)

var parameter = regexp.MustCompile(`(\w+)=(\[[^\]]*\]|[^\s}]+)`)

// blank is a parsed placeholder.
type blank struct {
	name       string
	limit      int
	types      []string
	attributes bool
}

// blanks maps the names of placeholders to their default limits.
var blanks = map[string]int{
	"edges": contextFacts, "entities": contextEntities, "episodes": contextEpisodes, "thread_summaries": contextThreads,
	"user_summary": 1, "observations": 1,
}

// parseBlank parses a placeholder.
func parseBlank(match []string) (blank, error) {
	limit, ok := blanks[match[1]]
	if !ok {
		return blank{}, graph.Invalid("template", "%%{%s} is not one of edges, entities, episodes, thread_summaries, user_summary", match[1])
	}
	b := blank{name: match[1], limit: limit}
	for _, p := range parameter.FindAllStringSubmatch(match[2], -1) {
		switch p[1] {
		case "limit":
			n, err := strconv.Atoi(p[2])
			if err != nil || n < 1 || n > 1000 {
				return b, graph.Invalid("template", "limit=%s is not 1 to 1000", p[2])
			}
			b.limit = n
		case "types":
			for one := range strings.SplitSeq(strings.Trim(p[2], "[]"), ",") {
				b.types = append(b.types, strings.Trim(strings.TrimSpace(one), `"'`))
			}
		case "include_attributes":
			b.attributes = p[2] == "true"
		default:
			return b, graph.Invalid("template", "%s is not one of limit, types, include_attributes", p[1])
		}
	}
	return b, nil
}

// CheckTemplate returns an error if a template cannot be filled in.
func CheckTemplate(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return graph.Invalid("template", "is empty")
	case len([]rune(text)) > maxTemplate:
		return graph.Invalid("template", "has %d characters; the limit is %d", len([]rune(text)), maxTemplate)
	}
	for _, match := range variable.FindAllStringSubmatch(text, -1) {
		if _, err := parseBlank(match); err != nil {
			return err
		}
	}
	return nil
}

// Filled fills a template in with what is known about the text of a query, by its filters and its recency. The
// rest of the template stays as it is, and inserted text cannot close tags in it.
func (m Memory) Filled(in Query, template string) (string, error) {
	var failure error
	text := variable.ReplaceAllStringFunc(template, func(match string) string {
		b, err := parseBlank(variable.FindStringSubmatch(match))
		if err != nil || failure != nil {
			failure = cmp.Or(failure, err)
			return ""
		}
		part, err := m.fill(in, template, b)
		failure = cmp.Or(failure, err)
		return strings.TrimRight(part, "\n")
	})
	return text, failure
}

func (m Memory) fill(in Query, template string, b blank) (string, error) {
	q := annals.Query{
		GroupID: m.ID, Text: in.Query, Conversation: true, Limit: b.limit, IncludeEnded: true, Former: true, Changes: true,
		Filter: in.Filters.Filter, Recency: in.Recency,
	}
	some := true
	var form string
	switch b.name {
	case "user_summary":
		return m.userSummary(nil, userLines, template)
	case "edges":
		q.Scopes, form = []graph.Kind{graph.KindFact}, factLines
		q.Filter.Predicates, some = both(q.Filter.Predicates, b.types)
	case "entities":
		q.Scopes, form = []graph.Kind{graph.KindEntity}, entityLines
		q.Filter.Labels, some = both(q.Filter.Labels, labelled(b.types))
	case "episodes":
		q.Scopes, form = []graph.Kind{graph.KindEpisode}, episodeLines
	case "thread_summaries":
		return m.threadLines(b.limit, template)
	default:
		return "", nil
	}
	if !some {
		return "", nil
	}
	found, _, err := m.best(q, in.Filters)
	if err != nil {
		return "", err
	}
	upTo(&found, b.limit)
	if b.attributes {
		form += attributeLines
	}
	return annals.Construction{Template: form, Within: template}.Construct(found)
}

// both returns what two lists of names have in common, of which an empty one has all; false: nothing.
func both(a, b []string) ([]string, bool) {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...), true
	}
	common := slices.DeleteFunc(slices.Clone(a), func(name string) bool { return !slices.Contains(b, name) })
	return common, len(common) > 0
}

// threadLines lists the summaries of the latest threads that have one.
func (m Memory) threadLines(limit int, template string) (string, error) {
	threads, err := m.summarised(limit)
	if err != nil {
		return "", err
	}
	return summaryLines(threads, template, func(t annals.Thread) (string, string) { return t.ID, t.Summary })
}

// summaryLines formats summaries like entities. within is the text that they go into.
func summaryLines[Row any](rows []Row, within string, of func(Row) (name, summary string)) (string, error) {
	return annals.Construction{Template: entityLines, Within: within}.Construct(annals.Result{Entities: each.Of(rows, func(row Row) annals.EntityHit {
		name, summary := of(row)
		return annals.EntityHit{Entity: annals.Entity{Name: name, Summary: summary}}
	})})
}

// ForTask returns a context that begins with the skills for a task, and the skills that it shows. most is the
// limit in characters; 0: only the limit on contexts. cut reports that more was left out because of most.
func (m Memory) ForTask(task string, most int) (text string, shown []annals.Skill, cut bool, err error) {
	skills, err := m.Client.Skills(m.Ctx(), annals.SkillFilter{GroupID: m.ID, Task: task})
	if err != nil {
		return "", nil, false, err
	}
	as := annals.Construction{Tokens: contextTokens, Citations: true}
	found, err := m.search(as.For(annals.Query{GroupID: m.ID, Text: task}))
	if err != nil {
		return "", nil, false, err
	}
	for as.Tokens > 0 {
		text, err = as.WithSkills(skills, func(rest annals.Construction) (string, error) { return rest.Construct(found) })
		if cut && annals.CodeOf(err) == annals.CodeInvalid { // not even an empty context fits
			return "", nil, true, nil
		}
		if err != nil || most == 0 || utf8.RuneCountInString(text) <= most {
			break
		}
		cut = true
		as.Tokens = as.Tokens * 3 / 4
	}
	for _, s := range skills {
		if strings.Contains(text, "["+s.ID.String()+"]") {
			shown = append(shown, s)
		}
	}
	return text, shown, cut, err
}
