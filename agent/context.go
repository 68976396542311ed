package agent

import (
	"strings"
	"text/template"
	"time"
	"unicode/utf8"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/model"
)

// prompt is what the model is to see of a state.
type prompt struct {
	conversation model.Conversation
	tokens       int // of all of it
	fixed        int // of what eviction cannot make less: instructions, blocks, functions, summary
}

// compose puts a state into a prompt. retrieved is what the graph has on the
// turn; may be empty. Texts are cut where they alone take too much: a message
// to a third of the room, the summary to a quarter, an open document to an eighth.
func (a *Agent) compose(s *state, f *functions, retrieved string) prompt {
	settings := a.Settings.withDefaults()
	zone := settings.location()
	c := model.Conversation{
		Name: "agent_step", Version: instructionsVersion, System: a.system(s, settings, retrieved), Tools: f.tools, MaxTokens: settings.Answer,
	}
	p := prompt{fixed: messageTokens + countTokens(c.System) + f.tokens}
	if s.row.Summary != "" {
		summary := model.Message{Role: model.RoleUser, Text: packed(summaryTold{
			"summary", s.row.QueueStart - 1, s.row.LastSeq, cutToTokens(s.row.Summary, settings.room()/4, " …"),
		})}
		c.Messages = append(c.Messages, summary)
		p.fixed += countMessage(summary)
	}
	p.tokens = p.fixed
	for _, m := range s.queue {
		w, n := m.shown(zone, settings.room()/3)
		c.Messages = append(c.Messages, w)
		p.tokens += n
	}
	p.conversation = c
	return p
}

// summaryTold is the first message of the queue: what came before it.
type summaryTold struct {
	Type    string `json:"type"`
	Hidden  int64  `json:"hidden_messages"` // that are in recall storage only
	All     int64  `json:"all_messages"`
	Summary string `json:"message"`
}

const cutNote = " … [cut here; conversation_search finds the rest]"

// shown is a message of at most so many tokens, and how many it has.
func (m Message) shown(zone *time.Location, most int) (model.Message, int) {
	if m.tokens <= most {
		return m.wire(zone), m.tokens
	}
	short := m
	for room := most; ; room = room * 3 / 4 {
		short.Content, short.Thought = cutToTokens(m.Content, room, cutNote), cutToTokens(m.Thought, room/4, " …")
		if countTokens(m.Arguments) > room/2 {
			short.Arguments = packed(map[string]string{"cut": cutToTokens(m.Arguments, room/2, cutNote)})
		}
		w := short.wire(zone)
		if n := countMessage(w); n <= most || room < 8 {
			return w, n
		}
	}
}

// systemData is what the instructions are filled in with.
type systemData struct {
	Name, Instructions string
	Evicted, Passages  int64
	Blocks             []blockData
	Files              []File
	Open               []openData
	Retrieved          string
	FilesAllowed       bool
}

type blockData struct {
	Block
	Used int
}

type openData struct {
	Name        string
	First, Last int
	Text        string
}

func (a *Agent) system(s *state, settings Settings, retrieved string) string {
	d := systemData{
		Name: a.Name, Instructions: a.Instructions, Evicted: s.row.QueueStart - 1, Passages: s.row.Passages, Files: s.listed, Retrieved: retrieved,
	}
	for _, b := range s.blocks {
		d.Blocks = append(d.Blocks, blockData{b, utf8.RuneCountInString(b.Value)})
	}
	for _, f := range s.files {
		lines := strings.Split(f.Content, "\n")
		from, to := min(int(f.OpenFrom), len(lines)), min(int(f.OpenTo), len(lines))
		text := cutToTokens(strings.Join(lines[from:to], "\n"), settings.room()/(2*max(settings.OpenFiles, 4)), "\n… [cut here; open fewer lines]")
		d.Open = append(d.Open, openData{f.Name, from, to - 1, text})
	}
	var b strings.Builder
	if err := instructions.Execute(&b, d); err != nil {
		panic("agent: " + err.Error()) // typed data in a constant template
	}
	return strings.TrimSpace(b.String())
}

// instructionsVersion is raised with every change of the words.
const instructionsVersion = 1

var instructions = template.Must(template.New("instructions").Funcs(template.FuncMap{"data": data}).Parse(`You are {{data .Name}}, an agent with a memory that lasts. Your context is small; what does not fit is kept outside, where you find it again.

How you act
- You act by calling functions, one after another. The user reads nothing but what you send with send_message. Everything else you write is your inner monologue: keep it under 50 words.
- After a call you rest until something happens. Set request_heartbeat to true to go on at once, as after a search whose results you need. When a function fails you go on by itself, with the error before you.
- What you are told comes as JSON with a type: message is from the user; login, upload, alert, heartbeat and pressure are from the system.

How you remember
- Working context: the blocks below are always before you. Keep what matters of the user and of yourself there: core_memory_append, core_memory_replace, memory_replace, memory_insert and memory_rethink edit them, within their limits. When something stored is wrong or outdated, correct it at once.
- Recall storage: everything that was said, for ever. When you do not see what the user refers to, look for it with conversation_search or conversation_search_date, page by page, before you say that you do not know.
- Archive: texts without bounds. Keep there, with archival_memory_insert, what is worth knowing but does not belong into the blocks; look for it with archival_memory_search, page by page.
- Knowledge graph: memory_search tells what is known of people and things, memory_as_of what held at another time.
- When you are told that your context fills up (pressure), save what matters before old messages leave it.
{{- with .Instructions}}

Your instructions
{{.}}
{{- end}}

Memory
{{.Evicted}} earlier messages are in recall storage only; {{.Passages}} passages are in your archive.
{{- range .Blocks}}
<block label="{{data .Label}}" characters="{{.Used}} of {{.Limit}}"{{if .ReadOnly}} read_only="true"{{end}}{{with .Description}} description="{{data .}}"{{end}}>
{{data .Value}}
</block>
{{- end}}
{{- if .Files}}

Documents: {{range $i, $f := .Files}}{{if $i}}, {{end}}{{data $f.Name}} ({{$f.Lines}} lines){{end}}. Find places with archival_memory_search, semantic_search_files and grep_files; read with open_files.
{{- end}}
{{- range .Open}}
<document name="{{data .Name}}" lines="{{.First}} to {{.Last}}">
{{data .Text}}
</document>
{{- end}}
{{- with .Retrieved}}

What the knowledge graph has on this turn
<graph>
{{data .}}
</graph>
{{- end}}`))

// tags are those that the instructions write, which no text may close or open.
var tags = strings.NewReplacer("</block", "‹/block", "<block", "‹block", "</document", "‹/document", "<document", "‹document", "</graph", "‹/graph", "<graph", "‹graph")

func data(text string) string { return tags.Replace(text) }

// tooLarge is the error for a context whose fixed part alone is beyond the
// window.
func (p prompt) tooLarge(room int) error {
	return graph.Invalid("window", "leaves %d tokens, but instructions, blocks, functions and open documents take %d: shorten them, or give the agent a larger window",
		room, p.fixed)
}
