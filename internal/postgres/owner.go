package postgres

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
)

// owner is the user that runs the server: ours, or an unprivileged user if we
// are root, which PostgreSQL refuses.
type owner struct {
	uid, gid int
	drop     bool // we are root and switch to this user
}

func serverOwner() (owner, error) {
	if !ownSupported {
		return owner{}, unavailable("no private PostgreSQL runs on this system: set ANNALS_DATABASE_URL to a server that you run")
	}
	if os.Geteuid() != 0 {
		return owner{uid: os.Geteuid(), gid: os.Getegid()}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.Atoi(u.Uid)
		gid, err2 := strconv.Atoi(u.Gid)
		if err1 == nil && err2 == nil {
			return owner{uid: uid, gid: gid, drop: true}, nil
		}
	}
	return owner{}, unavailable("PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody " +
		"to run it as: run annals as an ordinary user")
}

// canReach reports whether the owner may enter every directory above path.
func (o owner) canReach(path string) bool {
	if !o.drop {
		return true
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && !o.mayEnter(info) {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

func (o owner) mayEnter(info os.FileInfo) bool {
	mode := info.Mode().Perm()
	if uid, gid, ok := ownerOf(info); ok {
		switch {
		case uid == o.uid:
			return mode&0o100 != 0
		case gid == o.gid:
			return mode&0o010 != 0
		}
	}
	return mode&0o001 != 0
}

// makeDir creates a directory that only the owner can enter. An existing one
// must belong to the owner: in a shared place another user may have created it.
func (o owner) makeDir(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make %s: %w", filepath.Dir(path), err)
	}
	made := os.Mkdir(path, 0o700)
	if made != nil && !os.IsExist(made) {
		return fmt.Errorf("make %s: %w", path, made)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("look at %s: %w", path, err)
	}
	uid, _, ok := ownerOf(info)
	ours := ok && (uid == o.uid || (o.drop && uid == 0))
	if !info.IsDir() || !ours {
		return unavailable("%s belongs to another user; remove it or choose another data directory", path)
	}
	if err := os.Chmod(path, 0o700); err != nil {
		return fmt.Errorf("close %s to others: %w", path, err)
	}
	return o.own(path)
}

// own gives a file to the owner.
func (o owner) own(path string) error {
	if !o.drop {
		return nil
	}
	if err := os.Chown(path, o.uid, o.gid); err != nil {
		return fmt.Errorf("hand %s over to the server's user: %w", path, err)
	}
	return nil
}

// command returns a command that runs as the owner, with a neutral directory
// and environment.
func (o owner) command(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "HOME=/"}
	if o.drop {
		runAs(cmd, o.uid, o.gid)
	}
	return cmd
}
