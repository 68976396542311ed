package db

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/annalsdb/annals/graph"
)

// LSN is a position in the primary's write-ahead log. A replica that has replayed the log up to
// there has all that was committed before. The zero value is the beginning of the log, which every
// replica has.
type LSN uint64

// String writes it as PostgreSQL does, such as 16/B374D848.
func (l LSN) String() string { return fmt.Sprintf("%X/%X", uint64(l)>>32, uint32(l)) }

// ParseLSN reads what String wrote. Anything else is a [graph.CodeInvalid].
func ParseLSN(s string) (LSN, error) {
	high, low, found := strings.Cut(s, "/")
	h, err := strconv.ParseUint(high, 16, 32)
	l, err2 := strconv.ParseUint(low, 16, 32)
	if !found || err != nil || err2 != nil {
		return 0, graph.Invalid("lsn", "is %q; it must be a place in the log as it was given, such as 16/B374D848", s)
	}
	return LSN(h<<32 | l), nil
}
