// Package engine is not an API: it may change with every release. It writes the
// graph: it takes an episode through the steps extract entities → resolve entities →
// extract facts → resolve facts → apply time → summarise → commit, one file per step.
//
// Nothing of an episode is visible before its commit, which is one
// transaction. An episode that fails stays stored, failed, with its error.
package engine
