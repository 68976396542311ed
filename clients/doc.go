// Package clients holds the clients for other languages, in folders of their
// own, and the tests that run them against a served Annals.
//
// Most of each client is generated from the OpenAPI document that the service
// answers with; `make clients` does that anew.
package clients
