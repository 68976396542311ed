package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/annalsdb/annals/internal/bench"
	"github.com/annalsdb/annals/testdata"
)

// benchAgainst compares this program with another build.
func (a *app) benchAgainst(ctx context.Context, other string, o bench.AgainstOptions) (err error) {
	this, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	o.Key, o.Sample, o.Progress = rand.Text(), string(testdata.Conversation), func(what string) { a.say("%s …", what) }
	for i, program := range []string{this, other} {
		home, err := os.MkdirTemp("", "annals-bench")
		if err != nil {
			return fmt.Errorf("make a folder for a database: %w", err)
		}
		served, err := startServe(ctx, program, "", o.Key, 2, "XDG_DATA_HOME="+home)
		if err != nil {
			return errors.Join(err, os.RemoveAll(home))
		}
		o.URLs[i] = served.url
		defer func() {
			down := exec.CommandContext(context.WithoutCancel(ctx), program, "down")
			down.Env = append(os.Environ(), "XDG_DATA_HOME="+home)
			err = errors.Join(err, served.stop(), down.Run(), os.RemoveAll(home))
		}()
	}
	report, err := bench.CompareBuilds(ctx, o)
	if err != nil {
		return err
	}
	return a.printMeasured(report)
}
