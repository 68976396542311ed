package native

import "debug/elf"

// What an executable of this architecture says of itself.
const (
	machine       = elf.EM_X86_64
	globalData    = uint32(elf.R_X86_64_GLOB_DAT)
	dynamicLinker = "/lib64/ld-linux-x86-64.so.2"
)
