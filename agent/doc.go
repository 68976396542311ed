// Package agent runs agents that manage a memory of their own: MemGPT (Packer
// et al., arXiv 2310.08560) on PostgreSQL.
package agent
