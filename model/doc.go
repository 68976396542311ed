// Package model asks models: language models for answers in JSON, embedding
// models for vectors.
//
// # Language models
//
// A model is named as "provider:model" and opened with [OpenLLM]:
//
//	llm, err := model.OpenLLM(model.Config{Model: "ollama:qwen3:8b"})
//	answer, err := model.Ask[Answer](ctx, llm, model.Question{
//		Name: "name_colour", Version: 1, System: "Name the colour.", User: "Grass.",
//	}, nil)
//
// [Ask] makes a JSON schema of the Go type of the answer and sends it along: for
// the provider to enforce where it can, in the prompt where it cannot. What
// comes back is read leniently, since models put fences, thoughts and trailing
// commas around what was asked for, and then validated strictly. An answer that
// is no good is sent back once, with what is wrong with it. After that the
// error is an [*AnswerError], which holds what the model said; a provider that
// does not answer is a [*CallError].
//
// Questions are put into requests by langchaingo. What its clients leave out is
// done in one http.RoundTripper (transport.go) for all providers: retries that
// heed Retry-After, a timeout for each try, limits of calls, requests and tokens
// that the whole process shares, structured output, and errors that keep their
// cause and never show a key.
//
// # Vectors
//
// An [Embedder] turns texts into vectors of length one. [NewHashEmbedder] needs
// no model and knows spellings, not meanings; [OpenEmbedder] asks a server;
// package onnx runs a network on this machine, and package static a table of
// tokens. [CachedEmbedder] remembers the vectors of the texts used last.
//
// # The ledger
//
// A [Ledger] is told of every request, with its tokens, time and cost by the
// list prices of [ListPrices] or one's own. It also answers questions that were
// answered before. [WithSubject] says on whose account a call goes.
package model
