package mcp

import (
	"fmt"
	"strings"
	"time"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/fence"
)

// Answers in the short form hold what a model needs to go on: a line for each row, with the UUID
// that other tools take, and nothing twice. Stored text stands between tags that it cannot close.
// Notes in parentheses, on what has become of it, precede it.

// section puts lines between tags, below a title. Without lines it returns only the title.
func section(title, tag string, lines []string) string {
	if len(lines) == 0 {
		return title
	}
	if title != "" {
		title += "\n"
	}
	return title + "<" + tag + ">\n" + strings.Join(lines, "\n") + "\n</" + tag + ">"
}

// short formats rows in the short form. If rows come from several groups, each names its group.
type short struct {
	safe   fence.Fence
	groups bool
}

func shortOf(groups []string) short {
	several := false
	for _, group := range groups {
		several = several || group != groups[0]
	}
	return short{fence.New(), several}
}

func (s short) end(uuid, group string) string {
	if s.groups {
		return " [" + uuid + " in " + group + "]"
	}
	return " [" + uuid + "]"
}

func (s short) fact(f factView) string {
	return "- " + fence.Noted(s.safe.Said(f.Fact), f.When) + s.end(f.UUID, f.GroupID)
}

func (s short) node(n nodeView) string {
	line := "- " + s.safe.Name(n.Name)
	if len(n.Labels) > 0 {
		line += " (" + s.safe.Line(strings.Join(n.Labels, ", ")) + ")"
	}
	if n.Summary != "" {
		line += ": " + s.safe.Said(n.Summary)
	}
	return line + s.end(n.UUID, n.GroupID)
}

func (s short) episode(e episodeView) string {
	about := e.OccurredAt.UTC().Format("2006-01-02 15:04")
	for _, part := range []string{e.Name, e.Actor, e.SourceDescription} {
		if part != "" {
			about += ", " + s.safe.Name(part)
		}
	}
	if e.Saga != "" {
		about += ", saga " + s.safe.Name(e.Saga)
	}
	if e.State != string(graph.StateDone) {
		about += ", " + e.State
	}
	if e.Error != "" {
		about += " (" + s.safe.Line(e.Error) + ")"
	}
	return "- " + fence.Noted(about, e.Note) + s.end(e.UUID, e.GroupID) + "\n  " +
		strings.ReplaceAll(fence.Opening(fence.WithoutNotes(s.safe.Text(e.Content))), "\n", "\n  ")
}

// saidFacts formats facts. Facts with the same sentence also show their predicate and target.
func saidFacts(title string, facts []factView) string {
	s := shortOf(each.Of(facts, func(f factView) string { return f.GroupID }))
	alike := map[string]int{}
	for _, f := range facts {
		alike[f.Fact]++
	}
	return section(title, "FACTS", each.Of(facts, func(f factView) string {
		if alike[f.Fact] > 1 {
			f.When += "; " + s.safe.Name(f.Name+" "+f.TargetNodeName)
		}
		return s.fact(f)
	}))
}

func saidNodes(title string, nodes []nodeView) string {
	s := shortOf(each.Of(nodes, func(n nodeView) string { return n.GroupID }))
	return section(title, "ENTITIES", each.Of(nodes, s.node))
}

// unless returns the title only if the list is empty.
func unless[V any](rows []V, title string) string {
	if len(rows) > 0 {
		return ""
	}
	return title
}

// also appends to a title what a search went without.
func also(title, without string) string {
	if title == "" || without == "" {
		return title + without
	}
	return title + ". " + without
}

func (o outcome) say() string       { return o.Message }
func (o contextOutput) say() string { return o.Context }
func (o factsOutput) say() string {
	return saidFacts(also(unless(o.Facts, o.Message), o.Without), o.Facts)
}

func (o nodesOutput) say() string {
	return saidNodes(also(unless(o.Nodes, o.Message), o.Without), o.Nodes)
}

