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
			a.addCommand(), a.searchCommand(), a.contextCommand(), a.askCommand(), a.answersCommand(), a.factsCommand(), a.entitiesCommand(), a.episodesCommand(),
			a.threadsCommand(), a.communitiesCommand(), a.observationsCommand(), a.groupsCommand(), a.exploreCommand(),
		}},
		{"Time", []*cobra.Command{a.timelineCommand(), a.historyCommand(), a.diffCommand()}},
		{"Correct ('annals facts' edits, ends and withdraws as well)", []*cobra.Command{
			a.tripleCommand(), a.markCommand(), a.retryCommand(), a.undoCommand(), a.eraseCommand(), a.erasuresCommand(), a.retentionCommand(), a.trustCommand(),
		}},
		{"Serve", []*cobra.Command{a.serveCommand(), a.workerCommand(), a.mcpCommand(), a.agentCommand(), a.keysCommand()}},
		{"Database", []*cobra.Command{
			a.upCommand(), a.downCommand(), a.migrateCommand(), a.doctorCommand(), a.verifyCommand(), a.auditCommand(), a.rebuildCommand(), a.exportCommand(), a.importCommand(), a.reembedCommand(),
			a.distributeCommand(),
		}},
		{"Models", []*cobra.Command{a.modelsCommand(), a.usageCommand(), a.promptsCommand(), a.ontologyCommand()}},
		{"Try", []*cobra.Command{a.demoCommand(), a.benchCommand(), a.evalCommand()}},
	}
}

// addCommands adds all commands, chapter by chapter; those without one stand at
// the end of the help.
func (a *app) addCommands(root *cobra.Command) {
	for _, c := range a.chapters() {
		root.AddGroup(&cobra.Group{ID: c.title, Title: c.title})
		for _, cmd := range c.commands {
			cmd.GroupID = c.title
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(a.versionCommand())
}
