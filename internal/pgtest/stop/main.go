// Command stop stops the PostgreSQL that tests share.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/annalsdb/annals/internal/pgtest"
	"github.com/annalsdb/annals/postgres"
)

func main() {
	if err := postgres.Stop(context.Background(), postgres.Config{DataDir: pgtest.DataDir()}); err != nil {
		fmt.Fprintln(os.Stderr, "stop the tests' PostgreSQL:", err)
		os.Exit(1)
	}
}
