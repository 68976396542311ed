// Package upkeep does what is due now and then, beside reading episodes: it
// makes vectors that are missing or of another embedder, applies how long groups
// keep episodes, looks at the health of the database and mends what can be mended.
package upkeep
