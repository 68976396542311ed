package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
)

// What works on the whole database, and not on one group of it.
var wholeDatabase = []string{"bench", "demo", "distribute", "eval", "keys", "migrate", "reembed", "worker"}

// bindTenant has a command for one tenant work on that tenant's group, and
// refuses what would reach further.
func (a *app) bindTenant(cmd *cobra.Command) error {
	if a.config.Tenant == "" {
		return nil
	}
	top := cmd
	for top.HasParent() && top.Parent().HasParent() {
		top = top.Parent()
	}
	if slices.Contains(wholeDatabase, top.Name()) {
		return &annals.Error{
			Code: annals.CodeForbidden, Field: "tenant",
			Message: fmt.Sprintf("'annals %s' works on the whole database; run it without --tenant and ANNALS_TENANT", top.Name()),
		}
	}
	if !cmd.Flags().Changed("group") {
		a.group = a.config.Tenant
	}
	return nil
}
