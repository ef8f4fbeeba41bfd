// Package brief tells an agent that begins a session what the ones before it left:
// where they stopped, what a human must look at, what comes next, what to watch
// for. Gather reads it from the index, Compose picks and orders it within a
// budget, and a Shape writes it as an agent accepts it.
//
// What handoffs say is data that somebody wrote, perhaps to harm. Facts holds it as
// it is; Compose makes it harmless (see Clean) and every shape marks each line of
// it.
package brief
