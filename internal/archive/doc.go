// Package archive moves a group between databases as a file of lines.
//
// Each line is a JSON object. The first line describes the file. The last line has the number of lines before it and their
// SHA-256. Each line between them is a row of a table:
//
//	{"annals":"export","version":2,"schema":18,"group":"demo","embedder":"offline:hash-1-384","dimensions":384,"vectors":false}
//	{"table":"groups","row":{"kind":"graph",…}}
//	{"table":"episodes","row":{"id":"0199…","source":"message",…}}
//	…
//	{"lines":812,"sha256":"5f70bf18…"}
//
// Rows are exported as they are stored: ids, both time axes to the microsecond, the history, and the ledger with its answers.
// Derived data is left out and derived again on import. So the export of an imported group is the same file, byte for byte.
package archive
