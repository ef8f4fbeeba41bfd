// Package metadata knows what the labels of metadata mean in any format, and what
// their values say: fields, statuses, priorities, relations to other handoffs.
package metadata
