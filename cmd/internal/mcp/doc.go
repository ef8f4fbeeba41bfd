// Package mcp serves handoffs to agents over the Model Context Protocol: tools
// that search, show and brief, the handoffs as resources, and a prompt. Each call is
// answered by a service of its own, on an index that is brought up to date for it.
//
// What handoffs say is data that somebody wrote, perhaps to harm. It leaves as a
// quotation only: credentials are masked, no character in it acts or hides, no tag
// in it begins, and each line of it is marked where an answer is text.
//
// Of an answer that has structured content agents show their model that alone, or
// the text alone, so both say the same. By default both together take less than
// 4 KB; a result says what does not fit, and how to get it.
package mcp
