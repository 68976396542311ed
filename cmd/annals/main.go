// Command annals provides long-term memory for AI agents, kept in PostgreSQL.
package main

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C exits at once
	environ := map[string]string{}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		environ[name] = value
	}
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, environ)
	stop()
	os.Exit(code) //nolint:gocritic // stop has run
}