func (o asOfOutput) say() string {
	title := "As of " + o.AsOf.Format(time.RFC3339)
	if o.KnownAt != nil {
		title += ", as known at " + o.KnownAt.Format(time.RFC3339)
	}
	if len(o.Facts) == 0 {
		title += ": " + o.Message
	}
	return saidFacts(also(title, o.Without), o.Facts)
}

func (o episodesOutput) say() string {
	s := shortOf(each.Of(o.Episodes, func(e episodeView) string { return e.GroupID }))
	return section(unless(o.Episodes, o.Message), "EPISODES", each.Of(o.Episodes, s.episode))
}

// say formats one fact with more detail than a search shows.
func (f factView) say() string {
	s := shortOf(nil)
	lines := []string{
		s.fact(f),
		"  " + f.Kind + " " + s.safe.Line(f.Name) + ": " + s.safe.Line(f.SourceNodeName) + s.end(f.SourceNodeUUID, "") +
			" -> " + s.safe.Line(f.TargetNodeName) + s.end(f.TargetNodeUUID, ""),
		"  " + bound("valid_at", f.ValidAt, f.ValidFrom) + "; " + bound("invalid_at", f.InvalidAt, f.ValidUntil),
		"  episodes: " + strings.Join(f.Episodes, ", "),
	}
	return section("", "FACTS", lines)
}

func bound(name string, at *time.Time, known boundView) string {
	if at == nil {
		return name + " not known"
	}
	return strings.TrimSpace(name + " " + at.Format(time.RFC3339) + " (" + strings.TrimSpace(known.Basis+" "+known.Precision) + ")")
}

func (o graphOutput) say() string {
	return saidFacts(saidNodes(o.Message, o.Nodes), o.Edges)
}

func (o addMemoryOutput) say() string { return o.Message + " [" + o.UUID + "]" }

func (o timelineOutput) say() string {
	safe := fence.New()
	lines := each.Of(o.Changes, func(c changeView) string {
		return "- " + fence.Noted(safe.Said(c.Words), c.When, c.Note) + " [" + c.FactUUID + "]"
	})
	return section(o.Message, "CHANGES", lines)
}

func (o statusOutput) say() string {
	if o.Status != "ok" {
		return "Memory does not work: " + o.Message
	}
	e := o.Episodes
	return fmt.Sprintf("Memory works. Episodes of group %s: %d wait, %d are being read, %d are done, %d failed.", o.GroupID, e.Pending, e.Processing, e.Done, e.Failed)
}

func (o communitiesOutput) say() string {
	safe := fence.New()
	lines := each.Of(o.Communities, func(c communityView) string {
		return "- " + safe.Name(c.Name) + ": " + safe.Said(c.Summary) + " [" + c.UUID + "]"
	})
	return section(o.Message, "COMMUNITIES", lines)
}

func (o sagaOutput) say() string {
	safe := fence.New()
	return section(o.Message, "SUMMARY", []string{safe.Text(o.Summary)})
}

func (o groupsView) say() string {
	safe := fence.New()
	lines := each.Of(o.Groups, func(g annals.Group) string {
		line := "- " + g.ID
		if g.Name != "" {
			line += ": " + safe.Line(g.Name)
		}
		return line
	})
	if o.More {
		lines = append(lines, "There are more; the list of resources has all of them.")
	}
	return section(unless(o.Groups, "There are no memories yet."), "GROUPS", lines)
}

func (o groupView) say() string {
	counts := make([]string, 0, len(o.Episodes))
	for _, state := range []graph.State{graph.StatePending, graph.StateProcessing, graph.StateDone, graph.StateFailed} {
		counts = append(counts, fmt.Sprintf("%d %s", o.Episodes[state], state))
	}
	return saidNodes("Group "+o.ID+". Episodes: "+strings.Join(counts, ", "), o.Entities)
}

func (o entitiesView) say() string {
	return saidNodes(unless(o.Entities, "No entities yet"), o.Entities)
}

func (o portraitView) say() string {
	return saidFacts(saidNodes("", []nodeView{o.Entity}), o.Facts)
}
