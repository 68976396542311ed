//go:build linux && (amd64 || arm64)

package native

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
)

// The executable is one page of code and one page of data, at fixed addresses.
// Some arm64 systems have pages of 64 KiB. callPage and dataPage are repeated
// in call_linux_amd64.s and call_linux_arm64.s.
const (
	pageSize = 0x10000
	callPage = 0x10000000
	dataPage = callPage + pageSize

	// callSize exceeds the length of the code. The bytes after the code are
	// copied too, but never run.
	callSize = 256
	callAt   = 0x400 // after the headers
)

// callPC is the address of the code in this program, defined in the assembler
// files.
var callPC *[callSize]byte

// executable returns the program of the other process, in the format of the
// System V ABI, chapters 4 and 5.
func executable() []byte {
	var names stringTable
	needed := []uint64{names.add("libc.so.6"), names.add("libdl.so.2")} // dlopen moved from libdl to libc
	symbols := []elf.Sym64{{}}
	for _, name := range imported {
		symbols = append(symbols, elf.Sym64{Name: uint32(names.add(name)), Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC)})
	}
	relocations := make([]elf.Rela64, len(imported))
	for i := range relocations {
		relocations[i] = elf.Rela64{Off: dataPage + 8*uint64(i), Info: elf.R_INFO(uint32(i+1), globalData)}
	}

	data := section{address: dataPage}
	data.append(make([]uint64, len(imported)))
	symbolsAt := data.append(symbols)
	relocationsAt := data.append(relocations)
	hashAt := data.append([]uint32{1, uint32(len(symbols)), 0, 0, 0, 0, 0, 0, 0, 0}) // hash table of exported symbols: none
	stringsAt := data.append(names.bytes())
	dynamicAt := data.append([]elf.Dyn64{
		{Tag: int64(elf.DT_NEEDED), Val: needed[0]},
		{Tag: int64(elf.DT_NEEDED), Val: needed[1]},
		{Tag: int64(elf.DT_HASH), Val: hashAt},
		{Tag: int64(elf.DT_SYMTAB), Val: symbolsAt},
		{Tag: int64(elf.DT_SYMENT), Val: elf.Sym64Size},
		{Tag: int64(elf.DT_STRTAB), Val: stringsAt},
		{Tag: int64(elf.DT_STRSZ), Val: uint64(len(names.bytes()))},
		{Tag: int64(elf.DT_RELA), Val: relocationsAt}, //nolint:misspell // ELF names it so
		{Tag: int64(elf.DT_RELASZ), Val: 24 * uint64(len(relocations))},
		{Tag: int64(elf.DT_RELAENT), Val: 24},
		{},
	})
	dynamicSize := data.end() - dynamicAt
	return append(headers(dynamicAt, dynamicSize, uint64(data.content.Len())), data.content.Bytes()...)
}

// headers returns the first page: the ELF headers and the code.
func headers(dynamicAt, dynamicSize, dataSize uint64) []byte {
	const interpreterAt = 0x200
	linker := append([]byte(dynamicLinker), 0)
	programs := []elf.Prog64{
		{Type: uint32(elf.PT_INTERP), Flags: uint32(elf.PF_R), Off: interpreterAt, Vaddr: callPage + interpreterAt, Filesz: uint64(len(linker)), Memsz: uint64(len(linker)), Align: 1},
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_X), Vaddr: callPage, Filesz: pageSize, Memsz: pageSize, Align: pageSize},
		{Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_W), Off: pageSize, Vaddr: dataPage, Filesz: dataSize, Memsz: dataSize, Align: pageSize},
		{Type: uint32(elf.PT_DYNAMIC), Flags: uint32(elf.PF_R | elf.PF_W), Off: pageSize + dynamicAt - dataPage, Vaddr: dynamicAt, Filesz: dynamicSize, Memsz: dynamicSize, Align: 8},
		{Type: uint32(elf.PT_GNU_STACK), Flags: uint32(elf.PF_R | elf.PF_W), Align: 16},
	}
	header := elf.Header64{
		Type: uint16(elf.ET_EXEC), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT), Entry: callPage + callAt,
		Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: uint16(len(programs)),
	}
	copy(header.Ident[:], elf.ELFMAG)
	header.Ident[elf.EI_CLASS], header.Ident[elf.EI_DATA], header.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)

	first := section{address: callPage}
	first.append(header)
	first.append(programs)
	page := make([]byte, pageSize)
	copy(page, first.content.Bytes())
	copy(page[interpreterAt:], linker)
	copy(page[callAt:], callPC[:])
	return page
}

// section collects the content to load at an address.
type section struct {
	address uint64
	content bytes.Buffer
}

func (s *section) end() uint64 { return s.address + uint64(s.content.Len()) }

// append adds the memory image of a value and returns its address.
func (s *section) append(value any) uint64 {
	for s.content.Len()%8 != 0 {
		s.content.WriteByte(0)
	}
	at := s.end()
	if err := binary.Write(&s.content, binary.LittleEndian, value); err != nil {
		panic(err) // Only values of fixed size are appended.
	}
	return at
}

// stringTable is a table of strings, addressed by their offsets.
type stringTable struct{ text []byte }

func (s *stringTable) add(text string) uint64 {
	at := 1 + len(s.text)
	s.text = append(append(s.text, text...), 0)
	return uint64(at)
}

func (s *stringTable) bytes() []byte { return append([]byte{0}, s.text...) }
