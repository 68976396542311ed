package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/term"
)

// A terminal gets colours unless the user disables them; a file and a pipe never do.
func TestColoursOfATerminal(t *testing.T) {
	t.Parallel()
	for name, environ := range map[string]map[string]string{
		"\x1b[2mHEADING\x1b[0m\r\nnow\r\n\x1b[2mpast\x1b[0m\r\n": {"TERM": "xterm"},
		"HEADING\r\nnow\r\npast\r\n":                             {"TERM": "xterm", "NO_COLOR": "1"},
		"HEADING\r\nnow \r\npast\r\n":                            {"TERM": "dumb"},
	} {
		want := strings.ReplaceAll(name, "now ", "now")
		watched, program := openTerminal(t)
		a := &app{printer: printer{stdout: newScreen(program, environ)}}
		if err := a.tableWith("HEADING", [][]string{{"now"}, {"past"}}, func(i int) bool { return i == 1 }); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(want))
		if _, err := io.ReadFull(watched, got); err != nil || string(got) != want {
			t.Errorf("with %v the terminal shows %q (%v), want %q", environ, got, err, want)
		}
	}
	var file bytes.Buffer
	a := &app{printer: printer{stdout: newScreen(&file, nil), stderr: newScreen(&file, nil)}}
	if err := a.table("HEADING", [][]string{{"now"}}); err != nil || file.String() != "HEADING\nnow\n" {
		t.Errorf("elsewhere there is %q (%v)", file.String(), err)
	}
}

func TestErrorsAreRed(t *testing.T) {
	t.Parallel()
	watched, program := openTerminal(t)
	run(t.Context(), []string{"facts", "--nonsense"}, strings.NewReader(""), io.Discard, program, map[string]string{"TERM": "xterm"})
	const want = "\x1b[31mannals:\x1b[0m unknown flag: --nonsense\r\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(watched, got); err != nil || string(got) != want {
		t.Errorf("the terminal shows %q (%v), want %q", got, err, want)
	}
}

// openTerminal makes a pseudo-terminal: the test reads at watched what is written to program.
func openTerminal(t *testing.T) (watched, program *os.File) {
	t.Helper()
	watched, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("this machine has no terminals: %v", err)
	}
	t.Cleanup(func() { _ = watched.Close() })
	var number, unlocked uint32
	for request, argument := range map[uintptr]*uint32{syscall.TIOCGPTN: &number, syscall.TIOCSPTLCK: &unlocked} {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, watched.Fd(), request, uintptr(unsafe.Pointer(argument))); e != 0 {
			t.Fatal(e)
		}
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Close() })
	if !term.IsTerminal(int(program.Fd())) {
		t.Fatal("it is no terminal")
	}
	return watched, program
}
