//go:build linux && (amd64 || arm64)

package native

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

const supported = true

// process is the other process and the memory shared with it. Only one goroutine at
// a time may use it.
type process struct {
	memory
	functions
	command  *exec.Cmd
	requests io.WriteCloser
	replies  io.ReadCloser
	said     *beginning

	end sync.Once
	how error // the error with which it ended
}

// start starts a process that serves [process.call].
func start() (p *process, err error) {
	program, err := memoryFile("annals-onnx", executable())
	if err != nil {
		return nil, err
	}
	defer program.Close()
	shared, err := memoryFile("annals-onnx-memory", nil)
	if err != nil {
		return nil, err
	}
	defer shared.Close()
	if err := shared.Truncate(sharedBytes); err != nil {
		return nil, err
	}
	p = &process{said: &beginning{}}
	if p.bytes, err = syscall.Mmap(int(shared.Fd()), 0, sharedBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED); err != nil {
		return nil, fmt.Errorf("share memory: %w", err)
	}
	if err := p.run(program, shared); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// memoryFile creates a file that exists only in memory.
func memoryFile(name string, content []byte) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3 every such file is executable
		fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	}
	if err != nil {
		return nil, fmt.Errorf("make a file in memory: %w", err)
	}
	file := os.NewFile(uintptr(fd), name)
	if _, err := file.Write(content); err != nil {
		return nil, errors.Join(fmt.Errorf("make a file in memory: %w", err), file.Close())
	}
	return file, nil
}

// File descriptors of the process, after the standard ones.
const programFile, sharedFile = 3, 4

// run starts the program and maps the shared memory in it.
func (p *process) run(program, shared *os.File) (err error) {
	p.command = &exec.Cmd{
		Path:       fmt.Sprintf("/proc/self/fd/%d", programFile),
		Args:       []string{"annals-onnx"},
		Env:        []string{}, // the environment contains keys, which the library must not see
		Stderr:     p.said,
		ExtraFiles: []*os.File{program, shared},
		// A terminal's Ctrl-C must reach only this process, which then ends the
		// other.
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	if p.requests, err = p.command.StdinPipe(); err != nil {
		return err
	}
	if p.replies, err = p.command.StdoutPipe(); err != nil {
		return err
	}
	if err := p.command.Start(); err != nil {
		if _, none := os.Stat(dynamicLinker); none != nil {
			return fmt.Errorf("this system has no glibc (%s)", dynamicLinker)
		}
		return err
	}
	var known [8 * importedFunctions]byte
	if _, err := io.ReadFull(p.replies, known[:]); err != nil {
		return p.ended()
	}
	for i, function := range p.inOrder() {
		*function = uintptr(binary.NativeEndian.Uint64(known[8*i:]))
	}
	if p.base, err = p.call(p.mmap, 0, sharedBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED, sharedFile, 0); err != nil {
		return err
	}
	if int64(p.base) == -1 {
		return errors.New("the process cannot map the shared memory")
	}
	return nil
}

// call calls a function in the process.
func (p *process) call(function uintptr, arguments ...uintptr) (uintptr, error) {
	if p.bytes == nil {
		return 0, ErrEnded
	}
	if p.full {
		return 0, errFull
	}
	var request [8 * (1 + mostArguments)]byte
	binary.NativeEndian.PutUint64(request[:], uint64(function))
	for i, argument := range arguments {
		binary.NativeEndian.PutUint64(request[8+8*i:], uint64(argument))
	}
	if _, err := p.requests.Write(request[:]); err != nil {
		return 0, p.ended()
	}
	var reply [8]byte
	if _, err := io.ReadFull(p.replies, reply[:]); err != nil {
		return 0, p.ended()
	}
	return uintptr(binary.NativeEndian.Uint64(reply[:])), nil
}

// ended returns the error of a process that ended by itself, with its exit status
// and its error output.
func (p *process) ended() error {
	p.stop()
	if p.how == nil {
		return ErrEnded
	}
	return fmt.Errorf("%w: %s", ErrEnded, strings.Join(strings.Fields(fmt.Sprint(p.how, " ", p.said)), " "))
}

// stop ends the process and waits for it.
func (p *process) stop() {
	p.end.Do(func() {
		if p.command == nil || p.command.Process == nil {
			return
		}
		_ = p.requests.Close() // It exits at the end of its input.
		p.how = p.command.Wait()
	})
}

// close kills the process and frees the shared memory.
func (p *process) close() error {
	if p.command != nil && p.command.Process != nil {
		_ = p.command.Process.Kill()
	}
	p.stop()
	if p.bytes == nil {
		return nil
	}
	err := syscall.Munmap(p.bytes)
	p.bytes = nil
	return err
}

// beginning keeps the first 1000 bytes written to it.
type beginning struct {
	sync.Mutex
	text []byte
}

// Write keeps the bytes for which there is room.
func (b *beginning) Write(text []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	const most = 1000
	b.text = append(b.text, text[:min(len(text), most-len(b.text))]...)
	return len(text), nil
}

// String returns the kept bytes.
func (b *beginning) String() string {
	b.Lock()
	defer b.Unlock()
	return string(b.text)
}
