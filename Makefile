SQLC_VERSION := v1.31.1
GOLANGCI_VERSION := v2.15.0
GITLEAKS_VERSION := v8.30.1
HTML_VALIDATE_VERSION := 9.7.1
AXE_VERSION := 4.14.1
# make owner OWNER=name: the one place where the owner of the repository is filled in.
MODULE := $(shell go list -m)
FUZZTIME ?= 30s
BENCH ?=
SQLC := $(CURDIR)/.bin/sqlc-$(SQLC_VERSION)/sqlc
GOLANGCI := $(CURDIR)/.bin/golangci-lint-$(GOLANGCI_VERSION)/golangci-lint

.PHONY: all build test lint gen fuzz faults agents bench cover size metrics strings tools owner
all: lint test build

build: ; CGO_ENABLED=0 go build -o handex ./cmd/handex
test: ; go test ./...
lint: $(GOLANGCI) ; $(GOLANGCI) fmt --diff && go vet ./... && $(GOLANGCI) run
gen: $(SQLC) ; $(SQLC) generate
fuzz: ; go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}' ./... | while read -r d; do for f in $$(grep -ho '^func Fuzz[A-Za-z0-9_]*' "$$d"/*_test.go | cut -c6-); do echo "$$f in $$d" && (cd "$$d" && go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) .) || exit 1; done; done
faults: ; HANDEX_FAULTS=full go test -timeout 12h ./...
agents: ; go test -tags agents -count=1 -timeout 1h -v ./cmd/internal/agentstest
bench: ; go run ./cmd/handex-bench $(BENCH)
cover: ; go test -coverpkg=./... -coverprofile=cover.out ./... && go tool cover -func=cover.out | tail -n 1
size: ; @git ls-files '*.go' | grep -v '_test\.go$$' | xargs grep -L '^// Code generated .* DO NOT EDIT' | xargs cat | wc -l
metrics: ; @git ls-files --cached --others --exclude-standard '*.go' | grep -v -e '_test\.go$$' -e '/sqlitedb/' | xargs awk 'FNR==1{open=0} /^func /{name=$$0; start=FNR; open=1} open && /^}|^func .*}$$/{printf "%4d %s:%d %s\n", FNR-start+1, FILENAME, start, name; open=0}' | sort -rn | head -n 10
# make strings STRINGS="query cmd/internal/cli": all texts that a user can see, to be proofread.
strings: ; @go run ./cmd/internal/userstrings $(STRINGS)
owner: ; @test -n "$(OWNER)" && git grep -lF $(MODULE) | xargs sed -i "s#$(MODULE)#github.com/$(OWNER)/handex#g"
tools: $(SQLC) $(GOLANGCI)

$(SQLC): ; GOBIN=$(@D) go install github.com/sqlc-dev/sqlc/cmd/sqlc@$(SQLC_VERSION)
$(GOLANGCI): ; GOBIN=$(@D) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
