package native

import "debug/elf"

// ELF constants of this architecture.
const (
	machine       = elf.EM_X86_64
	globalData    = uint32(elf.R_X86_64_GLOB_DAT)
	dynamicLinker = "/lib64/ld-linux-x86-64.so.2"
)
