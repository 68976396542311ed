package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/each"
	"github.com/annalsdb/annals/internal/input"
	"github.com/annalsdb/annals/internal/skillfile"
)

func skillsCommand(a *app) *cobra.Command {
	cmd := calling(a.withMemory, &cobra.Command{
		Use:   "skills",
		Short: "List how tasks are done, as runs of agents have shown; find, show, approve, export",
		Long: `Lists procedures that worked in runs of agents, for as long as they did. With --task it
finds those for a task: of each skill that is like it the best one. 'annals skills
record' records runs, from which skills are learned as they are read. 'annals trust
set --skill-proof' says after how many successes a skill is confirmed.`,
		Example: `  annals skills --group ops
  annals skills --group ops --task "Deploy billing to staging"
  annals skills --group ops --as-of 2025-06-01 --include-ended`,
	}, func(ctx context.Context, s *session, _ *input.ListSkills, f annals.SkillFilter) ([]annals.Skill, error) {
		f.GroupID = s.group
		return s.Skills(ctx, f)
	}, skillList.show)
	cmd.AddCommand(skillsRecordCommand(a), skillsShowCommand(a), skillsHistoryCommand(a), skillsDiffCommand(a),
		skillsDecideCommand(a, "approve", "Approve skills: they are confirmed, whenever their procedure is learned"),
		skillsDecideCommand(a, "reject", "Reject skills: they are not shown, and stay rejected when they are learned again"),
		skillsDecideCommand(a, "leave", "Take back what was decided about skills"),
		skillsExportCommand(a), skillsImportCommand(a))
	return cmd
}

var skillList = listing[annals.Skill]{
	key: "skills", header: "ID\tSKILL\tSTATE\tWORKED\tRATE\tSINCE\tUNTIL",
	ids: func(s annals.Skill) []uuid.UUID { return []uuid.UUID{s.ID} },
	cells: func(s annals.Skill, short string) []string {
		return []string{
			short, brief(s.Name, 60), s.State, worked(s),
			fmt.Sprintf("%.0f–%.0f %%", 100*s.RateLow, 100*s.RateHigh), day(s.ValidAt), ended(s.InvalidAt, day),
		}
	},
}

// worked returns in how many runs a skill worked.
func worked(s annals.Skill) string {
	return fmt.Sprintf("%d of %d", s.Successes, s.Successes+s.Failures)
}

func skillsRecordCommand(a *app) *cobra.Command {
	return taking(a.withClient, &cobra.Command{
		Use:   "record FILE",
		Short: "Record runs of agents: JSON objects, one or many; - reads standard input",
		Long: `Records what agents did about tasks, and how that ended. The file holds JSON objects:

  {"task": "Deploy billing to staging", "outcome": "success", "judged_by": "test",
   "occurred_at": "2025-03-15T09:30:00Z", "external_id": "run-17",
   "environment": {"repository": "acme/billing", "helm": "3.14"},
   "steps": [{"tool": "shell", "arguments": {"command": "make test"}, "result": "ok"},
             {"tool": "shell", "arguments": {"command": "helm upgrade billing"}}]}

A run that failed has "outcome": "failure", and "error" at the step where it did. From
runs whose outcome is unknown nothing is learned. They are read at once.`,
		Example: `  annals skills record runs.jsonl --group ops`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) error {
		file := s.stdin
		if s.args[0] != "-" {
			opened, err := os.Open(s.args[0])
			if err != nil {
				return fmt.Errorf("read the runs: %w", err)
			}
			defer opened.Close()
			file = opened
		}
		stored, err := s.recordRuns(ctx, file)
		return s.printRecorded(stored, 0, err)
	})
}

// recordRuns stores the runs of a file and reads them.
func (s *session) recordRuns(ctx context.Context, file io.Reader) ([]annals.Stored, error) {
	episodes, err := runsIn(file, s.group)
	if err != nil {
		return nil, err
	}
	return s.addRuns(ctx, episodes)
}

func (s *session) addRuns(ctx context.Context, episodes []annals.Episode) ([]annals.Stored, error) {
	stored, err := s.AddAll(ctx, episodes)
	if err != nil {
		return nil, err
	}
	return stored, s.Process(ctx, s.group, nil)
}

