package public_test

import (
	"net/netip"
	"testing"

	"github.com/annalsdb/annals/internal/public"
)

func TestIs(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "2606:2800:220:1::1": true, "2606:4700::1111": true, "::ffff:8.8.8.8": true,
		"127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false,
		"0.0.0.0": false, "0.1.2.3": false, "100.64.0.1": false, "198.18.0.1": false, "192.0.0.8": false, "224.0.0.1": false,
		"240.0.0.1": false, "255.255.255.255": false,
		"::1": false, "::": false, "fe80::1": false, "fc00::1": false, "fd12::1": false, "ff02::1": false,
		"::ffff:10.0.0.1": false, "::ffff:127.0.0.1": false, "64:ff9b::7f00:1": false, "64:ff9b::a00:1": false,
		"2002:7f00:1::": false, "2002:a00:1::": false, "2001:db8::1": false, "fe80::1%eth0": false,
	} {
		if got := public.Is(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s is public: %t, want %t", address, got, want)
		}
	}
}
