// Package answer measures the answers that retrieval makes possible. A model
// answers a benchmark's questions from a context, and a model judges the
// answers by the benchmark's published rules. The rules are paraphrased, so
// figures are comparable with each other, and only roughly with published ones.
//
// Contexts come from a memory and from the usual baselines: the whole
// conversation ([Full]), a summary of each session ([Summaries]), and one
// summary rewritten after each session ([Recursive]; Wang et al., Recursively
// Summarizing Enables Long-Term Dialogue Memory in Large Language Models, arXiv
// 2308.15022).
//
// It measures nothing without a model. If a call to a model fails, the run ends
// with its error.
package answer
