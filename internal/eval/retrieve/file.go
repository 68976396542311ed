package retrieve

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
)

// ReadFile gives read a file, gzipped or not.
func ReadFile(path string, read func(*bufio.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err // says which file and why
	}
	defer f.Close()
	r, err := Unzipped(f)
	if err == nil {
		err = read(r)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

// Unzipped reads what is gzipped, or not, as it was before.
func Unzipped(r io.Reader) (*bufio.Reader, error) {
	buffered := bufio.NewReader(r)
	if head, err := buffered.Peek(2); err != nil || !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return buffered, nil // reading on reports what cannot be read
	}
	zipped, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, err
	}
	return bufio.NewReader(zipped), nil
}
