package postgres

import (
	"fmt"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

const (
	megabyte = 1 << 20
	gigabyte = 1 << 30

	// The server keeps a quarter of the memory for what it has read: the manual of
	// PostgreSQL advises that much where nothing else is known. It takes it as it
	// needs it. Less than the least makes every search wait for the disk; more than
	// the most would hold the vectors of some two million facts.
	leastShared = 128 * megabyte
	mostShared  = 4 * gigabyte

	// Taken for the memory of a machine that does not tell how much it has.
	assumed = gigabyte
)

// memory is how much there is: of the container, or of the machine.
func memory() uint64 {
	machine, err := memlimit.FromSystem()
	if err != nil {
		machine = assumed
	}
	container, err := memlimit.FromCgroup()
	if err != nil {
		return machine // there is none, or it may take all
	}
	return min(machine, container)
}

// memorySettings suit a server that shares so many bytes with the application.
func memorySettings(bytes uint64) string {
	shared := min(max(bytes/4, leastShared), mostShared)
	return fmt.Sprintf("shared_buffers = %dMB # a quarter of the memory, at most 4 GB\neffective_cache_size = %dMB\n",
		shared/megabyte, max(bytes/4*3, shared)/megabyte)
}
