// Package model asks models: language models for answers in JSON, embedding
// models for vectors, rerankers for scores.
//
// # Language models
//
// [OpenLLM] opens a model that is named as "provider:model":
//
//	llm, err := model.OpenLLM(model.Config{Model: "ollama:qwen3:8b"})
//	answer, err := model.Ask[Answer](ctx, llm, model.Question{
//		Name: "name_colour", Version: 1, System: "Name the colour.", User: "Grass.",
//	}, nil)
//
// [Ask] derives a JSON schema from the Go type of the answer. The provider
// enforces it if it can; else the schema goes into the prompt. The reply is read
// leniently, since models add fences, thoughts and trailing commas, and then
// validated strictly. A wrong answer is sent back once, with the reason. If that
// does not help, the error is an [*AnswerError] with the model's words. If the
// provider does not answer, it is a [*CallError].
//
// langchaingo makes the requests. One http.RoundTripper for all providers
// (transport.go) adds what its clients lack: retries that respect Retry-After, a
// timeout for each try, limits of calls, requests and tokens that the whole
// process shares, structured output, and errors that keep their cause and never
// contain a key.
//
// # Vectors
//
// An [Embedder] converts texts to vectors of length one. [NewHashEmbedder] needs
// no model; it compares spellings, not meanings. [OpenEmbedder] asks a server.
// Package onnx runs a network on this machine, package static reads a table of
// tokens. [CachedEmbedder] remembers the vectors of the texts used last.
//
// # The ledger
//
// A [Ledger] records every request, with its tokens, time and cost by
// [ListPrices] or by prices of one's own. It also answers questions that were
// answered before. [WithSubject] names the group that a call is made for.
package model
