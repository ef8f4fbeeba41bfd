// Package brief writes what an agent reads when a session begins: where the last
// session stopped, what waits for a person, what comes next and what to look out for.
// Gather reads the facts from the index, Compose selects and orders what a budget has
// room for, and a Shape writes that in the form that the agent accepts.
//
// Handoffs are untrusted text. Facts contains it unchanged; Compose makes it harmless
// (see composer.quote), and each shape marks every line of it.
package brief
