package main

import "github.com/spf13/cobra"

// chapter is a part of the help: a title and its commands.
type chapter struct {
	title    string
	commands []*cobra.Command
}

func (a *app) chapters() []chapter {
	return []chapter{
		{"Remember and ask", []*cobra.Command{
			addCommand(a), searchCommand(a), contextCommand(a), askCommand(a), answersCommand(a), factsCommand(a), entitiesCommand(a), episodesCommand(a),
			threadsCommand(a), communitiesCommand(a), observationsCommand(a), skillsCommand(a), groupsCommand(a), exploreCommand(a),
		}},
		{"Time", []*cobra.Command{timelineCommand(a), historyCommand(a), diffCommand(a)}},
		{"Correct ('annals facts' edits, ends and withdraws as well)", []*cobra.Command{
			tripleCommand(a), markCommand(a), retryCommand(a), undoCommand(a), eraseCommand(a), erasuresCommand(a), retentionCommand(a), trustCommand(a),
			reviewCommand(a),
		}},
		{"Serve", []*cobra.Command{serveCommand(a), workerCommand(a), mcpCommand(a), agentCommand(a), keysCommand(a)}},
		{"Database", []*cobra.Command{
			upCommand(a), downCommand(a), migrateCommand(a), doctorCommand(a), verifyCommand(a), auditCommand(a), rebuildCommand(a), exportCommand(a), importCommand(a), reembedCommand(a),
			distributeCommand(a),
		}},
		{"Models", []*cobra.Command{modelsCommand(a), usageCommand(a), promptsCommand(a), ontologyCommand(a)}},
		{"Try", []*cobra.Command{demoCommand(a), benchCommand(a), evalCommand(a)}},
	}
}

// addCommands adds all commands, chapter by chapter. Commands without a chapter are last in the
// help.
func (a *app) addCommands(root *cobra.Command) {
	for _, c := range a.chapters() {
		root.AddGroup(&cobra.Group{ID: c.title, Title: c.title})
		for _, cmd := range c.commands {
			cmd.GroupID = c.title
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(versionCommand(a))
}
