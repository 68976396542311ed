package hub

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/annalsdb/annals/internal/each"
)

// sums holds the size and checksums of a file.
type sums struct {
	bytes       int64
	sha256, git string
}

// checksums reads a file and returns its sums.
func checksums(path string) (sums, error) {
	file, err := os.Open(path)
	if err != nil {
		return sums{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return sums{}, err
	}
	whole, blob := sha256.New(), sha1.New()
	fmt.Fprintf(blob, "blob %d\x00", info.Size()) // git's header of a blob
	if _, err := io.Copy(io.MultiWriter(whole, blob), file); err != nil {
		return sums{}, err
	}
	return sums{info.Size(), hex.EncodeToString(whole.Sum(nil)), hex.EncodeToString(blob.Sum(nil))}, nil
}

// known reports whether the source states a checksum.
func (sums) known(want remote) bool { return want.sha256 != "" || want.git != "" }

// differs returns an error if the file differs from what the source states.
func (s sums) differs(want remote) error {
	switch {
	case want.bytes > 0 && s.bytes != want.bytes:
		return fmt.Errorf("it has %s and not %d", each.Count(s.bytes, "byte"), want.bytes)
	case want.sha256 != "" && s.sha256 != want.sha256:
		return fmt.Errorf("its SHA-256 is %s and not %s", s.sha256, want.sha256)
	case want.sha256 == "" && want.git != "" && s.git != want.git:
		return fmt.Errorf("its checksum is %s and not %s", s.git, want.git)
	}
	return nil
}
