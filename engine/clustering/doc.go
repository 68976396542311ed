// Package clustering finds the communities of a graph: groups of nodes that
// are joined more strongly to each other than to the rest. It knows nothing of
// entities and facts.
//
// The method is label propagation (Raghavan, Albert and Kumara 2007, "Near
// linear time algorithm to detect community structures in large-scale
// networks", section III), with weights. Every node begins with a label of its
// own; then one node after another takes the label that weighs most among its
// neighbours, until none would change. Labels spread within dense parts and
// stop at thin ones. It needs no number of communities beforehand and about
// linear time, and a node that arrives later can be placed by the same rule
// alone, without working on the rest again.
package clustering
