# Ambit: `make run` runs it, `make test` tests it, `make check` checks the tree.

TEMPL       := go run github.com/a-h/templ/cmd/templ@v0.3.1118
STATICCHECK := go run honnef.co/go/tools/cmd/staticcheck@v0.7.0

.PHONY: run build test check test-go test-web bench generate web templ shots clean

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
	@test -z "$$(gofmt -l cmd cluster scope server static views)" || { echo "gofmt is due:"; gofmt -l cmd cluster scope server static views; exit 1; }
	go vet ./...
	$(STATICCHECK) ./...
	go mod tidy -diff
	$(TEMPL) generate -path views -include-timestamp=false -include-version=true
	git diff --exit-code -- views || { echo "The generated templ code was stale: commit the result of make templ."; exit 1; }
	npm run --silent stale
	npm run --silent types
	npm run --silent formatted

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
