package native

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/annalsdb/annals/internal/each"
)

// memory is shared by the two processes: bytes here, the address base there. It
// is allocated from the start for each call, and reset frees all of it.
type memory struct {
	bytes []byte
	base  uintptr
	used  int
	full  bool
}

// sharedBytes is enough for a batch of any allowed size. Untouched pages cost
// nothing.
const sharedBytes = 16 << 20

var errFull = fmt.Errorf("a batch needs more than %d MB: make it smaller", sharedBytes>>20)

func (m *memory) reset() { m.used, m.full = 0, false }

// room allocates zeroed bytes and returns their address.
func (m *memory) room(size int) uintptr {
	const alignment = 64
	from := (m.used + alignment - 1) / alignment * alignment
	if size > len(m.bytes)-from {
		m.full = true
		return m.base
	}
	clear(m.bytes[from : from+size])
	m.used = from + size
	return m.base + uintptr(from)
}

// at returns the bytes at an address.
func (m *memory) at(address uintptr, size int) []byte {
	from := int(address - m.base)
	return m.bytes[from : from+size]
}

// text stores a string with its terminating zero and returns its address.
func (m *memory) text(s string) uintptr {
	address := m.room(len(s) + 1)
	if !m.full {
		copy(m.at(address, len(s)), s)
	}
	return address
}

// integers stores numbers and returns their address.
func (m *memory) integers(values []int64) uintptr {
	address := m.room(8 * len(values))
	if m.full {
		return address
	}
	at := m.at(address, 8*len(values))
	for i, value := range values {
		binary.NativeEndian.PutUint64(at[8*i:], uint64(value))
	}
	return address
}

// addresses stores pointers and returns their address.
func (m *memory) addresses(values []uintptr) uintptr {
	return m.integers(each.Of(values, func(value uintptr) int64 { return int64(value) }))
}

// word reads a pointer or number.
func (m *memory) word(address uintptr) uintptr {
	return uintptr(binary.NativeEndian.Uint64(m.at(address, 8)))
}

// floats appends the numbers at an address to a slice.
func (m *memory) floats(to []float32, address uintptr, count int) []float32 {
	at := m.at(address, 4*count)
	for i := range count {
		to = append(to, math.Float32frombits(binary.NativeEndian.Uint32(at[4*i:])))
	}
	return to
}
