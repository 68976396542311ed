// Package archive moves a group between databases as a file of lines.
//
// Each line is a JSON object. The first says what the file is, the last how
// many lines came before it and what their SHA-256 is, and each between them
// is a row of a table:
//
//	{"annals":"export","version":2,"schema":18,"group":"demo","embedder":"offline:hash-1-384","dimensions":384,"vectors":false}
//	{"table":"groups","row":{"kind":"graph",…}}
//	{"table":"episodes","row":{"id":"0199…","source":"message",…}}
//	…
//	{"lines":812,"sha256":"5f70bf18…"}
//
// Rows are as they are stored: ids, both time axes to the microsecond, the
// history, the ledger and its answers. What is derived from them is left out
// and derived again where they are put back, so that the export of an imported
// group is the same file, byte for byte.
package archive
