//go:build !windows

package postgres

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownSupported reports whether a private server can run on this system.
const ownSupported = true

// ownerOf returns the owner of a file.
func ownerOf(info os.FileInfo) (uid, gid int, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(stat.Uid), int(stat.Gid), true
}

// runAs makes a command run as another user.
func runAs(cmd *exec.Cmd, uid, gid int) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
}

// isGone reports whether no process has this id.
func isGone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
