// Package upkeep does what is due now and then, beside reading episodes: it
// applies how long groups keep them, looks at the health of the database and
// mends what can be mended.
package upkeep
