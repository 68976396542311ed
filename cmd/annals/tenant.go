package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/annalsdb/annals"
)

// wholeDatabase lists the commands that work on the whole database, not on one group.
var wholeDatabase = []string{"bench", "demo", "distribute", "eval", "keys", "migrate", "rebuild", "reembed", "verify", "worker"}

// bindTenant sets the group of a command to the tenant's, and refuses commands
// that work on the whole database.
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