// printRecorded prints how many runs are new. others counts runs that existed before, in addition
// to those of stored.
func (s *session) printRecorded(stored []annals.Stored, others int, err error) error {
	if err != nil {
		return err
	}
	added := 0
	for _, one := range stored {
		if one.New {
			added++
		}
	}
	others += len(stored) - added
	return s.tell(map[string]int{"recorded": added, "there_already": others}, "Recorded: %s. There already: %d.\n", each.Count(added, "run"), others)
}

// runsIn decodes runs from consecutive JSON objects.
func runsIn(file io.Reader, group string) ([]annals.Episode, error) {
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	var episodes []annals.Episode
	for n := 1; ; n++ {
		var run input.NewRun
		err := decoder.Decode(&run)
		if errors.Is(err, io.EOF) {
			break
		}
		var episode annals.Episode
		if err == nil {
			episode, err = run.Episode(group)
		}
		if err != nil {
			return nil, graph.Invalid(fmt.Sprintf("run %d", n), "cannot be recorded: %v", err)
		}
		episodes = append(episodes, episode)
	}
	if len(episodes) == 0 {
		return nil, graph.Invalid("runs", "the file holds none")
	}
	return episodes, nil
}

// skill returns the last version of a skill, and all versions.
func (s *session) skill(ctx context.Context, text string) (annals.Skill, []annals.Skill, error) {
	ids, err := s.ids(ctx, graph.KindSkill, "skill", text)
	if err != nil {
		return annals.Skill{}, nil, err
	}
	versions, err := s.service().SkillHistory(ctx, s.group, ids[0])
	if err != nil {
		return annals.Skill{}, nil, err
	}
	return versions[len(versions)-1], versions, nil
}

func skillsShowCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:     "show ID",
		Short:   "Show a skill: when to use it, its steps, what went wrong, and how well it is proven",
		Example: `  annals skills show --group ops 3f8a61d2`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) error {
		skill, _, err := s.skill(ctx, s.args[0])
		if err != nil {
			return err
		}
		return s.tell(skill, "%s", skill.Markdown())
	})
}

func skillsHistoryCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:     "history ID",
		Short:   "List every version of a skill, as it was known",
		Example: `  annals skills history --group ops 3f8a61d2`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) error {
		_, versions, err := s.skill(ctx, s.args[0])
		if err != nil {
			return err
		}
		return skillHistory.show(s, versions)
	})
}

var skillHistory = listing[annals.Skill]{
	key: "versions", header: "KNOWN FROM\tUNTIL\tSTATE\tWORKED\tWHY",
	cells: func(k annals.Skill, _ string) []string {
		return []string{moment(k.KnownFrom), ended(k.KnownUntil, moment), k.State, worked(k), brief(k.Why, 80)}
	},
}

func skillsDiffCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:     "diff ID",
		Short:   "Show what a skill does otherwise than what it replaced",
		Example: `  annals skills diff --group ops 3f8a61d2`,
		Args:    cobra.ExactArgs(1),
	}, func(ctx context.Context, s *session, _ *none) error {
		skill, _, err := s.skill(ctx, s.args[0])
		if err != nil {
			return err
		}
		others, err := s.Skills(ctx, annals.SkillFilter{GroupID: s.group, SkillID: skill.SkillID, State: "all", Ended: true, Limit: annals.MaxRows})
		if err != nil {
			return err
		}
		before := replacedBy(skill, others)
		if s.json {
			return s.printJSON(map[string]*annals.Skill{"before": before, "after": &skill})
		}
		return s.printReplaced(skill, before)
	})
}

// printReplaced prints how a skill differs from the one before.
func (p *printer) printReplaced(skill annals.Skill, before *annals.Skill) error {
	if before == nil {
		_, err := fmt.Fprint(p.stdout, "It replaced nothing.\n")
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "Until %s: %s\n%s\n", day(*before.InvalidAt), before.Why, strings.Join(diffOf(before.Steps, skill.Steps), "\n"))
	return err
}

// replacedBy returns the procedure of the same skill that ended last before this one began.
func replacedBy(skill annals.Skill, others []annals.Skill) *annals.Skill {
	var before *annals.Skill
	for i, o := range others {
		if o.InvalidAt != nil && !o.InvalidAt.After(skill.ValidAt) && (before == nil || o.InvalidAt.After(*before.InvalidAt)) {
			before = &others[i]
		}
	}
	return before
}

