// Command stop stops the PostgreSQL that tests share and, with -remove, deletes it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/annalsdb/annals/internal/pgtest"
)

func main() {
	remove := flag.Bool("remove", false, "remove its databases, too")
	flag.Parse()
	if err := pgtest.Stop(context.Background(), *remove); err != nil {
		fmt.Fprintln(os.Stderr, "stop the tests' PostgreSQL:", err)
		os.Exit(1)
	}
}
