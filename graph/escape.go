package graph

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// EscapeGroupID writes a name of another program as that of a group, which takes
// letters, digits and _ - . : @ only: other bytes become + and two hexadecimal digits.
// [UnescapeGroupID] reads it.
func EscapeGroupID(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r != '+' && r != '\uFFFD' && ValidateGroupID(string(r)) == nil {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&b, "+%02X", c)
		}
	}
	return b.String()
}

// UnescapeGroupID reads what [EscapeGroupID] wrote. Other names stay as they are.
func UnescapeGroupID(id string) string {
	var b strings.Builder
	for i := 0; i < len(id); i++ {
		if id[i] == '+' && i+2 < len(id) {
			if c, err := hex.DecodeString(id[i+1 : i+3]); err == nil {
				b.Write(c)
				i += 2
				continue
			}
		}
		b.WriteByte(id[i])
	}
	return b.String()
}
