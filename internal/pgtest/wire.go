package pgtest

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Harm is a failure injected at a statement.
type Harm int

// The failures that a [Wire] injects.
const (
	None      Harm = iota
	Before         // the program dies before the statement is sent
	During         // the program dies after the statement is sent, without an answer
	Answered       // the program dies after the statement is executed, without an answer
	Terminate      // the server ends the connection, and the program continues
)

// Wire is a proxy between a program and PostgreSQL. It counts statements and
// injects a failure at one of them. A program that dies loses all connections
// at once and makes no new ones.
type Wire struct {
	URL   string        // of the database through the wire
	Fired chan struct{} // closed when the failure has happened

	admin  string // the server's URL without the wire
	target string

	mu       sync.Mutex
	seen     int
	at       int // the statement to fail, counted from 1
	harm     Harm
	harmed   bool
	dead     bool
	most     int // limit of connections; 0: none
	refused  int
	conns    map[net.Conn]bool
	sessions int
}

// NewWire returns a wire to a database from [New].
func NewWire(t testing.TB, databaseURL string) *Wire {
	t.Helper()
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	query := u.Query()
	w := &Wire{admin: databaseURL, target: u.Host, Fired: make(chan struct{}), conns: map[net.Conn]bool{}}
	if host := query.Get("host"); host != "" {
		w.target = filepath.Join(host, ".s.PGSQL."+query.Get("port"))
	}
	u.Host, u.RawQuery = listener.Addr().String(), "sslmode=disable"
	w.URL = u.String()
	go w.accept(listener)
	return w
}

// HarmAfter injects a failure, once, at the statement after n more.
func (w *Wire) HarmAfter(n int, h Harm) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at, w.harm = w.seen+n+1, h
}

// Allow limits the number of simultaneous connections.
func (w *Wire) Allow(most int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.most = most
}

// Refused returns how many connections were refused.
func (w *Wire) Refused() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.refused
}

func (w *Wire) accept(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		if !w.admit(client) {
			continue
		}
		network := "unix"
		if w.target[0] != '/' {
			network = "tcp"
		}
		server, err := net.Dial(network, w.target)
		if err != nil {
			w.leave(client)
			continue
		}
		s := &session{wire: w, client: client, server: server}
		w.mu.Lock()
		w.conns[server] = true
		w.mu.Unlock()
		go s.backward()
		go s.forward()
	}
}

// admit accepts a connection, unless the program is dead or there are too many.
func (w *Wire) admit(client net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dead {
		_ = client.Close()
		return false
	}
	if w.most > 0 && w.sessions >= w.most {
		w.refused++
		go refuse(client)
		return false
	}
	w.sessions++
	w.conns[client] = true
	return true
}

// refuse answers like a server without free connections.
func refuse(client net.Conn) {
	defer func() { _ = client.Close() }()
	head := make([]byte, 4)
	if _, err := io.ReadFull(client, head); err != nil {
		return
	}
	_, _ = io.CopyN(io.Discard, client, int64(binary.BigEndian.Uint32(head))-4)
	fields := "SFATAL\x00VFATAL\x00C53300\x00Msorry, too many clients already\x00\x00"
	message := append([]byte{'E'}, binary.BigEndian.AppendUint32(nil, uint32(len(fields)+4))...)
	_, _ = client.Write(append(message, fields...))
}

func (w *Wire) leave(client net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conns[client] {
		w.sessions--
	}
	delete(w.conns, client)
	_ = client.Close()
}

// Die closes every connection and accepts no more.
func (w *Wire) Die() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dead = true
	for c := range w.conns {
		_ = c.Close()
	}
}

// statement counts a statement and returns the failure to inject at it.
func (w *Wire) statement() Harm {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen++; w.seen != w.at || w.dead {
		return None
	}
	return w.harm
}

// Statements returns how many statements have passed.
func (w *Wire) Statements() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen
}

// Done reports whether the failure has happened.
func (w *Wire) Done() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.harmed
}

// session is a connection.
type session struct {
	wire           *Wire
	client, server net.Conn
	mu             sync.Mutex
	pid            uint32
	doomed         bool        // dies after the current message is sent
	answered       atomic.Bool // dies with the next answer
}

// forward relays the program's messages, one by one.
func (s *session) forward() {
	defer func() {
		s.wire.leave(s.client)
		_ = s.server.Close()
	}()
	in, out := bufio.NewReaderSize(s.client, 1<<16), bufio.NewWriterSize(s.server, 1<<16)
	head := make([]byte, 5)
	if _, err := io.ReadFull(in, head[1:]); err != nil { // the first message has no type byte
		return
	}
	if s.pass(in, out, head[1:]) != nil {
		return
	}
	for {
		if in.Buffered() == 0 && out.Flush() != nil {
			return
		}
		if _, err := io.ReadFull(in, head); err != nil {
			return
		}
		if kind := head[0]; kind == 'E' || kind == 'Q' {
			switch s.wire.statement() {
			case Before:
				s.kill()
				return
			case During:
				s.doomed = true
			case Answered:
				s.answered.Store(true)
			case Terminate:
				s.end()
			}
		}
		if s.pass(in, out, head) != nil {
			return
		}
		if s.doomed && (head[0] == 'S' || head[0] == 'Q') {
			_ = out.Flush()
			time.Sleep(3 * time.Millisecond) // the server receives it
			s.kill()
			return
		}
	}
}

// kill simulates the death of the program.
func (s *session) kill() {
	s.wire.harming()
	s.wire.Die()
	close(s.wire.Fired)
}

func (w *Wire) harming() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.harmed = true
}

// end lets the server end this connection.
func (s *session) end() {
	s.wire.harming()
	close(s.wire.Fired)
	s.mu.Lock()
	pid := s.pid
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.wire.admin)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close(ctx) }()
	_, _ = conn.Exec(ctx, "SELECT pg_terminate_backend($1, 5000)", int32(pid))
}

// pass relays a message whose head was read.
func (s *session) pass(in *bufio.Reader, out *bufio.Writer, head []byte) error {
	if _, err := out.Write(head); err != nil {
		return err
	}
	_, err := io.CopyN(out, in, int64(binary.BigEndian.Uint32(head[len(head)-4:]))-4)
	return err
}

// backward relays the server's answers, and reads its process id from them.
func (s *session) backward() {
	defer func() { _ = s.client.Close() }()
	in, out := bufio.NewReaderSize(s.server, 1<<16), bufio.NewWriterSize(s.client, 1<<16)
	head := make([]byte, 9)
	for known := false; !known; {
		if _, err := io.ReadFull(in, head[:5]); err != nil {
			return
		}
		if head[0] != 'K' {
			if s.pass(in, out, head[:5]) != nil || in.Buffered() == 0 && out.Flush() != nil {
				return
			}
			continue
		}
		if _, err := io.ReadFull(in, head[5:9]); err != nil {
			return
		}
		s.mu.Lock()
		s.pid = binary.BigEndian.Uint32(head[5:9])
		s.mu.Unlock()
		if _, err := out.Write(head); err != nil {
			return
		}
		known = true
	}
	if out.Flush() != nil {
		return
	}
	for buffer := make([]byte, 1<<16); ; {
		n, err := in.Read(buffer)
		if err != nil {
			return
		}
		if s.answered.Load() {
			s.kill()
			return
		}
		if _, err := s.client.Write(buffer[:n]); err != nil {
			return
		}
	}
}
