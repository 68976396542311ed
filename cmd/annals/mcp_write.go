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

// writeSettings writes a change. Where nobody is asked, it is worked out anew while
// others write.
func (a *app) writeSettings(change *settingsChange, in installation) error {
	for {
		err := change.write(time.Now())
		if _, meanwhile := errors.AsType[*meantimeError](err); !meanwhile || !in.yes {
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

// followed is the file that a link leads to, though it is not there yet: a link to
// settings that are kept elsewhere stays one.
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

// meantimeError says that settings are not what they were when the change was worked out.
type meantimeError struct{ file, became string }

func (e *meantimeError) Error() string {
	return fmt.Sprintf("%s was %s in the meantime; nothing was written to it: run this again", e.file, e.became)
}

// write puts new settings in the place of the old ones, which are kept beside
// them. Nobody sees half of a file, and what a host wrote in the meantime is not
// lost.
func (c *settingsChange) write(now time.Time) error {
	file, err := followed(c.File)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make the folder of %s: %w", file, err)
	}
	// Others of us compare and write after this.
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
