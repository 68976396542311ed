// Package answer measures what retrieval is for: a model answers the questions
// of a benchmark from a context, and a model judges the answers by the
// benchmark's published rules. The rules are put into our own words, so that
// figures compare with each other and only roughly with published ones.
//
// Contexts are what a memory gives, and the baselines that memories are
// compared with: everything that was said ([Full]), a summary of each session
// ([Summaries]), and one summary that is rewritten session by session
// ([Recursive]; Wang et al., Recursively Summarizing Enables Long-Term Dialogue
// Memory in Large Language Models, arXiv 2308.15022).
//
// Nothing is measured without a model, and no answer is made up for one that
// fails: the run ends with its error.
package answer
