//go:build agents

// Package agentstest_test runs the coding agents themselves, from their npm packages,
// against a stand-in for the services of their models, and checks that the hooks that
// handex installs, and the packages in the folder plugins, do in them what they are for. make agents runs it; it needs npm and
// what npm loads from the network, so it is no part of go test.
package agentstest_test
