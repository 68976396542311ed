package agent

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
)

const (
	maxOpenLines  = 200 // lines of one file in the context
	grepPage      = 20
	maxGrepAround = 10
	maxGrepLine   = 300 // bytes
)

type openArguments struct {
	Files []openFile `json:"file_requests" jsonschema:"what to open; files that were opened longest ago are closed for them"`
	Close bool       `json:"close_all_others,omitempty" jsonschema:"close every other file"`
}

type openFile struct {
	Name   string `json:"file_name" jsonschema:"name of an attached document"`
	Offset int    `json:"offset,omitempty" jsonschema:"the first line to see, from 0"`
	Length int    `json:"length,omitempty" jsonschema:"how many lines to see, at most 200, which is the default"`
}

type grepArguments struct {
	Pattern string `json:"pattern" jsonschema:"a regular expression (RE2)"`
	Include string `json:"include,omitempty" jsonschema:"only in this document; empty: in all"`
	Offset  int    `json:"offset,omitempty" jsonschema:"how many matches to skip; 20 are shown"`
	Context int    `json:"context_lines,omitempty" jsonschema:"how many lines around a match are shown, at most 10"`
}

type semanticArguments struct {
	Query string `json:"query" jsonschema:"what to look for"`
	Limit int    `json:"limit,omitempty" jsonschema:"results at the most, 1 to 20; 5 is the default"`
}

func fileFunctions() []function {
	return []function{
		define("open_files", "Shows lines of attached documents in your context until they are closed.", openFiles),
		reads("grep_files", "Searches attached documents line by line for a regular expression.", grepFiles),
		reads("semantic_search_files", "Searches attached documents by meaning.", semanticSearch),
	}
}

func openFiles(_ context.Context, t *turn, a openArguments) (effect, error) {
	if len(a.Files) == 0 && !a.Close || len(a.Files) > t.settings.OpenFiles {
		return nil, graph.Invalid("file_requests", "are %d; open 1 to %d", len(a.Files), t.settings.OpenFiles)
	}
	return func(ctx context.Context, w *writing) (string, error) {
		var opened []string
		var rows []db.AgentFileOpenParams
		for _, f := range a.Files { // a call that fails opens and closes nothing
			row, line, err := w.opening(ctx, t, f)
			if err != nil {
				return "", err
			}
			rows, opened = append(rows, row), append(opened, line)
		}
		if a.Close {
			if _, err := w.closeFiles(ctx, 0); err != nil {
				return "", err
			}
		}
		for _, row := range rows {
			if err := w.q.AgentFileOpen(ctx, row); err != nil {
				return "", fmt.Errorf("open %s: %w", row.Name, err)
			}
		}
		closed, err := w.closeFiles(ctx, t.settings.OpenFiles)
		if err != nil {
			return "", err
		}
		if len(closed) > 0 {
			opened = append(opened, "closed "+strings.Join(closed, ", "))
		}
		return strings.Join(opened, "\n"), nil
	}, nil
}

// closeFiles closes the documents that were opened longest ago, except for some, and returns their names.
func (w *writing) closeFiles(ctx context.Context, keep int) ([]string, error) {
	closed, err := w.q.AgentFilesClose(ctx, db.AgentFilesCloseParams{GroupID: w.groupID, AgentID: w.agent.ID, Keep: int32(keep)})
	if err != nil {
		return nil, fmt.Errorf("close the documents: %w", err)
	}
	return closed, nil
}

// opening returns the row of a document to open, and what the model is told of it.
func (w *writing) opening(ctx context.Context, t *turn, f openFile) (row db.AgentFileOpenParams, line string, err error) {
	file, err := t.agent.file(ctx, w.q, f.Name)
	if err != nil {
		return row, "", err
	}
	length := cmp.Or(f.Length, maxOpenLines)
	if f.Offset < 0 || f.Offset >= max(int(file.Lines), 1) {
		return row, "", graph.Invalid("offset", "is %d; %s has %s, the first is 0", f.Offset, f.Name, each.Count(file.Lines, "line"))
	}
	if length < 1 || length > maxOpenLines {
		return row, "", graph.Invalid("length", "is %d; it must be 1 to %d", length, maxOpenLines)
	}
	to := min(f.Offset+length, int(file.Lines))
	row = db.AgentFileOpenParams{GroupID: w.groupID, AgentID: t.agent.ID, Name: f.Name, OpenFrom: int32(f.Offset), OpenTo: int32(to)}
	return row, fmt.Sprintf("opened %s, lines %d to %d of %d", f.Name, f.Offset, to-1, file.Lines), nil
}

func grepFiles(ctx context.Context, t *turn, a grepArguments) (string, error) {
	pattern, err := regexp.Compile("(?i)" + a.Pattern)
	if err != nil || a.Pattern == "" {
		return "", graph.Invalid("pattern", "%q is no regular expression as RE2 has them", a.Pattern)
	}
	if a.Offset < 0 || a.Context < 0 || a.Context > maxGrepAround {
		return "", graph.Invalid("context_lines", "must be 0 to %d, and offset not negative", maxGrepAround)
	}
	files, err := t.agent.Files(ctx)
	if err != nil {
		return "", err
	}
	g := grep{pattern: pattern, skip: a.Offset, around: a.Context}
	for _, f := range files {
		if a.Include != "" && f.Name != a.Include {
			continue
		}
		text, err := t.agent.FileText(ctx, f.Name)
		if err != nil {
			return "", err
		}
		g.file(f.Name, text)
	}
	return g.shown(), nil
}

// grep collects matching lines.
type grep struct {
	pattern *regexp.Regexp
	skip    int
	around  int
	found   int
	lines   []string
}

func (g *grep) file(name, text string) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !g.pattern.MatchString(line) {
			continue
		}
		if g.found++; g.found <= g.skip || g.found > g.skip+grepPage {
			continue
		}
		for at := max(0, i-g.around); at <= min(len(lines)-1, i+g.around); at++ {
			mark := "-"
			if at == i {
				mark = ":"
			}
			g.lines = append(g.lines, fmt.Sprintf("%s%s%d%s %s", name, mark, at, mark, shortened(lines[at])))
		}
	}
}

func (g *grep) shown() string {
	if g.found == 0 {
		return "Nothing matches."
	}
	if len(g.lines) == 0 {
		return fmt.Sprintf("Only %d found; offset %d is beyond that.", g.found, g.skip)
	}
	return fmt.Sprintf("Matches %d to %d of %d:\n%s", g.skip, min(g.skip+grepPage, g.found)-1, g.found, strings.Join(g.lines, "\n"))
}

func shortened(line string) string {
	if len(line) <= maxGrepLine {
		return line
	}
	return strings.ToValidUTF8(line[:maxGrepLine], "") + " …"
}

func semanticSearch(ctx context.Context, t *turn, a semanticArguments) (string, error) {
	if a.Limit == 0 {
		a.Limit = pageSize
	}
	if a.Limit < 1 || a.Limit > grepPage {
		return "", graph.Invalid("limit", "is %d; it must be 1 to %d", a.Limit, grepPage)
	}
	passages, total, err := t.agent.SearchArchive(ctx, PassageQuery{Text: a.Query, FilesOnly: true, Limit: a.Limit})
	if err != nil {
		return "", err
	}
	return t.page(each.Of(passages, func(p Passage) string {
		return fence.Noted(fmt.Sprintf("%s, lines %d to %d: %s", fence.Plain(p.File), p.FirstLine, p.LastLine, t.excerpt(p.Content)), p.Note)
	}), 0, total), nil
}
