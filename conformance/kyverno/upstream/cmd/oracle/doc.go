// Command oracle says which webhooks Kyverno's controller would write, without a cluster: it makes the controller with
// listers that hold the given policies, and calls its builders. Standard input has one JSON document for each question,
// standard output one for each answer, in the same order.
package main
