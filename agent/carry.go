package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/db"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
)

const exportFormat = 1

// carried is an exported agent. It has no conversations: those move with the group, by
// [annals.Client.Export].
type carried struct {
	Format       int               `json:"annals_agent"`
	Name         string            `json:"name"`
	Instructions string            `json:"instructions"`
	Settings     Settings          `json:"settings"`
	Summary      string            `json:"summary,omitempty"` // of its past, for people to read
	Blocks       []carriedBlock    `json:"blocks"`
	Documents    []carriedDocument `json:"documents"`
	Passages     []carriedPassage  `json:"passages"`
}

type carriedBlock struct {
	Label       string `json:"label"`
	Description string `json:"description"`
	Value       string `json:"value"`
	Limit       int    `json:"limit"`
	ReadOnly    bool   `json:"read_only"`
}

type carriedDocument struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

type carriedPassage struct {
	Content string   `json:"content"`
	Tags    []string `json:"tags"`
}

// Export writes the agent as JSON: instructions, settings, blocks, documents and archive.
// Conversations are not part of it; they move with the group, by [annals.Client.Export].
func (a *Agent) Export(ctx context.Context, w io.Writer) error {
	c := carried{Format: exportFormat, Name: a.Name, Instructions: a.Instructions, Settings: a.Settings, Summary: a.Summary}
	blocks, err := a.Blocks(ctx)
	if err != nil {
		return err
	}
	for _, b := range blocks {
		c.Blocks = append(c.Blocks, carriedBlock{b.Label, b.Description, b.Value, b.Limit, b.ReadOnly})
	}
	files, err := a.Files(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := a.FileText(ctx, f.Name)
		if err != nil {
			return err
		}
		c.Documents = append(c.Documents, carriedDocument{f.Name, text})
	}
	if c.Passages, err = a.allPassages(ctx); err != nil {
		return err
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(c); err != nil {
		return fmt.Errorf("write the agent %s: %w", a.Name, err)
	}
	return nil
}

func (a *Agent) allPassages(ctx context.Context) ([]carriedPassage, error) {
	var all []carriedPassage
	filter := annals.EpisodeFilter{GroupID: a.GroupID, ThreadID: archiveThread(a.ID), Trust: graph.TrustAll, Limit: annals.MaxRows}
	for {
		page, err := a.client().Episodes(ctx, filter)
		if err != nil {
			return nil, err
		}
		for _, e := range page {
			p := carriedPassage{Content: e.Content}
			if err := json.Unmarshal(e.Metadata, &p); err != nil {
				return nil, fmt.Errorf("read the tags of a passage: %w", err)
			}
			p.Content = e.Content
			all = append(all, p)
		}
		if len(page) < annals.MaxRows {
			return all, nil
		}
		filter.After = &page[len(page)-1]
	}
}

// Import creates an agent from an export. name, if not empty, replaces its name.
func (s *Agents) Import(ctx context.Context, groupID, name string, r io.Reader) (*Agent, error) {
	if _, err := s.List(ctx, groupID, "", 1); err != nil { // checks that the group may be used at all
		return nil, err
	}
	var c carried
	if err := json.NewDecoder(r).Decode(&c); err != nil || c.Format < 1 {
		return nil, graph.Invalid("import", "this is no exported agent")
	}
	if c.Format > exportFormat {
		return nil, graph.Invalid("import", "the file is in version %d of the format, this program reads up to %d", c.Format, exportFormat)
	}
	if name != "" {
		c.Name = name
	}
	blocks := each.Of(c.Blocks, func(b carriedBlock) Block {
		return Block{Label: b.Label, Description: b.Description, Value: b.Value, Limit: b.Limit, ReadOnly: b.ReadOnly}
	})
	a, err := s.Create(ctx, Spec{GroupID: groupID, Name: c.Name, Instructions: c.Instructions, Settings: c.Settings, Blocks: blocks})
	if err != nil {
		return nil, err
	}
	for _, d := range c.Documents {
		if _, err := a.Attach(ctx, d.Name, d.Text); err != nil {
			return nil, err
		}
	}
	for i := len(c.Passages) - 1; i >= 0; i-- {
		if err := a.Archive(ctx, c.Passages[i].Content, c.Passages[i].Tags...); err != nil {
			return nil, err
		}
	}
	return s.Open(ctx, groupID, a.ID.String())
}

// Archive stores a passage in the archive, as the function archival_memory_insert does.
func (a *Agent) Archive(ctx context.Context, content string, tags ...string) error {
	t := &turn{agent: a, now: a.agents.options.Now()}
	kept, err := archive(ctx, t, archiveArguments{Content: content, Tags: tags})
	if err != nil {
		return err
	}
	return a.change(ctx, -1, func(w *writing) error {
		if _, err := kept(ctx, w); err != nil {
			return err
		}
		return w.q.AgentConsolidated(ctx, db.AgentConsolidatedParams{GroupID: a.GroupID, ID: a.ID, Added: w.passages})
	})
}
