package postgres

import (
	"os"
	"os/exec"
)

// ownSupported says whether a server of our own can run on this system: files have no
// owners here by which to tell that nobody else can read it.
const ownSupported = false

func ownerOf(os.FileInfo) (uid, gid int, ok bool) { return 0, 0, false }

func runAs(*exec.Cmd, int, int) {}

func isGone(int) bool { return false }
