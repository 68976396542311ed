package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/annalsdb/annals/internal/each"
	"github.com/cenkalti/backoff/v5"
)

// server is a hub reached by HTTP.
type server struct {
	config  Config
	address string
	commit  string
}

// mostList limits a list of files, in bytes.
const mostList = 16 << 20

// list returns the files of a model with their sizes and checksums.
func (s *server) list(ctx context.Context) (string, []remote, error) {
	revision := cmp.Or(s.config.Revision, "main")
	address := fmt.Sprintf("%s/api/models/%s/revision/%s?blobs=true", s.address, s.config.Name, url.PathEscape(revision))
	response, err := s.get(ctx, address, 0)
	if err != nil {
		return "", nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", nil, refused(response)
	}
	var answer struct {
		Commit string `json:"sha"`
		Files  []struct {
			Name   string `json:"rfilename"`
			Size   int64  `json:"size"`
			BlobID string `json:"blobId"`
			LFS    struct {
				SHA256 string `json:"sha256"`
			} `json:"lfs"`
		} `json:"siblings"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, mostList)).Decode(&answer); err != nil {
		return "", nil, fmt.Errorf("the list of files cannot be read; is %s a hub? %w", s.address, err)
	}
	s.commit = cmp.Or(answer.Commit, revision)
	var files []remote
	for _, file := range answer.Files {
		known := remote{name: file.Name, bytes: file.Size, sha256: file.LFS.SHA256}
		if known.sha256 == "" { // For LFS files it is the checksum of the pointer.
			known.git = file.BlobID
		}
		files = append(files, known)
	}
	return s.commit, files, nil
}

const (
	tries = 5                      // tries for a file
	pause = 500 * time.Millisecond // before the second try
)

// fetch resumes a file until it is complete.
func (s *server) fetch(ctx context.Context, file remote, part string) error {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval = pause
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := s.goOn(ctx, file, part)
		if errors.Is(err, errRefused) || ctx.Err() != nil {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(pauses), backoff.WithMaxTries(tries), backoff.WithMaxElapsedTime(0))
	if err != nil && !errors.Is(err, errRefused) && ctx.Err() == nil {
		return fmt.Errorf("%w; what is there is kept: pull again to go on", err)
	}
	return err
}

// goOn requests the missing part of a file. It fails if nothing arrives for
// Config.Quiet.
func (s *server) goOn(ctx context.Context, file remote, part string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := s.config.Quiet
	watch := time.AfterFunc(quiet, func() { cancel(fmt.Errorf("the server sent nothing for %s", quiet)) })
	defer watch.Stop()
	to, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer to.Close()
	have, err := to.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if file.bytes > 0 && have == file.bytes {
		return nil
	}
	if file.bytes > 0 && have > file.bytes {
		have = 0
	}
	response, err := s.get(ctx, fmt.Sprintf("%s/%s/resolve/%s/%s", s.address, s.config.Name, url.PathEscape(s.commit), file.name), have)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusOK || response.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		have = 0 // The server ignores the offset: start again.
	case response.StatusCode != http.StatusPartialContent:
		return refused(response)
	}
	if err := errors.Join(to.Truncate(have), seek(to, have)); err != nil {
		return err
	}
	if response.StatusCode == http.StatusRequestedRangeNotSatisfiable {
		return errors.New("the part of it that was there did not fit")
	}
	told := &counter{have: have, tell: func(bytes int64) {
		watch.Reset(quiet)
		s.config.Progress(file.name, bytes, file.bytes)
	}}
	body := io.Reader(response.Body)
	if file.bytes > 0 {
		body = io.LimitReader(body, file.bytes-have+1) // one more byte reveals excess
	}
	if _, err := io.Copy(io.MultiWriter(to, told), body); err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	if file.bytes > 0 && told.have > file.bytes {
		return errors.Join(fmt.Errorf("%w: the server sends more than the %s that it listed", errRefused, each.Count(file.bytes, "byte")), os.Remove(part))
	}
	if file.bytes > 0 && told.have < file.bytes {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func seek(file *os.File, to int64) error {
	_, err := file.Seek(to, io.SeekStart)
	return err
}

// get requests a URL, starting at an offset.
func (s *server) get(ctx context.Context, address string, from int64) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if s.config.Token != "" {
		request.Header.Set("Authorization", "Bearer "+s.config.Token)
	}
	if from > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	return s.config.Client.Do(request)
}

// errRefused marks errors that a retry cannot fix.
var errRefused = errors.New("refused")

// refused returns the error for a status.
func refused(response *http.Response) error {
	status := response.Status
	switch {
	case response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusForbidden || response.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%w: the server answers %s: see that the name is right and the model public, or set HF_TOKEN", errRefused, status)
	case response.StatusCode >= http.StatusInternalServerError || response.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("the server answers %s", strings.TrimSpace(status))
	}
	return fmt.Errorf("%w: the server answers %s", errRefused, status)
}

// counter counts the bytes written and reports the sum.
type counter struct {
	have int64
	tell func(bytes int64)
}

func (c *counter) Write(some []byte) (int, error) {
	c.have += int64(len(some))
	c.tell(c.have)
	return len(some), nil
}
