package native

import "debug/elf"

// ELF constants of this architecture.
const (
	machine       = elf.EM_AARCH64
	globalData    = uint32(elf.R_AARCH64_GLOB_DAT)
	dynamicLinker = "/lib/ld-linux-aarch64.so.1"
)
