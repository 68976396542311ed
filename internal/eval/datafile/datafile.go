// Package datafile reads files of benchmarks.
package datafile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Load opens a file, decompresses it if it is gzipped, and passes it to read.
func Load[Data any](path string, read func(*bufio.Reader) (Data, error)) (Data, error) {
	var data Data
	f, err := os.Open(path)
	if err != nil {
		return data, err // says which file and why
	}
	defer f.Close()
	r, err := Unzipped(f)
	if err == nil {
		data, err = read(r)
	}
	if err != nil {
		return data, fmt.Errorf("read %s: %w", path, err)
	}
	return data, nil
}

// Unzipped returns a reader of the content, decompressed if it is gzipped.
func Unzipped(r io.Reader) (*bufio.Reader, error) {
	buffered := bufio.NewReader(r)
	if head, err := buffered.Peek(2); err != nil || !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return buffered, nil // the next read reports the error
	}
	zipped, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, err
	}
	return bufio.NewReader(zipped), nil
}

// Lines reads a sequence of JSON values. An error gives the number of the value, under the
// name called.
func Lines[Line any](r io.Reader, called string, check func(Line) error) ([]Line, error) {
	var lines []Line
	for decoder := json.NewDecoder(r); ; {
		var line Line
		err := decoder.Decode(&line)
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err == nil {
			err = check(line)
		}
		if err != nil {
			return nil, fmt.Errorf("%s %d: %w", called, len(lines)+1, err)
		}
		lines = append(lines, line)
	}
}

// Scalar is a string, or a number as written.
type Scalar string

// UnmarshalJSON accepts a string, a number or null.
func (a *Scalar) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, (*string)(a)) == nil {
		return nil
	}
	var number json.Number
	if err := json.Unmarshal(data, &number); err != nil {
		return fmt.Errorf("an answer is neither text nor a number: %w", err)
	}
	*a = Scalar(number)
	return nil
}
