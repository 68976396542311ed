package postgres

import (
	"os"
	"os/exec"
)

// ownSupported is false: files on this system have no owners that would prove that
// nobody else can read them.
const ownSupported = false

func ownerOf(os.FileInfo) (uid, gid int, ok bool) { return 0, 0, false }

func runAs(*exec.Cmd, int, int) {}

func isGone(int) bool { return false }
