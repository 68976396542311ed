package agent_test

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
)

// proxy stands between a client and PostgreSQL, and dies when it is told to:
// then all connections are cut at once, as when the client's process is
// killed.
type proxy struct {
	url    string
	target string

	mu    sync.Mutex
	left  int  // statements until it dies; negative: it does not
	reply bool // what was asked is carried out, and only the answer is lost
	dying bool // with the next answer
	dead  bool
	conns []net.Conn
}

func newProxy(t *testing.T, databaseURL string) *proxy {
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
	p := &proxy{left: -1, target: filepath.Join(query.Get("host"), ".s.PGSQL."+query.Get("port"))}
	if query.Get("host") == "" {
		p.target = u.Host
	}
	u.Host, u.RawQuery = listener.Addr().String(), "sslmode=disable"
	p.url = u.String()
	go p.accept(listener)
	return p
}

// dieAfter has it die before the statement after n more gets through, or with
// reply when that was carried out.
func (p *proxy) dieAfter(n int, reply bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left, p.reply = n, reply
}

func (p *proxy) died() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dead
}

func (p *proxy) accept(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		network := "unix"
		if p.target[0] != '/' {
			network = "tcp"
		}
		server, err := net.Dial(network, p.target)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		dead := p.dead
		p.conns = append(p.conns, client, server)
		p.mu.Unlock()
		if dead {
			_ = client.Close()
			_ = server.Close()
			continue
		}
		go p.backward(client, server)
		go p.forward(client, server)
	}
}

func (p *proxy) backward(client, server net.Conn) {
	defer func() { _ = client.Close() }()
	buffer := make([]byte, 1<<16)
	for {
		n, err := server.Read(buffer)
		if err != nil || p.answered() {
			return
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// answered reports whether this answer is lost, with everything else.
func (p *proxy) answered() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dying {
		p.die()
	}
	return p.dead
}

func (p *proxy) die() {
	p.dead = true
	for _, c := range p.conns {
		_ = c.Close()
	}
}

// forward passes on the client's messages one by one. The first has no type.
func (p *proxy) forward(client, server net.Conn) {
	defer func() { _ = server.Close() }()
	for first := true; ; first = false {
		message, err := readMessage(client, first)
		if err != nil {
			return
		}
		if p.last(message[0]) {
			return
		}
		if _, err := server.Write(message); err != nil {
			return
		}
	}
}

func readMessage(r io.Reader, first bool) ([]byte, error) {
	head := make([]byte, 5)
	if first {
		head = head[:4]
	}
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	length := int(binary.BigEndian.Uint32(head[len(head)-4:])) - 4
	if length < 0 || length > 1<<26 {
		return nil, errors.New("no message")
	}
	message := append(head, make([]byte, length)...)
	_, err := io.ReadFull(r, message[len(head):])
	return message, err
}

// last takes a message into account, and reports whether it does not get
// through any more. Those that have a statement carried out count.
func (p *proxy) last(kind byte) bool {
	const query, execute = 'Q', 'E'
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.dead:
	case kind != query && kind != execute:
	case p.left != 0:
		p.left--
	case p.reply:
		p.dying = true
	default:
		p.die()
	}
	return p.dead
}
