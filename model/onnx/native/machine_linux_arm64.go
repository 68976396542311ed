package native

import "debug/elf"

// What an executable of this architecture says of itself.
const (
	machine       = elf.EM_AARCH64
	globalData    = uint32(elf.R_AARCH64_GLOB_DAT)
	dynamicLinker = "/lib/ld-linux-aarch64.so.1"
)
