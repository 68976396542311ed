package annals

import "github.com/annalsdb/annals/internal/inside"

func init() {
	inside.Of = func(client any) inside.Parts { return client.(*Client).parts() }
}

// parts are what the packages of this module may reach of a Client.
func (c *Client) parts() inside.Parts {
	return inside.Parts{
		Pool: c.pool, Engine: c.engine, InsecureWebhooks: c.config.InsecureWebhooks,
		Admit: c.admit, Unbound: c.unbound, Wrote: c.wrote,
	}
}
