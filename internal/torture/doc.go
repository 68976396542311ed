// Package torture kills programs, connections and servers in the middle of what
// they do, and looks at what is left: whatever was acknowledged has to be there,
// every invariant that 'annals verify' knows has to hold, and once the work is
// done again the memory has to equal one that nothing happened to.
//
// It holds nothing but tests. A bounded run is part of all tests; the whole is
//
//	make torture
//
// which prints the table of docs/reliability.md.
package torture
