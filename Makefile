SQLC_VERSION := v1.31.1
GOLANGCI_VERSION := v2.15.0
GITLEAKS_VERSION := v8.30.1
HTML_VALIDATE_VERSION := 9.7.1
AXE_VERSION := 4.14.1
GORELEASER_VERSION := v2.16.0
# make owner OWNER=name: the one place where the owner of the repository is filled in.
OLD_OWNER = $(word 2,$(subst /, ,$(shell go list -m)))
BINARY ?= handex
# The flags of releases (.goreleaser.yaml). Sending uses HTTP/1.1. What is not compiled for
# speed is used by mcp, --jq, pick and the network, where it does not matter.
RELEASE := -trimpath -tags nethttpomithttp2 -ldflags='-s -w' $(patsubst %,-gcflags=%=-l,\
	github.com/modelcontextprotocol/... github.com/google/jsonschema-go/... github.com/segmentio/... \
	github.com/itchyny/gojq github.com/junegunn/fzf/src golang.org/x/oauth2/... \
	net/http crypto/tls crypto/x509 encoding/gob log/slog)
FUZZTIME ?= 30s
BENCH ?=
SQLC := $(CURDIR)/.bin/sqlc-$(SQLC_VERSION)/sqlc
GOLANGCI := $(CURDIR)/.bin/golangci-lint-$(GOLANGCI_VERSION)/golangci-lint
GORELEASER := $(CURDIR)/.bin/goreleaser-$(GORELEASER_VERSION)/goreleaser

.PHONY: all build test lint gen fuzz faults browser agents bench cover size metrics strings tools owner pages snapshot release release-tools
all: lint test build

build: ; CGO_ENABLED=0 go build $(RELEASE) -o $(BINARY) ./cmd/handex
test: ; go test ./...
lint: $(GOLANGCI) ; $(GOLANGCI) fmt --diff && go vet ./... && $(GOLANGCI) run
gen: $(SQLC) ; $(SQLC) generate
fuzz: ; go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}' ./... | while read -r d; do for f in $$(grep -ho '^func Fuzz[A-Za-z0-9_]*' "$$d"/*_test.go | cut -c6-); do echo "$$f in $$d" && (cd "$$d" && go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) .) || exit 1; done; done
faults: ; HANDEX_FAULTS=full go test -timeout 12h ./...
# The pages in a browser. HANDEX_AXE names the axe.min.js that looks for barriers.
browser: ; HANDEX_BROWSER=$${HANDEX_BROWSER:-chromium} go test -count=1 ./cmd/internal/serve
agents: ; go test -tags agents -count=1 -timeout 1h -v ./cmd/internal/agentstest
bench: ; go run ./cmd/handex-bench $(BENCH)
cover: ; go test -coverpkg=./... -coverprofile=cover.out ./... && go tool cover -func=cover.out | tail -n 1
size: ; @git ls-files '*.go' | grep -v '_test\.go$$' | xargs grep -L '^// Code generated .* DO NOT EDIT' | xargs cat | wc -l
metrics: ; @git ls-files --cached --others --exclude-standard '*.go' | grep -v -e '_test\.go$$' -e '/sqlitedb/' | xargs awk 'FNR==1{open=0} /^func /{name=$$0; start=FNR; open=1} open && /^}|^func .*}$$/{printf "%4d %s:%d %s\n", FNR-start+1, FILENAME, start, name; open=0}' | sort -rn | head -n 10
# make strings STRINGS="query cmd/internal/cli": all texts that a user can see, to be proofread.
strings: ; @go run ./cmd/internal/userstrings $(STRINGS)
owner: ; @test -n "$(OWNER)" && git grep -lE '\b$(OLD_OWNER)/(handex|tap|scoop-bucket)\b|^ *owner: $(OLD_OWNER)$$|<$(OLD_OWNER)@' | xargs sed -i -E 's#\b$(OLD_OWNER)/(handex|tap|scoop-bucket)\b#$(OWNER)/\1#g; s#^( *owner: )$(OLD_OWNER)$$#\1$(OWNER)#; s#<$(OLD_OWNER)@#<$(OWNER)@#'
tools: $(SQLC) $(GOLANGCI)
# The manual and the completions, made by the program itself, as packages contain them.
pages: ; rm -rf .bin/pages && mkdir -p .bin/pages && go build -o .bin/pages/made-by ./cmd/handex && cd .bin/pages && for s in bash fish zsh; do ./made-by completion $$s >handex.$$s || exit 1; done && mv handex.zsh _handex && ./made-by man | gzip -9n >handex.1.gz && ./made-by man query | gzip -9n >handex-query.7.gz && rm made-by
release-tools: $(GORELEASER)
snapshot: release-tools ; $(GORELEASER) release --snapshot --clean
# The notes are the section of CHANGELOG.md for the tag.
release: release-tools ; awk -v v="$$(git describe --tags --exact-match | cut -c2-)" '/^## /{on = $$2 == v; next} on' CHANGELOG.md >.bin/notes.md && test -s .bin/notes.md && $(GORELEASER) release --clean --release-notes .bin/notes.md

$(SQLC): ; GOBIN=$(@D) go install github.com/sqlc-dev/sqlc/cmd/sqlc@$(SQLC_VERSION)
$(GOLANGCI): ; GOBIN=$(@D) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
$(GORELEASER): ; GOBIN=$(@D) CGO_ENABLED=0 go install github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)
