package postgres

import (
	"fmt"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const (
	megabyte = 1 << 20
	gigabyte = 1 << 30

	// The limits of shared_buffers, which is a quarter of the memory, as
	// PostgreSQL's manual advises by default. It is allocated on demand. Below the
	// minimum every search would wait for the disk; the maximum holds the vectors
	// of some two million facts.
	leastShared = 128 * megabyte
	mostShared  = 4 * gigabyte

	// The assumed memory of a machine that does not report it.
	assumed = gigabyte
)

// memory returns the memory of the container or the machine, in bytes.
func memory() uint64 {
	machine, err := memlimit.FromSystem()
	if err != nil {
		machine = assumed
	}
	container, err := memlimit.FromCgroup()
	if err != nil {
		return machine // no container, or no limit
	}
	return min(machine, container)
}

// memorySettings returns the settings of a server that shares this much memory
// with the application.
func memorySettings(bytes uint64) string {
	shared := min(max(bytes/4, leastShared), mostShared)
	return fmt.Sprintf("shared_buffers = %dMB # a quarter of the memory, at most 4 GB\neffective_cache_size = %dMB\n",
		shared/megabyte, max(bytes/4*3, shared)/megabyte)
}
