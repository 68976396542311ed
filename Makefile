# Annals. `make` lists what can be done.
SHELL := /bin/sh
.DEFAULT_GOAL := help

# Tools are pinned in go.mod; golangci-lint brings so much along that it has a go.mod of its own.
GOLANGCI := go tool -modfile=tools/lint.mod golangci-lint
# sqlc's SQL parser as WebAssembly: builds in a third of the time that the C one takes.
SQLC := CGO_ENABLED=0 go tool sqlc

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Install PostgreSQL and pgvector where they are missing
	@scripts/setup

.PHONY: build
build: ## Build bin/annals
	@CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o bin/annals ./cmd/annals

.PHONY: demo
demo: setup build ## Read a sample conversation into a memory graph and ask it
	@bin/annals demo

# CI has vet run by make lint alone.
.PHONY: test
test: setup ## Run the tests that decide whether a change is right, against a real PostgreSQL
	@scripts/test -short $(if $(CI),-vet=off)

# ANNALS_TEST_LONG=1 adds tests of minutes.
.PHONY: test-all
test-all: setup ## Run all tests: browsers, the clients of others, kills, volume and backups, too
	@scripts/test $(if $(CI),-vet=off)

.PHONY: test-17
test-17: ## Run the tests of the database on PostgreSQL 17 of Debian 13, as root
	@scripts/test-17

# The cluster is left running; scripts/citus stop ends it.
.PHONY: test-citus
test-citus: ## Run the memory on a Citus cluster of three, where Citus is installed
	@ANNALS_TEST_CITUS=$$(scripts/citus start) && export ANNALS_TEST_CITUS && go test ./internal/citus -count=1 -timeout 30m -v || [ $$? = 3 ]

.PHONY: race
race: setup ## Run all tests with the race detector, which takes half as long again
	@scripts/test -race

# All tests try some of these points, which takes a minute; CI tries fewer.
.PHONY: torture
torture: setup ## Kill programs, connections and servers at 1,000 points, and look at what is left
	@go test ./internal/torture -count 1 -timeout 90m -v -run 'TestTorture$$' -points 1000 -at-once 3

# What it prints is the table of docs/acceptance.md, which it writes too.
.PHONY: acceptance
acceptance: setup ## Run the Agent Memory Atlas's acceptance tests at every door, with and without a model
	@go test ./internal/acceptance -count=1 -timeout 20m -v -all -update

# FUZZ=5m says how long each target runs; 30s if it is not set.
.PHONY: fuzz
fuzz: ## Fuzz every parser of what comes from outside, one after the other
	@scripts/fuzz $(FUZZ)

.PHONY: vuln
vuln: ## Look for known vulnerabilities in what the programs call
	@scripts/vuln

.PHONY: bench
bench: setup ## Run the benchmarks
	@go test -run '^$$' -bench . -benchmem ./...

# DATA names a folder with LoCoMo, LongMemEval or DMR, which are not part of Annals; ANNALS_EMBEDDER what makes vectors.
.PHONY: eval
eval: setup build ## Measure on the benchmarks of conversations in DATA, into docs/benchmarks
	@bin/annals eval all --dir "$(DATA)" --record docs/benchmarks --commit $$(git rev-parse --short HEAD)

# golangci-lint runs vet and staticcheck, with what they find more.
.PHONY: lint
lint: ## Check style, common mistakes and that generated code is current
	@test -z "$$(go tool gofumpt -l . | grep -v '^db/.*\.sql\.go')" || { go tool gofumpt -l .; echo 'run: go tool gofumpt -w .'; exit 1; }
	@$(GOLANGCI) run
	@$(SQLC) diff || { echo 'db/ is not what queries/ and migrations/ give: run make generate'; exit 1; }

# It takes Python and Node, and asks a service for its OpenAPI document.
.PHONY: clients
clients: setup ## Generate the clients for Python and TypeScript anew
	@go test ./clients -count=1 -run 'IsCurrent$$' -update

# It takes Node 20.19, 22.12 or newer. What it builds is committed, so that `make build` needs none.
.PHONY: web
web: ## Build the explorer's page from web/ into internal/server/explorer/app
	@cd web && npm ci --ignore-scripts --no-audit --no-fund && npm run -s build
	@gzip -9nf internal/server/explorer/app/assets/*.js internal/server/explorer/app/assets/*.css # they would weigh four times as much in the program

.PHONY: generate
generate: ## Generate db/ from queries/ and migrations/
	@$(SQLC) generate
	@go run ./migrations/pack
