package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// writeSettings writes a change. With --yes, it recomputes the change if another process has
// changed the file meanwhile.
func (a *app) writeSettings(change *settingsChange, in installation) error {
	for {
		err := change.write(time.Now())
		if _, meanwhile := errors.AsType[*meantimeError](err); !meanwhile || !in.Yes {
			return err
		}
		anew, err := a.changeSettings(change.host, in)
		if err != nil {
			return err
		}
		*change = *anew
		if !change.Changed {
			return nil
		}
	}
}

// followed returns the target of a link, even if the target does not exist yet. So a link to
// settings elsewhere stays a link.
func followed(file string) (string, error) {
	for range 40 {
		target, err := os.Readlink(file)
		if err != nil {
			return file, nil //nolint:nilerr // it is no link
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(file), target)
		}
		file = target
	}
	return "", fmt.Errorf("%s is a link that leads to itself; mend it", file)
}

// meantimeError says that settings have changed since the change was computed.
type meantimeError struct{ file, became string }

func (e *meantimeError) Error() string {
	return fmt.Sprintf("%s was %s in the meantime; nothing was written to it: run this again", e.file, e.became)
}

// write replaces the settings and keeps a copy of the former file next to them. Readers never see a
// partial file, and changes by the host in the meantime are not lost.
func (c *settingsChange) write(now time.Time) error {
	file, err := followed(c.File)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", file, err)
	}
	// Other runs of this command wait here before they compare and write.
	lock := flock.New(filepath.Join(os.TempDir(), fmt.Sprintf("annals-mcp-install-%d.lock", os.Getuid())))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("wait for others who write %s: %w", file, err)
	}
	defer func() { _ = lock.Unlock() }()
	if c.isNew {
		if exists(file) {
			return &meantimeError{file, "made"}
		}
	} else {
		about, err := os.Stat(file)
		if err != nil {
			return fmt.Errorf("read the settings: %w", err)
		}
		mode = about.Mode().Perm()
		if c.secret {
			mode &= 0o600
		}
		present, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(present, c.before) {
			return &meantimeError{file, "changed"}
		}
		c.Backup = file + ".before-annals-" + now.UTC().Format("20060102T150405.000")
		if err := os.WriteFile(c.Backup, c.before, mode); err != nil {
			return fmt.Errorf("keep the settings as they were: %w", err)
		}
	}
	err = writeWhole(file, func(w io.Writer) error {
		if f, ok := w.(*os.File); ok {
			if err := f.Chmod(mode); err != nil {
				return err
			}
		}
		_, err := w.Write(c.after)
		return err
	})
	if err != nil {
		return err
	}
	c.Written = true
	return nil
}