// diffOf compares two lists of steps: - marks steps of the first only, + those of the second only.
func diffOf(before, after []string) []string {
	var lines, added []string
	gone := func(steps []string) {
		for _, step := range steps {
			lines = append(lines, "- "+step)
		}
		lines, added = append(lines, added...), nil
	}
	for _, step := range after {
		at := slices.Index(before, step)
		if at < 0 {
			added = append(added, "+ "+step)
			continue
		}
		gone(before[:at])
		lines, before = append(lines, "  "+step), before[at+1:]
	}
	gone(before)
	return lines
}

func skillsDecideCommand(a *app, do, short string) *cobra.Command {
	return showing(a.withMemory, &cobra.Command{
		Use:     do + " ID…",
		Short:   short,
		Example: "  annals skills " + do + " --group ops 3f8a61d2",
		Args:    cobra.MinimumNArgs(1),
	}, func(ctx context.Context, s *session, _ *none) (decided []annals.Skill, err error) {
		ids, err := s.ids(ctx, graph.KindSkill, "skill", s.args...)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			skill, err := s.service().DecideSkill(ctx, s.group, id, do)
			if err != nil {
				return nil, err
			}
			decided = append(decided, skill)
		}
		return decided, nil
	}, skillList.show)
}

// exported holds the flags of skills export.
type exported struct {
	Dir string `json:"dir" required:"true" doc:"The folder that gets a folder for each skill"`
	All bool   `json:"all" doc:"Also those that nobody confirmed"`
}

func skillsExportCommand(a *app) *cobra.Command {
	return taking(a.withMemory, &cobra.Command{
		Use:   "export",
		Short: "Write confirmed skills as folders with a SKILL.md, which agents' hosts read",
		Long: `Writes the best procedure of each skill that works now as a folder with a SKILL.md, as
agentskills.io specifies: hosts such as Claude Code load it. Folders of earlier exports whose
skills are exported no longer stay, and are named.`,
		Example: `  annals skills export --dir ~/.claude/skills --group ops`,
	}, func(ctx context.Context, s *session, in *exported) error {
		filter := annals.SkillFilter{GroupID: s.group, State: "confirmed", Limit: annals.MaxRows}
		if in.All {
			filter.State = ""
		}
		list, err := s.Skills(ctx, filter)
		if err != nil {
			return err
		}
		written, err := skillfile.Write(in.Dir, s.group, list)
		if err != nil {
			return err
		}
		if s.json {
			return s.printJSON(written)
		}
		for _, name := range written.Names {
			fmt.Fprintln(s.stdout, name)
		}
		for _, name := range written.Left {
			fmt.Fprintf(s.stdout, "%s was written by an earlier export, and is exported no longer\n", name)
		}
		return nil
	})
}

// imported holds the flags of skills import.
type imported struct {
	Dir string `json:"dir" required:"true" doc:"The folder that holds a folder with a SKILL.md for each skill, or is one"`
}

func skillsImportCommand(a *app) *cobra.Command {
	return taking(a.withClient, &cobra.Command{
		Use:   "import",
		Short: "Read skills that somebody wrote down as SKILL.md, as candidates",
		Long: `Reads each SKILL.md of a folder, as somebody wrote it or 'annals skills export' did.
What it says to do is recorded as one run that worked; the skill names the file among its
preconditions. It is a candidate until it is confirmed by hand or by other runs. The same
task and steps again change nothing, nor does what this group exported. Of lists the one
under Steps, Instructions or Workflow is read, else one with numbers, or else dashes.`,
		Example: `  annals skills import --dir ~/.claude/skills --group ops`,
	}, func(ctx context.Context, s *session, in *imported) error {
		list, err := skillfile.Read(in.Dir)
		if err != nil {
			return err
		}
		var episodes []annals.Episode
		for _, found := range list {
			known, err := s.Skills(ctx, annals.SkillFilter{GroupID: s.group, ID: found.ID, State: "all", Ended: true})
			if err != nil {
				return err
			}
			if found.ID != uuid.Nil && len(known) > 0 {
				continue
			}
			episode, err := found.Run.Episode(s.group, time.Time{})
			if err != nil {
				return fmt.Errorf("import %s: %w", found.Run.Environment["imported from"], err)
			}
			episode.ExternalID, episode.SourceDescription = found.ExternalID, found.Run.Environment["imported from"]
			episodes = append(episodes, episode)
		}
		stored, err := s.addRuns(ctx, episodes)
		return s.printRecorded(stored, len(list)-len(episodes), err)
	})
}
