package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"github.com/annalsdb/annals/graph"
	"github.com/annalsdb/annals/internal/server"
	"github.com/annalsdb/annals/internal/server/explorer"
	"github.com/annalsdb/annals/internal/server/rest"
)

const exploreHelp = `Opens a page in the browser that shows a memory: its graph on two axes of time,
every fact with where it is from and what became of it, conversations with what
was learned from each message, and why a search finds what it finds. Facts and
entities can be put right there.

It serves on this machine alone, on a free port, until Ctrl-C. The link that it
opens signs in once, within ten minutes; whoever has no link needs an API key.
With --read-only it shows everything and changes nothing. 'annals serve' has the
same page, for those who have a key. Without a browser, 'annals timeline --lanes'
draws in the terminal what was believed when.`

// exploring holds the flags of explore.
type exploring struct {
	Port      int  `json:"port" doc:"port to listen on; 0: a free one"`
	NoBrowser bool `json:"no_browser" doc:"print the link and open nothing"`
	ReadOnly  bool `json:"read_only" doc:"change nothing, and read nothing that waits"`
}

func exploreCommand(a *app) *cobra.Command {
	var e exploring
	cmd := &cobra.Command{
		Use:   "explore",
		Short: "Look at a memory in the browser, and put it right",
		Long:  exploreHelp,
		Example: `  annals explore --group demo
  annals explore --no-browser --read-only    # prints the link`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			path := "/"
			if cmd.Flags().Changed("group") || a.config.Tenant != "" {
				path = "/explore/" + url.PathEscape(a.group)
			}
			return a.explore(cmd.Context(), e, path)
		},
	}
	bind(cmd.Flags(), &e)
	return cmd
}

func (a *app) explore(ctx context.Context, e exploring, path string) error {
	if e.Port < 0 || e.Port > 65535 {
		return graph.Invalid("port", "is %d; it has to be 0 to 65535", e.Port)
	}
	secret := rand.Text() + rand.Text()
	limited := secret
	if e.ReadOnly {
		limited += ";read"
	}
	keys, err := server.ParseKeys(limited)
	if err != nil {
		return err
	}
	keys[0].Name = "explore"
	a.logs(slog.LevelWarn)
	client, where, err := a.openAt(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	if err := migrated(ctx, where.url); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", e.Port))
	if err != nil {
		return graph.Invalid("port", "cannot listen on %d: %v", e.Port, err)
	}
	workers := a.config.Workers
	if e.ReadOnly || client.Tenant() != "" { // the queue covers all groups
		workers = 0
	}
	door := server.New(server.Options{Client: client, Keys: keys, Log: a.config.log, Workers: workers, ThisMachine: true, TracerProvider: a.config.traces})
	invitation := explorer.Invite(secret)
	rest.Mount(door, rest.Options{Version: version()})
	explorer.Mount(door, explorer.Options{Invitation: invitation})
	link := fmt.Sprintf("http://%s%s#code=%s", listener.Addr(), path, invitation.Code())
	a.openLink(e, link)
	return door.Run(ctx, listener)
}

// openLink opens the link in the browser. If that fails or is not wanted, it prints the link.
func (p *printer) openLink(e exploring, link string) {
	if !e.NoBrowser {
		browser.Stdout, browser.Stderr = io.Discard, io.Discard
		if err := browser.OpenURL(link); err == nil {
			fmt.Fprintln(p.stdout, "The memory is shown in the browser. Ctrl-C stops it.")
			return
		} else if !errors.Is(err, context.Canceled) {
			p.say("No browser could be opened: %v", err)
		}
	}
	fmt.Fprintf(p.stdout, "%s\nThe link works once, within ten minutes. Ctrl-C stops the service.\n", link)
}
