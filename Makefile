# Ambit: `make run` runs it, `make test` tests it, `make check` checks the tree,
# `make conformance` holds it to a real API server.

TEMPL       := go run github.com/a-h/templ/cmd/templ@v0.3.1118
STATICCHECK := go run honnef.co/go/tools/cmd/staticcheck@v0.7.0

.PHONY: run build test check test-go test-web bench generate web templ shots clean cluster cluster-binary test-live conformance conformance-kyverno

run: build
	./bin/ambit serve $(ARGS)

# The pages' assets and the generated templ code are committed, so building needs Go alone.
build:
	go build -o bin/ambit ./cmd/ambit

test: test-go test-web

test-go:
	go test ./...

test-web: node_modules/.package-lock.json build
	sh web/e2e/chromium.sh
	npm run --silent e2e

node_modules/.package-lock.json: package.json package-lock.json
	@command -v npm >/dev/null || { echo "The pages' tests need Node.js 20 or later with npm: https://nodejs.org"; exit 1; }
	npm ci --no-audit --no-fund

# Everything that must hold beside the tests: formatting, linters, types, and generated
# files that are what their sources say.
check: node_modules/.package-lock.json
	@test -z "$$(gofmt -l cmd cluster conformance scope server static views)" || { echo "gofmt is due:"; gofmt -l cmd cluster conformance scope server static views; exit 1; }
	go vet ./...
	$(STATICCHECK) ./...
	go mod tidy -diff
	$(TEMPL) generate -path views -include-timestamp=false -include-version=true
	git diff --exit-code -- views || { echo "The generated templ code was stale: commit the result of make templ."; exit 1; }
	npm run --silent stale
	npm run --silent types
	npm run --silent formatted

# A real API server with the sample in it, for trying Ambit against: see what it prints.
cluster: cluster-binary
	./bin/ambit-cluster $(CLUSTER_ARGS)

# A server built without a version would call itself v0.0.0-master.
cluster-binary:
	cd conformance/kubernetes && go build -ldflags "-X k8s.io/component-base/version.gitVersion=$$(go list -m -f '{{.Version}}' k8s.io/kubernetes)" -o ../../bin/ambit-cluster ./cmd/cluster

# An open page against that server.
test-live: node_modules/.package-lock.json build cluster-binary
	sh web/e2e/chromium.sh
	node --test web/e2e/live/*.test.mjs

# Everything that is compared with a running kube-apiserver; builds it first, which takes
# some minutes without a cache.
REQUESTS ?= 10000
SEED     ?= 6
conformance: test-live
	cd conformance/kubernetes && go vet ./... && go test -timeout 30m $$(go list ./... | grep -v '/compare$$\|/flow$$')
	cd conformance/kubernetes && go test -timeout 2h ./flow -requests $(REQUESTS) -seed $(SEED) -v
	cd conformance/kubernetes && go test -timeout 12h ./compare -requests $(REQUESTS) -seed $(SEED) -v

# What is compared with a running Kyverno and with its code; builds it first, which takes some minutes more without a cache.
SETS    ?= 300
BATCHES ?= 2000
conformance-kyverno:
	cd conformance/kyverno/upstream && go vet ./... && go tool -n kyverno && go tool -n oracle
	cd conformance/kyverno && go vet ./... && go test ./controller ./generate
	cd conformance/kyverno && go test -timeout 1h ./compare -sets $(SETS) -batches $(BATCHES) -seed $(SEED) -v
	cd conformance/kyverno && go test -timeout 30m ./requests -seed $(SEED) -v

bench:
	go test ./scope/admission -run '^$$' -bench OnePod -benchtime 2s
	node web/e2e/bench.mjs

generate: templ web

templ:
	$(TEMPL) generate -path views

web: node_modules/.package-lock.json
	npm run --silent build

# Screenshots of every page, light and dark, wide and narrow, into web/shots.
shots: node_modules/.package-lock.json build
	sh web/e2e/chromium.sh
	node web/e2e/shots.mjs

clean:
	rm -rf bin node_modules web/shots
